import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { DAY, HOUR, MINUTE, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { TABLES, TABLE_NAMES } from '../../database/tables.ts';
import { fillTables, type Mark } from '../../database/testing/fill.ts';
import { engines } from '../../database/testing.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { createRenewal } from '../photo-keys/renewal.ts';
import { covered, eventSecret, gallerySecret, newestSecret, uncovered } from '../photo-keys/photo-keys.ts';
import { createRetention } from './retention.ts';
import { DUE, premisesOf } from './testing/premises.ts';

const vault = createQuickVault();
const KEY_TABLES =
  'event_keys host_keys session_keys guest_keys photo_keys event_passwords link_keys event_secrets upload_keys gallery_keys gallery_guests gallery_photo_keys invitations wall_codes'.split(
    ' ',
  );
const NOON = DUE - DAY + 12 * HOUR;

describe.each(engines())('destroyed keys on $name', (engine) => {
  const at = premisesOf(engine);

  it('leaves no byte of a purged event’s keys in the database’s files', async () => {
    const kept = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    const gone = [await at.event(), await at.event()];
    // Photos of the events alternate, so that the database's pages mix deleted and kept keys.
    const turn = [kept, ...gone, kept, ...gone].map(({ id }) => id);
    await addPhotos(Array.from({ length: 100 }, () => turn).flat());
    const goneKeys = await keysOf(gone.map(({ id }) => id));
    const keptKeys = await keysOf([kept.id]);
    const covers = await coveredOf(gone.map(({ id }) => id));
    expect([goneKeys.length, covers.length]).toEqual([2 * (4 + 200), 2 * 2 * 200]);
    expect(await found(goneKeys)).toBe(goneKeys.length);
    at.clock.time = DUE;
    await at.node().retention.run();
    expect(await found(goneKeys)).toBe(0);
    expect(await found(keptKeys)).toBe(keptKeys.length);
    // Keys under the destroyed secret never lay there without their cover.
    expect(await found(covers)).toBe(0);
  });

  it('leaves no mark of any column in the database’s files, once its row is gone, but where the list says that it may', async () => {
    const { marks, relations } = await fillTables(at.db);
    // Delivered messages are emptied.
    await at.db.kysely.updateTable('outbox').set({ payload: null, answer: null }).execute();
    await at.db.kysely.deleteFrom('receipts').execute();
    // A mail about the deletion would keep its host's address until it is delivered.
    await at.db.kysely.deleteFrom('mail_server').execute();
    at.clock.time = DUE;
    const { retention, lines } = at.node();
    await retention.run(undefined, { thorough: true });
    expect(lines.map(({ message, step }) => [message, step])).toEqual([['event purged', undefined]]);
    expect(await at.app.row(relations.event_id as string)).toMatchObject({ purged_at: DUE });
    const ofEvent = (mark: Mark): boolean => TABLES[mark.table].purged !== null || mark.table === 'outbox' || mark.column === 'welcome';
    const soon = marks.filter((mark) => ofEvent(mark) && isErased(mark));
    expect(soon.length).toBeGreaterThan(15);
    expect(await leftOf(soon)).toEqual([]);
    // The other rows expire later, or an operator deletes them.
    at.clock.time = DUE + RECORDS_KEPT;
    for (const table of TABLE_NAMES.toReversed()) {
      if (!['settings', 'leases', 'due_rewrites'].includes(table)) await sql`delete from ${sql.table(table)}`.execute(at.db.kysely);
    }
    await retention.run(undefined, { thorough: true });
    const later = marks.filter((mark) => isErased(mark));
    // A receipt with the code had rows of its own, which contain nothing else.
    expect((await leftOf(later)).filter((name) => name !== 'events.code')).toEqual([]);

    /** SQLite overwrites all deleted rows. */
    function isErased({ table }: Mark): boolean {
      return !['settings', 'leases'].includes(table) && (engine.name === 'sqlite' || TABLES[table].left === 'rewritten');
    }
    async function leftOf(some: Mark[]): Promise<string[]> {
      const files = await keyFiles(TABLE_NAMES);
      return some.flatMap(({ table, column, bytes }) => (files.includes(bytes.subarray(-16)) ? `${table}.${column}` : []));
    }
  });

  it('leaves no byte of keys that went otherwise, at any hour: an event deleted, a purge killed, a host’s old password', async () => {
    const [deleted, killed, reset, kept] = [await at.app.event(), await at.event(), await at.event(), await at.event()];
    await addPhotos([deleted, kept, killed, kept].map(({ id }) => id));
    const goneKeys = await keysOf([deleted.id, killed.id]);
    const keptKeys = await keysOf([kept.id]);
    const [old] = await at.db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', reset.id).execute();
    goneKeys.push(Buffer.from(old!.wrapped));
    at.clock.time = NOON;
    const { events, retention, lines } = at.node();
    await events.remove({ username: 'admin' } as AdminVisitor, deleted.id, '192.0.2.1');
    // The process ended before it had removed the files.
    await events.purgeRows(killed.id);
    await events.purgeBytes(killed.id);
    await at.db.kysely
      .updateTable('host_keys')
      .set({ wrapped: randomBytes(100) })
      .where('event_id', '=', reset.id)
      .execute();
    await retention.run();
    expect(lines).toEqual([]);
    expect(await found(goneKeys)).toBe(0);
    expect(await found(keptKeys)).toBe(keptKeys.length);
  });

  it.runIf(engine.name === 'sqlite')(
    'leaves none right after an event is purged or deleted, and soon none of a deleted photo',
    async () => {
      const [purged, deleted, kept] = [await at.event(), await at.app.event(), await at.event()];
      await addPhotos([purged.id, kept.id, deleted.id, kept.id]);
      const parts = at.node();
      const purgedKeys = await keysOf([purged.id]);
      const deletedKeys = await keysOf([deleted.id]);
      await parts.events.purgeRows(purged.id);
      await parts.events.purgeBytes(purged.id);
      expect(await found(purgedKeys)).toBe(0);
      await parts.events.remove({ username: 'admin' } as AdminVisitor, deleted.id, '192.0.2.1');
      expect(await found(deletedKeys)).toBe(0);

      const retention = createRetention({ ...parts, eraseMs: 20 });
      retention.start();
      await expect.poll(retention.lastSuccess).not.toBeNull();
      const [photo] = await at.db.kysely.selectFrom('photo_keys').selectAll().execute();
      await at.db.kysely.deleteFrom('photos').where('id', '=', photo!.photo_id).execute();
      await expect.poll(() => found([Buffer.from(photo!.sealed_for_event)])).toBe(0);
      const typed = await typedCode(kept);
      at.clock.time += 16 * MINUTE;
      await expect.poll(() => found([typed])).toBe(0);
      parts.end();
      await retention.ended();
    },
  );

  /** Makes a code for a television; returns the event's key as the code wraps it. */
  async function typedCode({ id, code, cookie }: Awaited<ReturnType<typeof at.event>>): Promise<Buffer> {
    expect((await at.app.call('POST', `/api/events/${code}/wall/code`, { cookie })).status).toBe(200);
    const row = at.db.kysely.selectFrom('wall_codes').select('wrapped').where('event_id', '=', id);
    return Buffer.from((await row.executeTakeFirstOrThrow()).wrapped);
  }

  it.each([
    ['whose quarter of an hour is over', 16 * MINUTE],
    ['that a clock made which was ahead', -DAY],
  ])('leaves no byte of a television’s code %s', async (_, later) => {
    const wrapped = await typedCode(await at.event());
    expect(await found([wrapped])).toBe(1);
    at.clock.time += later;
    await at.node().retention.run();
    expect(await at.count('wall_codes')).toBe(0);
    expect(await found([wrapped])).toBe(0);
  });

  it('leaves no byte of the keys of uploads that ended or expired after the night', async () => {
    const { id } = await at.event();
    await addPhotos([id, id]);
    const [upload] = await at.db.kysely.selectFrom('upload_keys').selectAll().execute();
    await at.db.kysely.updateTable('uploads').set({ expires_at: 1 }).where('id', '=', upload!.upload_id).execute();
    await at.node().retention.run(undefined, { thorough: true });
    expect(await at.count('upload_keys')).toBe(1);
    expect(await found([Buffer.from(upload!.wrapped)])).toBe(0);
  });

  it('destroys single photos’ keys in the night, and rewrites no large table for them', async () => {
    const { id } = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await addPhotos([id, id]);
    const old = await secretsOf([id]);
    const covers = await coveredOf([id]);
    await at.node().retention.run(undefined, { thorough: true });
    const [photo] = await at.db.kysely.selectFrom('photo_keys').selectAll().execute();
    await at.db.kysely.deleteFrom('photos').where('id', '=', photo!.photo_id).execute();
    const fileOf = async (): Promise<unknown> =>
      engine.name === 'sqlite' ? null : (await sql`select pg_relation_filenode('photo_keys') as file`.execute(at.db.kysely)).rows;
    const before = await fileOf();
    at.clock.time = NOON;
    await at.node().retention.run();
    expect(await fileOf()).toEqual(before);
    at.clock.time = NOON + 16 * HOUR;
    await at.node().retention.run();
    expect(await fileOf()).toEqual(before);
    if (engine.name === 'sqlite') expect(await found([Buffer.from(photo!.sealed_for_event)])).toBe(0);
    // The old secret alone opened the photo's keys; the other photo's keys open with a new one now.
    else expect(await found(old)).toBe(0);
    const left = await coveredOf([id]);
    expect(left).toHaveLength(2);
    for (const key of left) expect(covers).toContainEqual(key);
    expect(await at.count('due_rewrites')).toBe(0);
  });

  it('destroys in the night what guests of a gallery had of a photo that was taken out, and leaves them the others', async () => {
    const { id: eventId } = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await addPhotos([eventId, eventId]);
    const gallery = vault.createKeyPair();
    const [old] = await secretsOf([eventId]);
    const photos = await at.db.kysely.selectFrom('photo_keys').select('photo_id').execute();
    const sealed = new Map(
      photos.map(({ photo_id: photoId }) => [
        photoId,
        vault.sealForGallery(gallery.publicKey, vault.createPhotoKey(), { eventId, photoId }),
      ]),
    );
    for (const [photoId, key] of sealed) {
      const sealed_for_gallery = vault.coverKey(old!, key, { eventId, photoId, holder: 'gallery' });
      await at.db.kysely
        .insertInto('gallery_photo_keys')
        .values({ photo_id: photoId, event_id: eventId, secret_id: 1, sealed_for_gallery })
        .execute();
    }
    const taken = await at.db.kysely
      .deleteFrom('gallery_photo_keys')
      .where('photo_id', '=', photos[0]!.photo_id)
      .returning('sealed_for_gallery')
      .executeTakeFirstOrThrow();
    at.clock.time = NOON + 16 * HOUR;
    await at.node().retention.run(undefined, { thorough: true });
    if (engine.name === 'sqlite') expect(await found([Buffer.from(taken.sealed_for_gallery)])).toBe(0);
    else expect(await found([old!])).toBe(0);
    const [left] = await at.db.kysely.selectFrom('gallery_photo_keys').selectAll().select(gallerySecret).execute();
    const photo = { eventId, photoId: left!.photo_id };
    const uncoveredKey = vault.uncoverKey(left!.gallery_secret!, left!.sealed_for_gallery, { ...photo, holder: 'gallery' });
    expect(Buffer.from(uncoveredKey).equals(Buffer.from(sealed.get(photo.photoId)!))).toBe(true);
    // A replaced link is deleted from its table at once.
    await at.db.kysely
      .insertInto('invitations')
      .values({ event_id: eventId, role: 'gallery', wrapped: randomBytes(110), sealed_token: randomBytes(71) })
      .execute();
    const link = await at.db.kysely.deleteFrom('invitations').returning('wrapped').executeTakeFirstOrThrow();
    at.clock.time = NOON + 24 * HOUR;
    await at.node().retention.run();
    expect(await found([Buffer.from(link.wrapped)])).toBe(0);
  });

  it.runIf(engine.name === 'postgres')('goes on with a renewal that was broken off, under the same secret', async () => {
    const { id } = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await addPhotos(Array.from({ length: 402 }, () => id));
    const [first] = await secretsOf([id]);
    const [photo] = await at.db.kysely.selectFrom('photo_keys').select('photo_id').execute();
    await at.db.kysely.deleteFrom('photos').where('id', '=', photo!.photo_id).execute();
    const lost = new AbortController();
    const breaking: typeof at.db = {
      ...at.db,
      async transaction(work) {
        const result = await at.db.transaction(work);
        lost.abort(new Error('lost'));
        return result;
      },
    };
    await expect(createRenewal({ db: breaking, vault }).run({ night: true, signal: lost.signal })).rejects.toThrow('lost');
    const begun = (await secretsOf([id])).filter((secret) => !secret.equals(first!));
    expect(begun).toHaveLength(1);
    const left = async () => (await at.db.kysely.selectFrom('photo_keys').select('photo_id').where('secret_id', '=', 1).execute()).length;
    expect(await left()).toBe(201);
    await createRenewal({ db: at.db, vault }).run({ night: true });
    expect([await left(), await secretsOf([id])]).toEqual([0, begun]);
    expect(await coveredOf([id])).toHaveLength(802);
  });

  describe.runIf(engine.name === 'postgres')('with a reader in the way', () => {
    async function purgedKeys() {
      const { id } = await at.event();
      await addPhotos([id]);
      const keys = await keysOf([id]);
      at.clock.time = NOON;
      const purge = async (): Promise<void> => {
        const { events } = at.node();
        await events.purgeRows(id);
        await events.purgeBytes(id);
      };
      return { keys, purge };
    }

    it('holds nobody up for long behind a table that is in use, and does it later', async () => {
      const { keys, purge } = await purgedKeys();
      const dump = await engine.again(at.db);
      const { retention, lines } = at.node();
      await dump.transaction(async (trx) => {
        await sql`lock table event_secrets in access share mode`.execute(trx);
        await purge();
        const running = retention.run();
        const waits = async () => (await sql`select 1 from pg_locks where not granted`.execute(at.db.kysely)).rows.length;
        await expect.poll(waits, { interval: 20 }).toBe(1);
        // The query waits behind the rewrite, and comes through although the table is still in use.
        await at.db.kysely.selectFrom('event_secrets').select('id').execute();
        await running;
      });
      expect(lines).toEqual([expect.objectContaining({ step: 'wipe', message: 'retention failed' })]);
      expect(await found(keys)).toBeGreaterThan(0);
      await retention.run();
      expect(await found(keys)).toBe(0);
    });

    it('does it again where somebody had an older view of the database, who keeps the deleted rows alive', async () => {
      const { keys, purge } = await purgedKeys();
      const { retention, lines } = at.node();
      await at.db.snapshot(async (trx) => {
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
      const { id } = await at.app.event({ demo: 1 } as object);
      await at.node().retention.run(undefined, { thorough: true });
      await at.app.events.removeDemo(id);
      expect(await at.db.kysely.selectFrom('due_rewrites').select('urgent').where('urgent', '=', 1).execute()).toEqual([]);
      expect(await at.count('due_rewrites')).toBeGreaterThan(0);
    });
  });

  async function secretsOf(ids: string[]): Promise<Buffer[]> {
    const rows = await at.db.kysely.selectFrom('event_secrets').select('secret').where('event_id', 'in', ids).execute();
    return rows.map((row) => Buffer.from(row.secret));
  }

  /** Reads the wrapped keys of some events' photos, without the cover under which they are stored. */
  async function coveredOf(ids: string[]): Promise<Buffer[]> {
    const rows = await at.db.kysely.selectFrom('photo_keys').selectAll().select(eventSecret).where('event_id', 'in', ids).execute();
    return rows.flatMap((row) => {
      const keys = uncovered(vault, row, { eventId: row.event_id, photoId: row.photo_id });
      return [keys.sealed_for_event, keys.wrapped_for_device].map((key) => Buffer.from(key));
    });
  }

  /** Reads every uncovered key of some events, and the secrets that cover the others. */
  async function keysOf(ids: string[]): Promise<Buffer[]> {
    const eventKeys = await at.db.kysely.selectFrom('event_keys').selectAll().where('event_id', 'in', ids).execute();
    const hostKeys = await at.db.kysely.selectFrom('host_keys').selectAll().where('event_id', 'in', ids).execute();
    const uploadKeys = await at.db.kysely.selectFrom('upload_keys').selectAll().where('event_id', 'in', ids).execute();
    const sessionKeys = await at.db.kysely
      .selectFrom('session_keys')
      .innerJoin('sessions', 'sessions.id', 'session_keys.session_id')
      .select('wrapped')
      .where('event_id', 'in', ids)
      .execute();
    return [
      ...eventKeys.map((row) => row.public_key),
      ...[...hostKeys, ...sessionKeys, ...uploadKeys].map((row) => row.wrapped),
      ...(await secretsOf(ids)),
    ].map((key) => Buffer.from(key));
  }

  /** Counts the keys of which any 16-byte piece is in the files. */
  async function found(keys: Buffer[]): Promise<number> {
    const bytes = await keyFiles();
    const piecesOf = (key: Buffer) =>
      Array.from({ length: key.length >> 4 }, (_, n) => ({ key, piece: key.subarray(16 * n, 16 * n + 16) }));
    const byStart = Map.groupBy(keys.flatMap(piecesOf), ({ piece }) => piece.readUInt32LE());
    const seen = new Set<Buffer>();
    // A single pass over the files finds all keys: a pass for each of hundreds would take too long.
    for (let at = 0; at + 16 <= bytes.length; at++)
      for (const { key, piece } of byStart.get(bytes.readUInt32LE(at)) ?? [])
        if (bytes.compare(piece, 0, 16, at, at + 16) === 0) seen.add(key);
    return seen.size;
  }

  /** Reads all that holds keys on the disk: SQLite's files, or PostgreSQL's tables, written out. */
  async function keyFiles(tables: readonly string[] = KEY_TABLES): Promise<Buffer> {
    const read = (paths: string[]): Buffer => Buffer.concat(paths.filter((path) => existsSync(path)).map((path) => readFileSync(path)));
    if (engine.name === 'sqlite') {
      const { rows } = await sql<{ file: string }>`pragma database_list`.execute(at.db.kysely);
      const file = rows[0]?.file as string;
      return read([file, `${file}-wal`, `${file}-journal`]);
    }
    await sql`checkpoint`.execute(at.db.kysely);
    const { rows } = await sql<{ path: string }>`
      with found as (select oid, reltoastrelid from pg_class where relkind = 'r' and relname = any(${tables}::text[])),
        parts as (
          select oid from found
          union select reltoastrelid from found where reltoastrelid <> 0
          union select indexrelid from pg_index where indrelid in (select oid from found union select reltoastrelid from found)
        )
      select current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path from parts`.execute(at.db.kysely);
    expect(rows.length).toBeGreaterThan(tables.length);
    return read(rows.map(({ path }) => path));
  }

  let position = 0;

  /** Adds rows of photos in one transaction. */
  async function addPhotos(eventIds: string[]): Promise<void> {
    await at.db.transaction(async (trx) => {
      const secrets = new Map<string, NonNullable<Awaited<ReturnType<typeof newestSecret>>>>();
      for (const id of new Set(eventIds)) secrets.set(id, (await newestSecret(trx, id))!);
      const owned = eventIds.map((event_id) => {
        return { event_id, photo_id: uuidv7(Date.now()), upload_id: uuidv7(Date.now()), device_hash: randomBytes(32) };
      });
      const text = { type: 'image/jpeg', thumbnail_type: 'image/webp' };
      const sizes = { size: 1, width: 1, height: 1, thumbnail_size: 1, preview_type: null, preview_size: null };
      const photos = owned.map(({ event_id, photo_id, device_hash }) => {
        const own = { description: randomBytes(93), fingerprint: randomBytes(32), position: ++position };
        return { id: photo_id, event_id, device_hash, ...text, ...sizes, ...own, created_at: 0, slideshow: 1 };
      });
      const guestKeys = owned.map(({ event_id, device_hash }) => ({ event_id, device_hash, sealed_for_event: randomBytes(81) }));
      const uploads = owned.map(({ event_id, upload_id, device_hash }) => {
        const own = { id: upload_id, key_hash: randomBytes(32), description: randomBytes(60), photo_id: null };
        const rest = { length: 1, received: 0, version: 0, fotobox: 0, expires_at: Number.MAX_SAFE_INTEGER };
        return { ...own, event_id, device_hash, network: device_hash, ...rest };
      });
      const uploadKeys = owned.map(({ event_id, upload_id }) => ({ upload_id, event_id, wrapped: randomBytes(110) }));
      const photoKeys = owned.map(({ event_id: eventId, photo_id: photoId }) => {
        const { id, secret } = secrets.get(eventId)!;
        const wrapped = { sealed_for_event: randomBytes(80), wrapped_for_device: randomBytes(64) };
        const keys = covered(vault, secret, wrapped, { eventId, photoId });
        return { photo_id: photoId, event_id: eventId, secret_id: id, ...keys, facts: randomBytes(64) };
      });
      // Single inserts would be thousands of statements.
      await trx.insertInto('photos').values(photos).execute();
      await trx.insertInto('guest_keys').values(guestKeys).execute();
      await trx.insertInto('uploads').values(uploads).execute();
      await trx.insertInto('upload_keys').values(uploadKeys).execute();
      await trx.insertInto('photo_keys').values(photoKeys).execute();
    });
  }
});
