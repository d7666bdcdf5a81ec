import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Engine } from '../../../database/testing.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import { covered, eventSecret, newestSecret, uncovered } from '../../photo-keys/photo-keys.ts';
import type { premisesOf } from './premises.ts';

const KEY_TABLES =
  'event_keys host_keys session_keys guest_keys photo_keys event_passwords link_keys event_secrets upload_keys gallery_keys gallery_guests gallery_photo_keys invitations wall_codes'.split(
    ' ',
  );

/** For tests: adds photos' rows to premises, and looks for their keys in the database's files. */
export function keysOnDisk(engine: Engine, at: ReturnType<typeof premisesOf>) {
  const vault = createQuickVault();
  let position = 0;

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

  return { vault, secretsOf, coveredOf, keysOf, found, keyFiles, addPhotos };
}
