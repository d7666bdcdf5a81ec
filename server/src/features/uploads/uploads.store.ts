import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { noteChange } from '../../database/changes.ts';
import { isReferenceViolation } from '../../database/errors.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { Database, EventRow, PhotoRow } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createKeyedSemaphore } from '../../lib/concurrency/keyed-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Vault } from '../../vault/vault.ts';
import { covered, eventSecret, newestSecret, uncovered } from '../photo-keys/photo-keys.ts';

/** Commits of one event that wait at the database at a time: the others leave its connections to other events. */
const COMMITS_OF_EVENT = 3;
/** Longest wait of a commit for its turn. */
const TURN_MS = 5000;

/** The device has stored the same bytes before; thrown to roll the transaction back. */
class AlreadyStored extends Error {}

export type NewKeys = Omit<Database['photo_keys'], 'photo_id' | 'event_id' | 'secret_id'>;

export type Note = (trx: Trx, photoId: string) => Promise<void>;

export interface UploadStore {
  publicKey(eventId: string): Promise<Bytes | undefined>;
  byFingerprint(eventId: string, fingerprint: Bytes): Promise<PhotoRow | undefined>;
  byId(id: string): Promise<PhotoRow | undefined>;
  /** The photo's key, wrapped for the device that uploaded it, and its facts. */
  keys(photoId: string): Promise<Pick<NewKeys, 'wrapped_for_device' | 'facts'> | undefined>;
  /** Whether the event takes videos. */
  takesVideos(eventId: string): Promise<boolean>;
  /** Whether the device has uploaded to the event. */
  isKnown(eventId: string, deviceHash: Bytes): Promise<boolean>;
  /** True where the device has a photo there whose size lies within [least, most]. */
  hasPhotoOfSize(eventId: string, deviceHash: Bytes, least: number, most: number): Promise<boolean>;
  /**
   * Writes row, keys, device and counters in one transaction, under the event's storage limit. Returns the row, or the one that
   * the same device has for the same bytes; `sealGuestKey` is called for a device that is new to the event, `note` in the
   * transaction of a new photo. Throws Refusal (event_not_found, event_inactive, storage_full, demo_full); then nothing is written.
   */
  addOrFind(photo: PhotoRow, keys: NewKeys, sealGuestKey: () => Bytes, note: Note | null): Promise<PhotoRow>;
}

/** The SQL of uploads. */
export function createUploadStore({ kysely, transaction }: Pick<Db, 'kysely' | 'transaction'>, vault: Vault): UploadStore {
  const commits = createKeyedSemaphore(COMMITS_OF_EVENT, { patienceMs: TURN_MS, dependency: 'database' });
  const store: UploadStore = {
    async publicKey(eventId) {
      const row = await kysely.selectFrom('event_keys').select('public_key').where('event_id', '=', eventId).executeTakeFirst();
      return row?.public_key;
    },

    byFingerprint: (eventId, fingerprint) =>
      kysely.selectFrom('photos').selectAll().where('event_id', '=', eventId).where('fingerprint', '=', fingerprint).executeTakeFirst(),

    byId: (id) => kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst(),

    async keys(photoId) {
      const row = await kysely
        .selectFrom('photo_keys')
        .select(['event_id', 'wrapped_for_device', 'facts'])
        .select(eventSecret)
        .where('photo_id', '=', photoId)
        .executeTakeFirst();
      return row && uncovered(vault, row, { eventId: row.event_id, photoId });
    },

    async takesVideos(eventId) {
      const event = await kysely.selectFrom('events').select('with_videos').where('id', '=', eventId).executeTakeFirst();
      return event?.with_videos === 1;
    },

    async isKnown(eventId, deviceHash) {
      const query = kysely.selectFrom('devices').select('event_id').where('event_id', '=', eventId).where('device_hash', '=', deviceHash);
      return (await query.executeTakeFirst()) !== undefined;
    },

    async hasPhotoOfSize(eventId, deviceHash, least, most) {
      const row = await kysely
        .selectFrom('photos')
        .select('id')
        .where('event_id', '=', eventId)
        .where('device_hash', '=', deviceHash)
        .where('size', '>=', least)
        .where('size', '<=', most)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async addOrFind(photo, keys, sealGuestKey, note) {
      for (let attempt = 1; ; attempt++) {
        try {
          await commits.run(photo.event_id, () => transaction((trx) => add(trx, vault, photo, keys, sealGuestKey, note)));
          return photo;
        } catch (error) {
          if (!(error instanceof AlreadyStored)) throw error;
          const first = await store.byFingerprint(photo.event_id, photo.fingerprint);
          if (first) return first;
          // It was deleted in between, so this photo is new after all.
          if (attempt === 2) throw new Refusal('unavailable', { retryAfter: 1 });
        }
      }
    },
  };
  return store;
}

/** The event's row comes as late as possible: from then on, the event's other uploads wait for this one at the database. */
async function add(trx: Trx, vault: Vault, photo: PhotoRow, keys: NewKeys, sealGuestKey: () => Bytes, note: Note | null): Promise<void> {
  const device = { event_id: photo.event_id, device_hash: photo.device_hash };
  // One round trip for both.
  const reading = newestSecret(trx, photo.event_id);
  reading.catch(() => undefined);
  const fresh = await trx
    .insertInto('devices')
    .values({ ...device, first_seen_at: photo.created_at })
    .onConflict((conflict) => conflict.columns(['event_id', 'device_hash']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw isReferenceViolation(error) ? new Refusal('event_not_found') : error;
    });
  if (fresh) {
    await trx
      .insertInto('guest_keys')
      .values({ ...device, sealed_for_event: sealGuestKey() })
      .execute();
  }

  const covering = await reading;
  if (!covering) throw new Refusal('event_not_found');
  const wrapped = covered(vault, covering.secret, keys, { eventId: photo.event_id, photoId: photo.id });

  const counted = await trx
    .updateTable('events')
    .set((row) => ({
      used_bytes: row('used_bytes', '+', photo.size),
      ...(photo.codecs === null ? { photo_count: row('photo_count', '+', 1) } : { video_count: row('video_count', '+', 1) }),
      last_position: row('last_position', '+', 1),
      device_count: row('device_count', '+', fresh ? 1 : 0),
      change_seq: row('change_seq', '+', 1),
    }))
    .where('id', '=', photo.event_id)
    .where('purging_at', 'is', null)
    .where((row) => row.or([row('storage_limit', 'is', null), row(row('used_bytes', '+', photo.size), '<=', row.ref('storage_limit'))]))
    .returning(['last_position', 'change_seq', 'demo'])
    .executeTakeFirst();
  if (!counted) throw await whyNotCounted(trx, photo);
  if (counted.demo === 1) await refuseMoreThanTheDemoTakes(trx, photo);

  const adding = trx
    .insertInto('photos')
    .values({ ...photo, position: counted.last_position })
    .onConflict((conflict) => conflict.columns(['event_id', 'fingerprint']).doNothing())
    .returning('id')
    .executeTakeFirst();
  const keysToo = trx
    .insertInto('photo_keys')
    .values({ photo_id: photo.id, event_id: photo.event_id, secret_id: covering.id, ...keys, ...wrapped })
    .execute();
  const noting = noteChange(trx, photo.event_id, { seq: counted.change_seq, kind: 'came', photo_id: photo.id });
  // One round trip for all. The keys of a photo that was not added refer to nothing.
  const [added, withKeys, ...noted] = await Promise.allSettled([adding, keysToo, noting, note?.(trx, photo.id)]);
  if (added.status === 'rejected') throw added.reason;
  if (!added.value) throw new AlreadyStored();
  // The secret was renewed meanwhile.
  if (withKeys.status === 'rejected' && isReferenceViolation(withKeys.reason)) throw new Refusal('unavailable', { retryAfter: 1 });
  if (withKeys.status === 'rejected') throw withKeys.reason;
  for (const done of noted) if (done.status === 'rejected') throw done.reason;
}

/** Call it after the event's row was written: that makes parallel uploads wait, so each counts the ones before it. */
async function refuseMoreThanTheDemoTakes(trx: Trx, { event_id, device_hash, fingerprint }: PhotoRow): Promise<void> {
  const { count } = await trx
    .selectFrom('photos')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('event_id', '=', event_id)
    .where('device_hash', '=', device_hash)
    .where('fingerprint', '!=', fingerprint)
    .executeTakeFirstOrThrow();
  if (Number(count) >= DEMO_PHOTOS) throw new Refusal('demo_full');
}

/** Why an event's counters were not raised: it is gone, being purged, or full (unless it has this very photo). */
async function whyNotCounted(trx: Trx, photo: PhotoRow): Promise<Error> {
  const event: Pick<EventRow, 'purging_at'> | undefined = await trx
    .selectFrom('events')
    .select('purging_at')
    .where('id', '=', photo.event_id)
    .executeTakeFirst();
  if (!event) return new Refusal('event_not_found');
  if (event.purging_at !== null) return new Refusal('event_inactive');
  const twin = await trx
    .selectFrom('photos')
    .select('id')
    .where('event_id', '=', photo.event_id)
    .where('fingerprint', '=', photo.fingerprint)
    .executeTakeFirst();
  return twin ? new AlreadyStored() : new Refusal('storage_full');
}
