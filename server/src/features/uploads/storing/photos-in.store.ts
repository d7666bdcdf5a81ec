import { statesWith } from '@feierbild/contract/photo-states.ts';
import { isConstraintViolation } from '../../../database/errors.ts';
import type { PhotoRow } from '../../../database/rows.ts';
import type { Database } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { createFairSemaphore } from '../../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../../lib/errors.ts';
import { remember } from '../../../lib/remember.ts';
import { eventSecret, uncovered } from '../../photo-keys/photo-keys.ts';
import type { UploadContext } from '../context.ts';
import { createPhotoRows, type NewPhoto } from './photo-rows.store.ts';
import { limitOf, refuseEnded, refuseWithoutRoom } from './room.ts';
import { createTargetReader, type UploadTarget } from './upload-target.store.ts';

/** Commits of one event at the same time; the other connections of the database are left to other events. */
const COMMITS_OF_EVENT = 3;
/** Longest wait of further commits. */
const COMMIT_WAIT_MS = 5000;

/** Attempts to add a photo; the event may change between them. */
const ATTEMPTS = 4;
/** Devices remembered as having uploaded: some 200 bytes each. */
const KNOWN_DEVICES = 5000;

export type UploadStore = ReturnType<typeof createUploadStore>;

/** The SQL of uploads that become photos. */
export function createUploadStore({ db, vault }: Pick<UploadContext, 'db' | 'vault'>) {
  const { kysely } = db;
  const rows = createPhotoRows({ db, vault });
  const target = createTargetReader(db);
  const commits = createFairSemaphore(({ length }) => (length === 0 ? Infinity : COMMITS_OF_EVENT), { maxWaitMs: COMMIT_WAIT_MS });
  /** Devices that uploaded by this node lately. A device that was erased since stays here: it is merely not cut off for being slow. */
  const known = new Set<string>();
  const nameOf = (eventId: string, deviceHash: Bytes): string => `${eventId} ${Buffer.from(deviceHash).toString('base64')}`;

  return {
    target,

    byId: (id: string): Promise<PhotoRow | undefined> => kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Reads the photo's key, wrapped for the device that uploaded it, and its digest. */
    async keys(photoId: string): Promise<Pick<Database['photo_keys'], 'wrapped_for_device' | 'facts'> | undefined> {
      const row = await kysely
        .selectFrom('photo_keys')
        .select(['event_id', 'wrapped_for_device', 'facts'])
        .select(eventSecret)
        .where('photo_id', '=', photoId)
        .executeTakeFirst();
      return row && uncovered(vault, row, { eventId: row.event_id, photoId });
    },

    /** Tells whether the device has uploaded to the event. */
    async isKnown(eventId: string, deviceHash: Bytes): Promise<boolean> {
      if (known.has(nameOf(eventId, deviceHash))) return true;
      const query = kysely.selectFrom('devices').select('event_id').where('event_id', '=', eventId).where('device_hash', '=', deviceHash);
      return (await query.executeTakeFirst()) !== undefined;
    },

    /** Tells whether the device, or any if it is null, has a photo there whose size lies within [least, most]. */
    async hasPhotoOfSize(eventId: string, deviceHash: Bytes | null, least: number, most: number): Promise<boolean> {
      const row = await kysely
        .selectFrom('photos')
        .select('id')
        .where('event_id', '=', eventId)
        .$if(deviceHash !== null, (query) => query.where('device_hash', '=', deviceHash as Bytes))
        .where('state', 'in', statesWith('original'))
        .where('size', '>=', least)
        .where('size', '<=', most)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Writes a photo under its event's storage limit; returns its row, or the existing row with this id or the same bytes. Throws Refusal
     * event_not_found, event_inactive, storage_full, upload_disabled, wrong_event_password, demo_full, device_full, preview_refused,
     * unavailable; then nothing is written.
     */
    async place(placed: NewPhoto, found: UploadTarget): Promise<PhotoRow> {
      const { photo, fresh } = placed;
      for (let [current, left] = [found, ATTEMPTS]; ; left--) {
        const writing = commits.run([photo.event_id], () => rows.write(placed, current));
        // The same photo comes twice at a time, or the secret was renewed meanwhile.
        const done = await writing.catch((error: unknown) => {
          if (!isConstraintViolation(error)) throw error;
          return false;
        });
        if (done) {
          remember(known, nameOf(photo.event_id, photo.device_hash), KNOWN_DEVICES);
          return photo;
        }
        const now = await target(photo);
        if (!now) throw new Refusal('event_not_found');
        const other = now.twin ?? (fresh || now.own?.state !== 'announced' ? now.own : undefined);
        if (other) return other;
        refuseWithoutRoom(photo.size, now);
        if (fresh) refuseEnded(now, fresh);
        const limit = fresh && limitOf(now, fresh.fotobox);
        if (limit !== null && (await rows.countOfDevice(photo)) >= limit) throw new Refusal(now.demo === 1 ? 'demo_full' : 'device_full');
        // The event has too many announced photos, or the photo's original has come.
        if (photo.state === 'announced' && now.version === found.version) throw new Refusal('preview_refused');
        if (left === 1 || (!fresh && !now.own)) throw new Refusal('unavailable', { retryAfter: 1 });
        current = now;
      }
    },
  };
}
