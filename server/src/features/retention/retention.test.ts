import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { ADDRESSES_KEPT, HOST_SESSION, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import { deletionDay, purgeDue } from '@feierbild/contract/event-status.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import { engines } from '../../database/testing.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { createDecoder } from '../../images/create-decoder.ts';
import type { Decoder } from '../../images/decoder.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createLog } from '../../lib/log.ts';
import { eventPrefix, type BlobStore } from '../../storage/blob-store.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { createAudit } from '../accounts/audit.ts';
import { createLimits } from '../accounts/limits.ts';
import { createSessions } from '../accounts/sessions.ts';
import { createSelections } from '../archive/selections.ts';
import { createEvents } from '../events/events.ts';
import type { FoundPhoto } from '../photos/photos.ts';
import { drawPhoto, openHouse, type House } from '../testing.ts';
import { createJanitor } from '../uploads/janitor.ts';
import { createReports } from '../reports/reports.ts';
import { createRetention } from './retention.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const PARTY = { start_date: '2026-05-16', end_date: '2026-05-17' };
const DUE = purgeDue(PARTY);
/** Every table that holds something of an event, besides its own row and the audit trail. */
const HOLDINGS = [
  'photos',
  'photo_keys',
  'link_keys',
  'archives',
  'devices',
  'sessions',
  'session_keys',
  'hosts',
  'host_keys',
  'event_passwords',
  'event_keys',
] as const satisfies (keyof Database)[];

describe.each(engines())('retention on $name', (engine) => {
  const clock = { time: DUE, now: () => clock.time };
  let decoder: Decoder;
  let db: Db;
  let house: House;
  /** How long after its files' time the janitor comes, ms. */
  let later: number;
  /** Ids of events of which the photo store removes nothing. */
  let stuck: Set<string>;

  beforeAll(() => {
    decoder = createDecoder({ processes: 1, log: createLog('silent') });
  });
  afterAll(async () => {
    await decoder.close();
    await engine.dispose();
  });
  beforeEach(async () => {
    clock.time = DUE - DAY;
    stuck = new Set();
    later = 0;
    db = await engine.open();
    house = await openHouse({ db, decoder, clock, wrapStore: failing });
  });
  afterEach(() => house.close());

  function failing(store: BlobStore): BlobStore {
    return {
      ...store,
      async removePrefix(prefix) {
        if ([...stuck].some((id) => prefix === eventPrefix(id))) throw new Error('the store does not answer');
        await store.removePrefix(prefix);
      },
    };
  }

  /** One node's parts, by the moved clock. */
  function node(on: Db = db) {
    const vault = createQuickVault();
    const limits = createLimits({ db: on, clock });
    const audit = createAudit({ db: on, clock });
    const sessions = createSessions({ db: on, vault, clock });
    const accounts = createAccounts({ db: on, vault, clock, limits, audit, sessions });
    const events = createEvents({ db: on, vault, clock, blobs: house.blobs, accounts, limits, audit });
    const lines: Record<string, unknown>[] = [];
    const log = createLog('silent');
    log.info = ((facts: unknown, message?: unknown) => lines.push({ ...(facts as object), message })) as typeof log.info;
    log.error = ((facts: unknown, message?: unknown) => lines.push({ ...(facts as object), message })) as typeof log.error;
    const reports = createReports({ db: on, clock, limits });
    const selections = createSelections({ db: on, blobs: house.blobs, vault, clock });
    // Files have the real time's stamps.
    const janitor = createJanitor({ db: on, blobs: house.blobs, clock: { now: () => Date.now() + later } });
    const parts = { db: on, clock, log, events, sessions, links: house.links, selections, limits, audit, reports, janitor };
    return { ...parts, lines, retention: createRetention(parts) };
  }

  const count = async (table: keyof Database): Promise<number> =>
    (
      await db.kysely
        .selectFrom(table)
        .select((select) => select.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;
  const blobs = async (): Promise<string[]> => (await house.leftovers()).blobs;

  /** An event with everything that one can have, but photos. */
  async function event(days: { start_date: string; end_date: string } = PARTY) {
    const made = await house.event({ ...days, is_active: 1 }, { upload: 'Größe 42' });
    const owner = { event_id: made.id, created_at: 0 };
    await db.kysely
      .insertInto('hosts')
      .values({ ...owner, reset_at: null, reset_seen_at: null })
      .execute();
    await db.kysely
      .insertInto('host_keys')
      .values({ event_id: made.id, wrapped: randomBytes(100) })
      .execute();
    const archive = { status: 'complete', progress: 100, started_at: 0, finished_at: 0, etag: 'e', size: 1, photo_count: 1 };
    await db.kysely
      .insertInto('archives')
      .values({ event_id: made.id, ...archive, manifest: randomBytes(100) })
      .execute();
    return made;
  }

  it('keeps an event to the last second of its 30th day, and nothing of it thereafter', async () => {
    const { id, code } = await event();
    const { status, photo } = await house.upload(code, await drawPhoto());
    expect(status).toBe(201);
    await house.links.make({ row: { id: photo.id, event_id: id } as FoundPhoto['row'], openKey: () => randomBytes(32) });
    await expect.poll(blobs, { timeout: 20_000 }).toHaveLength(3);
    const { retention, lines } = node();
    const held = () => Promise.all(HOLDINGS.map(count));
    const before = await house.row(id);

    clock.time = DUE - 1000;
    expect(deletionDay(PARTY)).toBe('2026-06-16');
    expect(await retention.run()).toBe(true);
    expect(await held()).toEqual(HOLDINGS.map(() => 1));
    expect(await blobs()).toHaveLength(3);
    expect(await house.row(id)).toEqual(before);

    clock.time = DUE;
    expect(await retention.run()).toBe(true);
    expect(await held()).toEqual(HOLDINGS.map(() => 0));
    expect(await blobs()).toEqual([]);
    const counters = { is_active: 0, used_bytes: 0, photo_count: 0, device_count: 0 };
    expect(await house.row(id)).toEqual({ ...before, ...counters, purging_at: DUE, purged_at: DUE });
    expect(lines).toEqual([{ event: id, message: 'event purged' }]);
    const trail = await db.kysely.selectFrom('audit').selectAll().execute();
    expect(trail).toMatchObject([{ at: DUE, actor: 'system', action: 'event.purged', event_id: id, event_code: code, address: null }]);
  });

  it('changes nothing when it runs again', async () => {
    const { id } = await event();
    const { retention, lines } = node();
    clock.time = DUE;
    await retention.run();
    const row = await house.row(id);
    clock.time = DUE + HOUR;
    expect(await retention.run()).toBe(true);
    expect(await house.row(id)).toEqual(row);
    expect(await count('audit')).toBe(1);
    expect(lines).toHaveLength(1);
    expect(await count('leases')).toBe(0);
  });

  it('purges the others where one fails, destroys its keys all the same, and tries it again', async () => {
    const [first, bad, last] = [await event(), await event(), await event()];
    for (const { id } of [first, bad, last]) await house.blobs.put(`${eventPrefix(id)}${uuidv7(0)}.original`, randomBytes(9));
    stuck.add(bad.id);
    const { retention, lines } = node();
    clock.time = DUE;
    expect(await retention.run()).toBe(true);
    expect((await house.row(first.id)).purged_at).toBe(DUE);
    expect((await house.row(last.id)).purged_at).toBe(DUE);
    expect(await house.row(bad.id)).toMatchObject({ purging_at: DUE, purged_at: null });
    expect(await Promise.all(HOLDINGS.map(count))).toEqual(HOLDINGS.map(() => 0));
    expect(await blobs()).toEqual([expect.stringContaining(bad.id)]);
    expect(lines).toContainEqual(expect.objectContaining({ event: bad.id, message: 'retention failed' }));

    stuck.clear();
    clock.time = DUE + HOUR;
    await retention.run();
    expect(await house.row(bad.id)).toMatchObject({ purging_at: DUE, purged_at: DUE + HOUR });
    expect(await blobs()).toEqual([]);
  });

  it('finishes what a crash has begun before it begins anything else', async () => {
    const due = await event();
    const begun = await event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await db.kysely
      .updateTable('events')
      .set({ purging_at: DUE - HOUR })
      .where('id', '=', begun.id)
      .execute();
    const { retention, lines } = node();
    clock.time = DUE;
    await retention.run();
    expect(lines.map((line) => line.event)).toEqual([begun.id, due.id]);
  });

  it('goes on with the other steps where one fails', async () => {
    const made = await event();
    const parts = node();
    parts.sessions.endExpired = () => Promise.reject(new Error('broken'));
    clock.time = DUE + RECORDS_KEPT;
    await db.kysely.updateTable('events').set({ purging_at: DUE, purged_at: DUE }).where('id', '=', made.id).execute();
    expect(await createRetention(parts).run()).toBe(true);
    expect(parts.lines).toEqual([expect.objectContaining({ step: 'sessions', message: 'retention failed' })]);
    expect(await count('events')).toBe(0);
  });

  it('runs on one of two nodes', async () => {
    await event();
    clock.time = DUE;
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const one = node();
    const purge = one.events.purge;
    one.events.purge = async (id) => {
      reached.resolve();
      await goOn.promise;
      return purge(id);
    };
    const other = node(await engine.again(db));
    const running = one.retention.run();
    await reached.promise;
    expect(await other.retention.run()).toBe(false);
    goOn.resolve();
    expect(await running).toBe(true);
    expect(other.lines).toEqual([]);
    expect(await count('audit')).toBe(1);
    expect(await other.retention.run()).toBe(true);
  });

  it('runs at the start and again and again, and ends within a run when it is closed', async () => {
    const parts = node();
    let runs = 0;
    let waiting = Promise.withResolvers<void>();
    let goOn = Promise.withResolvers<void>();
    parts.sessions.endExpired = async () => {
      runs++;
      waiting.resolve();
      await goOn.promise;
    };
    const later: string[] = [];
    parts.audit.forget = async () => void later.push('audit');
    const retention = createRetention({ ...parts, interval: 1 });
    retention.start();
    await waiting.promise;
    waiting = Promise.withResolvers();
    const first = goOn;
    goOn = Promise.withResolvers();
    first.resolve();
    await waiting.promise;
    expect(later).toEqual(['audit']);
    const closing = retention.close();
    goOn.resolve();
    await closing;
    expect([runs, later, await count('leases')]).toEqual([2, ['audit'], 0]);
  });

  it('ends expired sessions with their keys, and no others', async () => {
    const { id } = await house.event(PARTY);
    await db.kysely.deleteFrom('sessions').execute();
    const { sessions, retention } = node();
    clock.time = DUE - 2 * HOST_SESSION;
    await sessions.start('user', id, createQuickVault().createKeyPair());
    clock.time += 1;
    await sessions.start('user', id, createQuickVault().createKeyPair());
    clock.time += HOST_SESSION - 1;
    await retention.run();
    expect([await count('sessions'), await count('session_keys')]).toEqual([1, 1]);
    clock.time += 1;
    await retention.run();
    expect([await count('sessions'), await count('session_keys')]).toEqual([0, 0]);
  });

  it('anonymises addresses in the audit trail after 7 days, and removes its entries and purged events after 12 months', async () => {
    const { id } = await event();
    const { audit, retention } = node();
    clock.time = DUE;
    await retention.run();
    for (const address of ['192.0.2.77', '2001:db8:7:8:9:a:b:c', '192.0.2.0']) {
      await audit.record({ actor: 'host', action: 'host.login', eventId: id, address });
    }
    const addresses = async () =>
      (await db.kysely.selectFrom('audit').select('address').where('address', 'is not', null).orderBy('id').execute())
        .map(({ address }) => address)
        .sort();
    clock.time = DUE + 1;
    await audit.record({ actor: 'host', action: 'host.login', eventId: id, address: '192.0.2.78' });

    clock.time = DUE + ADDRESSES_KEPT - 1;
    await retention.run();
    expect(await addresses()).toEqual(['192.0.2.0', '192.0.2.77', '192.0.2.78', '2001:db8:7:8:9:a:b:c']);
    clock.time = DUE + ADDRESSES_KEPT;
    await retention.run();
    expect(await addresses()).toEqual(['192.0.2.0', '192.0.2.0', '192.0.2.78', '2001:db8:7::']);

    clock.time = DUE + RECORDS_KEPT - 1;
    await retention.run();
    expect([await count('events'), await count('audit')]).toEqual([1, 5]);
    clock.time = DUE + RECORDS_KEPT;
    await retention.run();
    expect([await count('events'), await count('audit')]).toEqual([0, 1]);
  });

  it('removes the failures of past windows', async () => {
    const { limits, retention } = node();
    await limits.fail('login', 'somebody');
    await retention.run();
    expect(await count('failures')).toBe(1);
    clock.time += HOUR;
    await retention.run();
    expect(await count('failures')).toBe(0);
  });

  it('leaves no byte of a purged event’s keys in the database’s files', { timeout: 120_000 }, async () => {
    const kept = await event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    const gone = [await event(), await event()];
    // Photos come in turns, so that pages hold keys of events that go and of one that stays.
    for (let n = 0; n < 100; n++) await addPhotos([kept, ...gone, kept, ...gone].map(({ id }) => id));
    const goneKeys = await keysOf(gone.map(({ id }) => id));
    const keptKeys = await keysOf([kept.id]);
    expect(goneKeys).toHaveLength(2 * (3 + 3 * 200));
    expect(await found(goneKeys)).toBe(goneKeys.length);
    clock.time = DUE;
    await node().retention.run();
    expect(await found(goneKeys)).toBe(0);
    expect(await found(keptKeys)).toBe(keptKeys.length);
  });

  it('sweeps at night, or when asked to, what crashes left in the photo store, and nothing that may be on its way', async () => {
    const { id } = await event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    const key = `${eventPrefix(id)}${uuidv7(0)}.original`;
    await house.blobs.put(key, randomBytes(9));
    const night = DUE - DAY + 4 * HOUR;
    clock.time = night;
    await node().retention.run();
    expect(await blobs()).toEqual([key]);
    later = HOUR + 1000;
    clock.time = night + 8 * HOUR;
    await node().retention.run();
    expect(await blobs()).toEqual([key]);
    clock.time = night + DAY;
    const { retention, lines } = node();
    await retention.run();
    expect([await blobs(), lines]).toEqual([[], [{ removed: 1, message: 'orphans removed' }]]);
    await house.blobs.put(key, randomBytes(9));
    clock.time += 8 * HOUR;
    await retention.run(undefined, { thorough: true });
    expect(await blobs()).toEqual([]);
  });

  /** Every key of some events. */
  async function keysOf(ids: string[]): Promise<Buffer[]> {
    const eventKeys = await db.kysely.selectFrom('event_keys').selectAll().where('event_id', 'in', ids).execute();
    const hostKeys = await db.kysely.selectFrom('host_keys').selectAll().where('event_id', 'in', ids).execute();
    const photoKeys = await db.kysely.selectFrom('photo_keys').selectAll().where('event_id', 'in', ids).execute();
    const sessionKeys = await db.kysely
      .selectFrom('session_keys')
      .innerJoin('sessions', 'sessions.id', 'session_keys.session_id')
      .select('wrapped')
      .where('event_id', 'in', ids)
      .execute();
    return [
      ...eventKeys.map((row) => row.public_key),
      ...[...hostKeys, ...sessionKeys].map((row) => row.wrapped),
      ...photoKeys.flatMap((row) => [row.sealed_for_event, row.wrapped_for_device, row.facts]),
    ].map((key) => Buffer.from(key));
  }

  /** How many of the keys have any of their 16-byte pieces in the files. */
  async function found(keys: Buffer[]): Promise<number> {
    const bytes = await keyFiles();
    return keys.filter((key) => {
      for (let at = 0; at + 16 <= key.length; at += 16) if (bytes.includes(key.subarray(at, at + 16))) return true;
      return false;
    }).length;
  }

  const NOON = DUE - DAY + 12 * HOUR;

  it('leaves no byte of keys that went otherwise, at whatever hour: an event deleted, a purge killed, a host’s old password', async () => {
    const [deleted, killed, reset, kept] = [await house.event(), await event(), await event(), await event()];
    await addPhotos([deleted, kept, killed, kept].map(({ id }) => id));
    const goneKeys = await keysOf([deleted.id, killed.id]);
    const keptKeys = await keysOf([kept.id]);
    const [old] = await db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', reset.id).execute();
    goneKeys.push(Buffer.from(old!.wrapped));
    clock.time = NOON;
    const { events, retention, lines } = node();
    await events.remove({ username: 'admin' } as AdminVisitor, deleted.id, '192.0.2.1');
    // The process ended before it came to the files.
    await events.purge(killed.id);
    await db.kysely
      .updateTable('host_keys')
      .set({ wrapped: randomBytes(100) })
      .where('event_id', '=', reset.id)
      .execute();
    await retention.run();
    expect(lines).toEqual([]);
    expect(await found(goneKeys)).toBe(0);
    expect(await found(keptKeys)).toBe(keptKeys.length);
  });

  it('leaves no byte of single photos’ keys after the night, and rewrites no large table by day for them', async () => {
    const { id } = await event();
    await addPhotos([id, id]);
    await node().retention.run(undefined, { thorough: true });
    const [photo] = await db.kysely.selectFrom('photo_keys').selectAll().execute();
    await db.kysely.deleteFrom('photos').where('id', '=', photo!.photo_id).execute();
    const fileOf = async (): Promise<unknown> =>
      engine.name === 'sqlite' ? null : (await sql`select pg_relation_filenode('photo_keys') as file`.execute(db.kysely)).rows;
    const before = await fileOf();
    clock.time = NOON;
    await node().retention.run();
    expect(await fileOf()).toEqual(before);
    clock.time = NOON + 16 * HOUR;
    await node().retention.run();
    expect(await found([Buffer.from(photo!.sealed_for_event)])).toBe(0);
    expect(await count('due_rewrites')).toBe(0);
  });

  describe.runIf(engine.name === 'postgres')('with a reader in the way', () => {
    async function purgedKeys() {
      const { id } = await event();
      await addPhotos([id]);
      const keys = await keysOf([id]);
      clock.time = NOON;
      return { keys, purge: async () => void (await node().events.purge(id)) };
    }

    it('holds nobody up for long behind a table that is in use, and does it later', async () => {
      const { keys, purge } = await purgedKeys();
      const dump = await engine.again(db);
      const { retention, lines } = node();
      await dump.transaction(async (trx) => {
        await sql`lock table photo_keys in access share mode`.execute(trx);
        await purge();
        const running = retention.run();
        const waits = async () => (await sql`select 1 from pg_locks where not granted`.execute(db.kysely)).rows.length;
        await expect.poll(waits, { timeout: 30_000, interval: 20 }).toBe(1);
        // It stands behind the rewrite, and comes through while the table is in use still.
        await db.kysely.selectFrom('photo_keys').select('photo_id').execute();
        await running;
      });
      expect(lines).toEqual([expect.objectContaining({ step: 'wipe', message: 'retention failed' })]);
      expect(await found(keys)).toBeGreaterThan(0);
      await retention.run();
      expect(await found(keys)).toBe(0);
    });

    it('does it again where somebody had an older view of the database, who keeps the deleted rows alive', async () => {
      const { keys, purge } = await purgedKeys();
      const { retention, lines } = node();
      await db.snapshot(async (trx) => {
        await trx.selectFrom('leases').selectAll().execute();
        await purge();
        await retention.run();
      });
      expect(lines).toEqual([expect.objectContaining({ step: 'wipe', message: 'retention failed' })]);
      expect(await found(keys)).toBeGreaterThan(0);
      await retention.run();
      expect(await found(keys)).toBe(0);
    });

    it('is not asked by the demo, which goes every two hours', async () => {
      const { id } = await house.event({ demo: 1 } as object);
      await node().retention.run(undefined, { thorough: true });
      await house.events.removeDemo(id);
      expect(await db.kysely.selectFrom('due_rewrites').select('urgent').where('urgent', '=', 1).execute()).toEqual([]);
      expect(await count('due_rewrites')).toBeGreaterThan(0);
    });
  });

  /** The bytes on the disk of all that holds keys: SQLite's files; of PostgreSQL the tables', written out. */
  async function keyFiles(): Promise<Buffer> {
    const read = (paths: string[]): Buffer => Buffer.concat(paths.filter((path) => existsSync(path)).map((path) => readFileSync(path)));
    if (engine.name === 'sqlite') {
      const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db.kysely);
      const file = rows[0]?.file as string;
      return read([file, `${file}-wal`, `${file}-journal`]);
    }
    await sql`checkpoint`.execute(db.kysely);
    const { rows } = await sql<{ path: string }>`
      select current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path from pg_class
      where relname in ('event_keys', 'host_keys', 'session_keys', 'photo_keys', 'event_passwords', 'link_keys')`.execute(db.kysely);
    expect(rows).toHaveLength(6);
    return read(rows.map(({ path }) => path));
  }

  /** Rows of photos, in one transaction. */
  async function addPhotos(eventIds: string[]): Promise<void> {
    await db.transaction(async (trx) => {
      for (const event_id of eventIds) {
        const id = uuidv7(Date.now());
        const text = { device_name: 'Anna', filename: 'IMG.jpg', type: 'image/jpeg', thumbnail_type: 'image/webp' };
        const sizes = { size: 1, width: 1, height: 1, thumbnail_size: 1, preview_type: null, preview_size: null };
        const rest = { created_at: 0, taken_at: null, slideshow: 1, device_hash: randomBytes(32), fingerprint: randomBytes(32) };
        await trx
          .insertInto('photos')
          .values({ id, event_id, ...text, ...sizes, ...rest })
          .execute();
        const keys = { sealed_for_event: randomBytes(80), wrapped_for_device: randomBytes(64), facts: randomBytes(64) };
        await trx
          .insertInto('photo_keys')
          .values({ photo_id: id, event_id, ...keys })
          .execute();
      }
    });
  }
});
