import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { sql, type Compilable } from 'kysely';
import { isConstraintViolation } from '../../database/errors.ts';
import type { Db } from '../../database/open.ts';
import type { Database, EventRow, PhotoRow } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createKeyedSemaphore } from '../../lib/concurrency/keyed-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import { remember } from '../../lib/remember.ts';
import type { Vault } from '../../vault/vault.ts';
import { covered, eventSecret, uncovered } from '../photo-keys/photo-keys.ts';

/** Commits of one event at the same time: so that the database's connections are left to other events. */
const COMMITS_OF_EVENT = 3;
/** Longest wait for these. */
const COMMIT_WAIT_MS = 5000;

/** Attempts to add a photo, between which the event may change. */
const ATTEMPTS = 4;
/** Devices that are remembered to have uploaded: some 200 bytes each. */
const KNOWN_DEVICES = 5000;

export type NewKeys = Omit<Database['photo_keys'], 'photo_id' | 'event_id' | 'secret_id'>;

/** Notes, in the transaction that stores a photo or once it is found, which photo an upload became. */
export interface Note {
  statements(photoId: string): Compilable[];
  /** Blobs whose rows they delete. */
  dropped?: readonly string[];
  /** Called with the rows of each. */
  done?(rows: unknown[][]): void;
}

/** The event that takes an upload, and what it has of the device. */
export interface UploadTarget extends Pick<EventRow, 'demo' | 'purging_at' | 'storage_limit' | 'used_bytes'> {
  public_key: Bytes;
  /** The event's newest, which covers new keys. */
  secret_id: number;
  secret: Bytes;
  /** Whether the device has uploaded to the event. */
  known: boolean;
  /** The device's photo of the same bytes. */
  duplicate: PhotoRow | null;
}

export interface UploadStore {
  /** Undefined where the event is gone. */
  target(upload: Pick<PhotoRow, 'event_id' | 'device_hash' | 'fingerprint'>): Promise<UploadTarget | undefined>;
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
   * the same device has for the same bytes; `sealGuestKey` is called for a device that is new to the event, `note` is written with a
   * new photo. Throws Refusal (event_not_found, event_inactive, storage_full, demo_full); then nothing is written.
   */
  addOrFind(photo: PhotoRow, keys: NewKeys, target: UploadTarget, sealGuestKey: () => Bytes, note: Note | null): Promise<PhotoRow>;
}

/** The SQL of uploads. */
export function createUploadStore({ kysely, batch }: Pick<Db, 'kysely' | 'batch'>, vault: Vault): UploadStore {
  const commits = createKeyedSemaphore(COMMITS_OF_EVENT, { maxWaitMs: COMMIT_WAIT_MS, dependency: 'database' });
  /** Devices that uploaded by this node lately; an event's devices go only with the event. */
  const known = new Set<string>();
  const nameOf = (eventId: string, deviceHash: Bytes): string => `${eventId} ${Buffer.from(deviceHash).toString('base64')}`;
  const store: UploadStore = {
    async target({ event_id, device_hash, fingerprint }) {
      const query = kysely
        .selectFrom('events')
        .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
        .innerJoin('event_secrets', 'event_secrets.event_id', 'events.id')
        .leftJoin('devices', (join) => join.onRef('devices.event_id', '=', 'events.id').on('devices.device_hash', '=', device_hash))
        .leftJoin('photos', (join) => join.onRef('photos.event_id', '=', 'events.id').on('photos.fingerprint', '=', fingerprint))
        .selectAll('photos')
        .select(['public_key', 'event_secrets.id as secret_id', 'secret', 'devices.first_seen_at'])
        .select(['demo', 'purging_at', 'storage_limit', 'used_bytes'])
        .where('events.id', '=', event_id)
        .orderBy('event_secrets.id', 'desc')
        .limit(1);
      const [rows] = await batch([query]);
      const row = rows?.[0] as Awaited<ReturnType<typeof query.executeTakeFirst>>;
      if (!row) return undefined;
      const { public_key, secret_id, secret, first_seen_at, demo, purging_at, storage_limit, used_bytes, ...photo } = row;
      const duplicate = photo.id === null ? null : (photo as PhotoRow);
      return { public_key, secret_id, secret, known: first_seen_at !== null, demo, purging_at, storage_limit, used_bytes, duplicate };
    },

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
      if (known.has(nameOf(eventId, deviceHash))) return true;
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

    async addOrFind(photo, keys, target, sealGuestKey, note) {
      let current: UploadTarget | undefined = target;
      for (let left = ATTEMPTS; ; left--) {
        try {
          await commits.run(photo.event_id, () => add(photo, keys, current as UploadTarget, sealGuestKey, note));
          return photo;
        } catch (error) {
          if (!isConstraintViolation(error)) throw error;
          current = await store.target(photo);
          if (!current) throw new Refusal('event_not_found');
          if (current.duplicate) return current.duplicate;
          await refuse(photo, current);
          // Meanwhile its device became known, or the secret was renewed, or a duplicate was deleted.
          if (left === 1) throw new Refusal('unavailable', { retryAfter: 1 });
        }
      }
    },
  };

  /**
   * The statements depend on each other by what they find in the tables. Where the photo may not be added, one of them violates a
   * constraint, and nothing is written. The event's row comes as late as possible: from then on its other uploads wait at the database.
   */
  async function add(photo: PhotoRow, keys: NewKeys, target: UploadTarget, sealGuestKey: () => Bytes, note: Note | null): Promise<void> {
    const { id, event_id, device_hash, size } = photo;
    const device = { event_id, device_hash };
    const wrapped = covered(vault, target.secret, keys, { eventId: event_id, photoId: id });
    const event = kysely.selectFrom('events').where('events.id', '=', event_id);
    const fresh = target.known
      ? []
      : [
          kysely.insertInto('devices').values({ ...device, first_seen_at: photo.created_at }),
          kysely.insertInto('guest_keys').values({ ...device, sealed_for_event: sealGuestKey() }),
        ];
    const counters = kysely
      .updateTable('events')
      .set((row) => ({
        // A counter may not be null.
        used_bytes: sql<number>`case when purging_at is null and (storage_limit is null or used_bytes + ${size} <= storage_limit)
          then used_bytes + ${size} end`,
        ...(photo.codecs === null ? { photo_count: row('photo_count', '+', 1) } : { video_count: row('video_count', '+', 1) }),
        last_position: row('last_position', '+', 1),
        ...(!target.known && { device_count: row('device_count', '+', 1) }),
        change_seq: row('change_seq', '+', 1),
      }))
      .where('id', '=', event_id);
    // A position may not be null either. The event's row is already updated here, so parallel uploads of the event wait, and each counts
    // the photos before it.
    const room = sql<number>`case when (${photosOf(photo)}) < ${DEMO_PHOTOS} then last_position end`;
    const position = event.select(target.demo === 1 ? room.as('position') : 'last_position as position');
    const adding = [
      kysely.insertInto('photos').values({ ...photo, position }),
      kysely.insertInto('photo_keys').values({ photo_id: id, event_id, secret_id: target.secret_id, ...keys, ...wrapped }),
      kysely.insertInto('changes').values({ event_id, seq: event.select('change_seq'), kind: 'came', photo_id: id, at: Date.now() }),
    ];
    const before = [...fresh, counters, ...adding];
    const rows = await batch([...before, ...(note?.statements(id) ?? [])], event_id);
    note?.done?.(rows.slice(before.length));
    remember(known, nameOf(event_id, device_hash), KNOWN_DEVICES);
  }

  const photosOf = ({ event_id, device_hash }: PhotoRow) =>
    kysely
      .selectFrom('photos')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('event_id', '=', event_id)
      .where('device_hash', '=', device_hash);

  /** Throws why an event takes no photo, if it does not. */
  async function refuse(photo: PhotoRow, { purging_at, storage_limit, used_bytes, demo }: UploadTarget): Promise<void> {
    if (purging_at !== null) throw new Refusal('event_inactive');
    if (storage_limit !== null && used_bytes + photo.size > storage_limit) throw new Refusal('storage_full');
    if (demo === 1 && Number((await photosOf(photo).executeTakeFirstOrThrow()).count) >= DEMO_PHOTOS) throw new Refusal('demo_full');
  }

  return store;
}
