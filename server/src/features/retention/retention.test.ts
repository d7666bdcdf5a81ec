import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { purgeDue } from '@feierbild/contract/event-status.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { createDecoder } from '../../images/create-decoder.ts';
import type { Decoder } from '../../images/decoder.ts';
import { createLog } from '../../lib/log.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { createVault } from '../../vault/create-vault.ts';
import { createAudit } from '../accounts/audit.ts';
import { createSessions } from '../accounts/sessions.ts';
import { drawPhoto, openHouse, type House } from '../testing.ts';
import { createRetention } from './retention.ts';

const DAY = 24 * 60 * 60 * 1000;
const all = engines();
let decoder: Decoder;
beforeAll(() => {
  decoder = createDecoder({ log: createLog('silent') });
});
afterAll(async () => {
  await decoder.close();
  for (const engine of all) await engine.dispose();
});

function retentionOf(house: House, clock: { now(): number }, blobs: BlobStore = house.blobs) {
  const { db } = house;
  const log = { info: vi.fn(), error: vi.fn() };
  const parts = { db, blobs, clock, log, audit: createAudit({ db, clock }), links: house.links };
  return { ...createRetention({ ...parts, sessions: createSessions({ db, vault: createVault(), clock }) }), log };
}

describe.each(all)('retention on $name', (engine) => {
  let house: House;
  let now: number;
  const clock = { now: () => now };
  beforeEach(async () => {
    now = Date.parse('2026-05-17T18:00:00Z');
    house = await openHouse({ db: await engine.open(), decoder, clock });
  });
  afterEach(() => house.close());

  const keysLeft = async () => {
    const { kysely } = house.db;
    const tables = ['photos', 'photo_keys', 'event_keys', 'sessions', 'session_keys', 'devices', 'archives'] as const;
    return Promise.all(tables.map(async (table) => (await kysely.selectFrom(table).selectAll().execute()).length));
  };

  it('deletes photos and destroys keys at the end of the 30th day after the event, not a second before', async () => {
    const event = await house.event({ end_date: '2026-05-17' });
    expect((await house.upload(event.code, await drawPhoto())).status).toBe(201);
    const due = purgeDue({ end_date: '2026-05-17' });
    expect(new Date(due).toISOString()).toBe('2026-06-16T22:00:00.000Z');
    now = due - 1000;
    await retentionOf(house, clock).run();
    expect(await house.row(event.id)).toMatchObject({ purged_at: null, photo_count: 1 });
    now = due;
    await retentionOf(house, clock).run();
    expect(await house.row(event.id)).toMatchObject({ purged_at: due, is_active: 0, photo_count: 0, used_bytes: 0, device_count: 0 });
    expect(await keysLeft()).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect((await house.leftovers()).blobs).toEqual([]);
    const trail = await house.db.kysely.selectFrom('audit').select(['actor', 'action', 'event_code']).execute();
    expect(trail).toEqual([{ actor: 'system', action: 'event.purged', event_code: event.code }]);
    now += 1000;
    await retentionOf(house, clock).run();
    expect(await house.row(event.id)).toMatchObject({ purged_at: due });
  });

  it('finishes what a crash interrupted, whatever its date', async () => {
    const event = await house.event({ end_date: '2026-12-31', purging_at: now - 5000 });
    await retentionOf(house, clock).run();
    expect(await house.row(event.id)).toMatchObject({ purged_at: now });
  });

  it('destroys the keys also while the photo store is away, goes on with the others, and removes the bytes later', async () => {
    const [first, second] = [await house.event({ end_date: '2026-05-16' }), await house.event({ end_date: '2026-05-17' })];
    for (const { code } of [first, second]) expect((await house.upload(code, await drawPhoto())).status).toBe(201);
    await expect.poll(async () => (await house.leftovers()).blobs.length).toBe(6);
    now += 40 * DAY;
    const away: BlobStore = {
      ...house.blobs,
      removePrefix: async (prefix) => {
        if (prefix.includes(first.id)) throw new Error('the store is away');
        await house.blobs.removePrefix(prefix);
      },
    };
    const failing = retentionOf(house, clock, away);
    await failing.run();
    expect(failing.log.error).toHaveBeenCalled();
    expect(await keysLeft()).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect((await house.leftovers()).blobs.every((key) => key.includes(first.id))).toBe(true);
    expect((await house.leftovers()).blobs).toHaveLength(3);
    await retentionOf(house, clock).run();
    expect((await house.leftovers()).blobs).toEqual([]);
  });

  it('is done by one of several nodes', async () => {
    await house.event({ end_date: '2026-04-01' });
    const nodes = [retentionOf(house, clock), retentionOf(house, clock)];
    await Promise.all(nodes.map((node) => node.run()));
    expect(await house.db.kysely.selectFrom('audit').selectAll().execute()).toHaveLength(1);
  });

  it('shortens addresses after 7 days, and forgets events and the audit after 12 months', async () => {
    const event = await house.event({ end_date: '2026-05-17' });
    const audit = createAudit({ db: house.db, clock });
    for (const address of ['203.0.113.77', '2001:db8:1:2:3::9']) await audit.record({ actor: 'host', action: 'host.login', address });
    const addresses = async () =>
      (await house.db.kysely.selectFrom('audit').select('address').where('address', 'is not', null).execute()).map((row) => row.address);
    now += 7 * DAY;
    await retentionOf(house, clock).run();
    expect(await addresses()).toContain('203.0.113.77');
    now += 1;
    await retentionOf(house, clock).run();
    expect((await addresses()).toSorted()).toEqual(['2001:db8:1::', '203.0.113.0']);
    now += 30 * DAY;
    await retentionOf(house, clock).run();
    now += 366 * DAY;
    await retentionOf(house, clock).run();
    await expect(house.row(event.id)).rejects.toThrow();
    expect(await addresses()).toEqual([]);
  });
});

it('after a purge no byte of the event’s keys is left in the SQLite file or its log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-retention-'));
  let now = Date.parse('2026-05-17T18:00:00Z');
  const clock = { now: () => now };
  const db = await openDatabase({ url: null, file: join(folder, 'feierbild.sqlite') });
  const house = await openHouse({ db, decoder, clock });
  try {
    const event = await house.event({ end_date: '2026-05-17' });
    for (let n = 0; n < 5; n += 1) expect((await house.upload(event.code, await drawPhoto())).status).toBe(201);
    const secrets: Buffer[] = [];
    for (const table of ['photo_keys', 'event_keys', 'session_keys'] as const) {
      for (const row of await db.kysely.selectFrom(table).selectAll().execute()) {
        for (const value of Object.values(row)) if (value instanceof Uint8Array && value.length >= 16) secrets.push(Buffer.from(value));
      }
    }
    const found = () => {
      const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
      // A window from the middle: a page may hold a row in two pieces.
      return secrets.filter((secret) => files.some((file) => file.includes(secret.subarray(secret.length - 16)))).length;
    };
    expect(secrets.length).toBeGreaterThan(15);
    expect(found()).toBe(secrets.length);
    now += 40 * DAY;
    await retentionOf(house, clock).run();
    expect(found()).toBe(0);
  } finally {
    await house.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
});
