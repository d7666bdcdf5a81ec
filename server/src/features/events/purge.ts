import { recordChange } from '../../database/changes.ts';
import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { eventPrefix, type BlobStore } from '../../storage/blob-store.ts';

interface Parts {
  db: Db;
  blobs: BlobStore;
  clock: Clock;
  /** Called once the event's keys are gone: none of them shall stay in memory. */
  onPurged(eventId: string): void;
}

/**
 * Deletes everything of an event. First it stops accepting uploads, then rows, keys and sessions are deleted in one transaction,
 * then the bytes. Idempotent. Throws if the photo store does not answer: the keys are deleted nevertheless, so the bytes are
 * unreadable, and the next call removes them. The event's row stays with `purging_at` set; the caller decides about it.
 */
export async function purgeEvent({ db, blobs, clock, onPurged }: Parts, eventId: string): Promise<void> {
  const now = clock.now();
  await db.kysely.updateTable('events').set({ purging_at: now }).where('id', '=', eventId).where('purging_at', 'is', null).execute();
  await db.transaction(async (trx) => {
    const photos = trx.selectFrom('photos').select('id').where('event_id', '=', eventId);
    await trx.deleteFrom('link_keys').where('photo_id', 'in', photos).execute();
    await trx.deleteFrom('upload_keys').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('uploads').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('photo_keys').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('event_secrets').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('photos').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('archives').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('guest_keys').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('devices').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('sessions').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('host_keys').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('hosts').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('event_passwords').where('event_id', '=', eventId).execute();
    await trx.deleteFrom('event_keys').where('event_id', '=', eventId).execute();
    await trx
      .updateTable('events')
      .set({ is_active: 0, used_bytes: 0, photo_count: 0, video_count: 0, device_count: 0 })
      .where('id', '=', eventId)
      .execute();
    await trx.deleteFrom('changes').where('event_id', '=', eventId).execute();
    await recordChange(trx, eventId, 'sessions');
  });
  onPurged(eventId);
  await db.eraseDeleted();
  await blobs.removePrefix(eventPrefix(eventId));
}
