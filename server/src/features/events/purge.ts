import { sql } from 'kysely';
import { recordChange } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import { TABLES, TABLE_NAMES, type TableName } from '../../database/tables.ts';
import { eventPrefix } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';
import { beginReceipt, noteDeletion } from '../receipts/receipts.ts';

/** Photos per transaction: on SQLite other requests wait for it, and statements must stay below their time limit. */
const BATCH = 500;

/** Returns the tables that are deleted with an event; a table that refers to others comes before them. */
const goesWith = (purged: 'event' | 'photos' | 'last'): TableName[] =>
  TABLE_NAMES.filter((name) => TABLES[name].purged === purged).toReversed();

interface Deps extends Pick<Context, 'db' | 'blobs' | 'clock'> {
  /** Called in the transaction that deletes the event's keys, before they go. */
  onPurging?(trx: Trx, eventId: string): Promise<void>;
  /** Called after the event's keys were deleted; none of them may stay in memory. */
  onPurged(eventId: string): void;
}

/**
 * Deletes an event's photos, keys and the rows that `TABLES` marks by `purged`. Uploads stop first. One transaction deletes keys, passwords
 * and sessions. The photos' rows and keys follow in pieces, then the secret that covers these, then the bytes. The next call continues
 * where one ended. Throws if the photo store does not answer; the bytes are unreadable nevertheless. Throws the signal's reason once that
 * is aborted. The event's row stays with `purging_at` set; the caller decides about it.
 */
export async function purgeEvent(parts: Deps, eventId: string, signal?: AbortSignal): Promise<void> {
  await purgeRows(parts, eventId, signal);
  await parts.blobs.removePrefix(eventPrefix(eventId), signal);
}

/** Does the same as `purgeEvent`, but leaves the bytes. */
export async function purgeRows(
  { db, clock, onPurging, onPurged }: Omit<Deps, 'blobs'>,
  eventId: string,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now();
  await db.kysely.updateTable('events').set({ purging_at: now }).where('id', '=', eventId).where('purging_at', 'is', null).execute();
  await db.transaction(async (trx) => {
    await beginReceipt(trx, eventId, now);
    await onPurging?.(trx, eventId);
    for (const name of goesWith('event')) await deleteRows(trx, name, TABLES[name].event, [eventId]);
    await trx.deleteFrom('uploads').where('event_id', '=', eventId).where('photo_id', 'is', null).execute();
    await trx.updateTable('events').set({ is_active: 0, device_count: 0, welcome: '' }).where('id', '=', eventId).execute();
    await recordChange(trx, eventId, 'sessions');
  });
  for (let behind: number | undefined = 0; behind !== undefined;) {
    signal?.throwIfAborted();
    const after: number = behind;
    behind = await db.transaction((trx) => deletePhotos(trx, eventId, after));
  }
  await db.transaction(async (trx) => {
    for (const name of goesWith('last')) await deleteRows(trx, name, TABLES[name].event, [eventId]);
    // Uploads that began while the event was being marked.
    await trx.deleteFrom('uploads').where('event_id', '=', eventId).where('photo_id', 'is', null).execute();
    const none = { used_bytes: 0, photo_count: 0, video_count: 0, announced_count: 0 };
    await trx.updateTable('events').set(none).where('id', '=', eventId).execute();
    await noteDeletion(trx, eventId, 'rows_gone_at', clock.now());
  });
  onPurged(eventId);
  await db.eraseDeleted();
}

/**
 * Deletes some photos behind a position with their keys, links and uploads. Returns the position of the last one; undefined if there was
 * none.
 */
async function deletePhotos(trx: Trx, eventId: string, behind: number): Promise<number | undefined> {
  const photos = await trx
    .selectFrom('photos')
    .select(['id', 'position'])
    .where('event_id', '=', eventId)
    .where('position', '>', behind)
    .orderBy('position')
    .limit(BATCH)
    .execute();
  if (photos.length === 0) return undefined;
  const ids = photos.map(({ id }) => id);
  for (const name of goesWith('photos')) await deleteRows(trx, name, TABLES[name].photo, ids);
  return photos.at(-1)?.position;
}

async function deleteRows(trx: Trx, name: TableName, column: string | null, ids: readonly string[]): Promise<void> {
  await sql`delete from ${sql.table(name)} where ${sql.ref(column as string)} in (${sql.join(ids)})`.execute(trx);
}
