import { request } from 'node:http';
import { sql } from 'kysely';
import { MB, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { purgeEvent } from '../events/purge.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { BYTES, heldAnswer, photoOf, sha256, tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = engines();
const decoder = useDecoder(all);

describe.each(all)('a resumable upload that cannot be stored, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  let now: number;

  beforeEach(async () => {
    now = Date.now();
    app = await openApp({ db: await engine.open(), decoder, maxBytes: 40 * MB, clock: { now: () => now } });
    event = await app.event();
    device = newDevice();
  });
  afterEach(() => app.close());

  const { ask, create, append, metadata, offsetOf, download, row } = tusClient(() => ({
    app,
    code: event.code,
    device,
  }));

  it('loses its key before its parts where it expires: what the store does not remove then, nobody can open', async () => {
    await app.close();
    let down = false;
    const wrapStore = (store: TestApp['blobs']): TestApp['blobs'] => ({
      ...store,
      remove: (key) => (down ? Promise.reject(new Unavailable('store', null)) : store.remove(key)),
    });
    app = await openApp({ db: await engine.open(), decoder, maxBytes: 40 * MB, clock: { now: () => now }, wrapStore });
    event = await app.event();
    const photo = await photoOf(MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 500_000));
    const parts = (await app.leftovers()).blobs;
    expect(parts).toHaveLength(1);
    now += UPLOAD_KEPT;
    down = true;
    await app.uploads.resumable.endExpired();
    for (const table of ['uploads', 'upload_keys', 'upload_parts'] as const)
      expect(await app.db.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
    expect((await app.leftovers()).blobs).toEqual(parts);
    down = false;
    expect(await app.janitor.sweep({ graceMs: 0 })).toBe(1);
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('is not taken from its newer sender where the database answers an older one’s claim late', async () => {
    await app.close();
    const db = await engine.open();
    const claim = heldAnswer((row) => String(Object.keys(row)) === 'version');
    app = await openApp({ db: { ...db, kysely: db.kysely.withPlugin(claim.plugin) }, decoder, maxBytes: 40 * MB });
    event = await app.event();
    const photo = await photoOf(2 * MB);
    const path = (await create(photo.length)).headers.location as string;
    const begun = (await row())!.version;
    const older = append(path, 0, photo);
    await claim.taken;
    const newer = request(`${app.url}${path}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'device-id': device, 'upload-offset': '0', 'content-length': photo.length, ...BYTES },
    });
    const status = new Promise((resolve, reject) => {
      newer.once('response', ({ statusCode }) => resolve(statusCode));
      newer.once('error', reject);
    });
    newer.write(photo.subarray(0, MB));
    await expect.poll(async () => (await row())?.version).toBe(begun + 2);
    await expect.poll(async () => (await app.leftovers()).staged).toHaveLength(1);
    claim.answer();
    expect(await older).toMatchObject({ status: 409, body: expect.stringContaining('upload_offset') });
    newer.end(photo.subarray(MB));
    expect(await status).toBe(201);
  });

  it('takes nothing more of a sender that was superseded on another node', async () => {
    const other = await openApp({
      db: { ...app.db, close: async () => undefined },
      decoder,
      maxBytes: 40 * MB,
      wrapStore: () => ({ ...app.blobs, close: async () => undefined }),
    });
    const [photo, forged] = [await photoOf(2 * MB), await photoOf(2 * MB)];
    const path = (await create(photo.length)).headers.location as string;
    const begun = (await row())!.version;
    const older = request(`${other.url}${path}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'device-id': device, 'upload-offset': '0', 'content-length': MB, ...BYTES },
    });
    const answer = new Promise<number | undefined>((resolve, reject) => {
      older.once('response', ({ statusCode }) => resolve(statusCode));
      older.once('error', reject);
    });
    older.write(forged.subarray(0, 1000));
    await expect.poll(async () => (await row())?.version).toBe(begun + 1);
    expect((await append(path, 0, photo.subarray(0, MB))).status).toBe(204);
    older.end(forged.subarray(1000, MB));
    expect(await answer).toBe(409);
    expect(await offsetOf(path)).toBe(MB);
    const last = await append(path, MB, photo.subarray(MB));
    expect(sha256(await download(JSON.parse(last.body).photo.id))).toEqual(sha256(photo));
    await other.close();
  });

  it('is told to ask where it stands, not that it is lost, where its sender ends it while its last byte becomes a photo', async () => {
    await app.close();
    let beforeReading = async (): Promise<void> => undefined;
    const wrapStore = (store: TestApp['blobs']): TestApp['blobs'] => ({
      ...store,
      async *read(key, range) {
        await beforeReading();
        yield* store.read(key, range);
      },
    });
    app = await openApp({ db: await engine.open(), decoder, maxBytes: 40 * MB, clock: { now: () => now }, wrapStore });
    event = await app.event();
    const photo = await photoOf(MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 500_000));
    beforeReading = async () => {
      beforeReading = async () => undefined;
      expect((await ask('DELETE', path)).status).toBe(204);
    };
    expect(await append(path, 500_000, photo.subarray(500_000))).toMatchObject({
      status: 409,
      body: expect.stringContaining('upload_offset'),
    });
    expect((await ask('HEAD', path)).status).toBe(404);
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('leaves nothing where the event is purged while it arrives', async () => {
    const photo = await photoOf(20 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 9 * MB));
    let sent = false;
    const going = append(path, 9 * MB, photo.subarray(9 * MB)).finally(() => (sent = true));
    await expect.poll(async () => ((await row())?.received ?? 0) > 9 * MB || sent).toBe(true);
    await purgeEvent({ ...app, onPurged: () => undefined }, event.id);
    const { status } = await going;
    expect([201, 403, 404, 409, 410]).toContain(status);
    expect((await append(path, 9 * MB, photo.subarray(9 * MB))).status).toBe(404);
    expect((await create(photo.length)).status).toBe(403);
    await expect.poll(() => app.leftovers()).toEqual({ staged: [], blobs: [] });
    for (const table of ['uploads', 'upload_keys', 'upload_parts', 'photos', 'photo_keys'] as const)
      expect(await app.db.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  it('is refused at its start where it cannot fit, and at its end where it no longer does; then it waits for room', async () => {
    const photo = await photoOf(MB);
    const full = await app.event({ storage_limit: 1.5 * MB });
    const named = { 'upload-metadata': metadata(full.code) };
    expect(await create(2 * MB, named)).toMatchObject({ status: 507 });
    const path = (await create(photo.length, named)).headers.location as string;
    const other = await app.upload(full.code, await photoOf(MB));
    expect(other.status).toBe(201);
    expect(await append(path, 0, photo)).toMatchObject({ status: 507, body: expect.stringContaining('storage_full') });
    await app.db.kysely
      .updateTable('events')
      .set({ storage_limit: 3 * MB })
      .where('id', '=', full.id)
      .execute();
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(201);
  });

  // SQLite runs one transaction after the other.
  it.runIf(engine.name === 'postgres')('leaves no part where one is added while it is removed', async () => {
    await app.close();
    const db = await engine.open();
    let watched = false;
    const parts = heldAnswer((found) => watched && String(Object.keys(found)) === 'upload_id,n');
    app = await openApp({ db, decoder, maxBytes: 40 * MB });
    const kysely = db.kysely.withPlugin(parts.plugin);
    const transaction: typeof db.transaction = (work) =>
      db.transaction((trx) => work(watched ? (trx.withPlugin(parts.plugin) as typeof trx) : trx));
    const other = await openApp({
      db: { ...db, kysely, transaction, close: async () => undefined },
      decoder,
      wrapStore: () => ({ ...app.blobs, close: async () => undefined }),
    });
    event = await app.event();
    const photo = await photoOf(2 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 500_000));
    const { id } = (await row())!;
    watched = true;
    const removing = other.uploads.resumable.end({ id });
    await parts.taken;
    const adding = append(path, 500_000, photo.subarray(500_000, MB));
    const locks = sql<{
      n: number;
    }>`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await Promise.race([adding, expect.poll(async () => (await locks.execute(app.db.kysely)).rows[0]?.n).toBe(1)]);
    parts.answer();
    await removing;
    expect([404, 409]).toContain((await adding).status);
    await expect.poll(() => app.leftovers()).toEqual({ staged: [], blobs: [] });
    await other.close();
  });

  it('is known to the check of the stores, whole and damaged', async () => {
    const integrity = createIntegrity({ db: app.db, blobs: app.blobs, vault: createQuickVault(), graceMs: 50 });
    const photo = await photoOf(20 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 18 * MB));
    expect((await integrity.check()).findings).toEqual([]);
    const { id } = (await row())!;
    const [first, second] = (await app.leftovers()).blobs;
    await app.blobs.remove(first!);
    await app.blobs.put(second!, Buffer.alloc(9));
    const stranger = `events/${event.id}/uploads/${id}.77`;
    await app.blobs.put(stranger, Buffer.alloc(9));
    expect((await integrity.check()).findings).toEqual(
      expect.arrayContaining([
        { kind: 'upload', subject: id, problem: expect.stringMatching(/^Teil \d+ fehlt$/) },
        { kind: 'upload', subject: id, problem: expect.stringMatching(/^Teil \d+ hat 9 statt \d{6,} Bytes$/) },
        { kind: 'blob', subject: stranger, problem: 'gehört zu keiner Übertragung' },
      ]),
    );
    expect(await app.janitor.sweep({ graceMs: 0 })).toBe(1);
    // The answer reports the loss, and the sender begins anew.
    expect((await append(path, 18 * MB, photo.subarray(18 * MB))).status).toBe(410);
    expect((await ask('HEAD', path)).status).toBe(404);
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('stands where it stood while the store has no room or does not answer, and goes on afterwards', async () => {
    await app.close();
    let trouble: Error | null = null;
    let troubleFor = '';
    const wrapStore = (store: TestApp['blobs']): TestApp['blobs'] => ({
      ...store,
      async adopt(key, path) {
        if (trouble && key.endsWith(troubleFor)) throw trouble;
        await store.adopt(key, path);
      },
    });
    app = await openApp({ db: await engine.open(), decoder, maxBytes: 40 * MB, wrapStore });
    event = await app.event();
    const photo = await photoOf(2 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, MB));
    for (const [error, status] of [
      [new Refusal('disk_full'), 507],
      [new Unavailable('store', null), 503],
    ] as const) {
      trouble = error;
      expect((await append(path, MB, photo.subarray(MB))).status).toBe(status);
      expect(await offsetOf(path)).toBe(MB);
    }
    trouble = null;
    expect((await append(path, MB, photo.subarray(MB, photo.length - 1))).status).toBe(204);
    trouble = new Unavailable('store', null);
    // The upload is whole, but cannot be placed as a photo: it waits, and only the last byte is asked for again.
    troubleFor = '.original';
    expect((await append(path, photo.length - 1, photo.subarray(photo.length - 1))).status).toBe(503);
    troubleFor = '';
    trouble = null;
    expect(await offsetOf(path)).toBe(photo.length - 1);
    const last = await append(path, photo.length - 1, photo.subarray(photo.length - 1));
    expect(last.status).toBe(201);
    expect(sha256(await download(JSON.parse(last.body).photo.id))).toEqual(sha256(photo));
    expect((await app.leftovers()).staged).toEqual([]);
  });
});
