import { ANNOUNCED_OF_EVENT } from '@feierbild/contract/constants.ts';
import { STATE_RULES, statesWith } from '@feierbild/contract/photo-states.ts';
import { sql, type Compilable, type ExpressionBuilder } from 'kysely';
import { isConstraintViolation } from '../../../database/errors.ts';
import { insertWhere } from '../../../database/insert-where.ts';
import type { Database, PhotoRow } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { createFairSemaphore } from '../../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../../lib/errors.ts';
import { remember } from '../../../lib/remember.ts';
import type { UploadContext } from '../context.ts';
import { covered, eventSecret, isForGuests, approvalDueAt, uncovered } from '../../photo-keys/photo-keys.ts';
import { counters as countersOf } from '../../photos/photos.ts';
import { attemptOf } from './attempt.ts';
import { hasRoom, limitOf, refuseWithoutRoom } from './room.ts';
import { createTargetReader, type UploadTarget } from './upload-target.store.ts';

/** Commits of one event at the same time: so that the database's connections are left to other events. */
const COMMITS_OF_EVENT = 3;
/** Longest wait for these. */
const COMMIT_WAIT_MS = 5000;

/** Attempts to add a photo, between which the event may change. */
const ATTEMPTS = 4;
/** Devices that are remembered to have uploaded: some 200 bytes each. */
const KNOWN_DEVICES = 5000;

type NewKeys = Omit<Database['photo_keys'], 'photo_id' | 'event_id' | 'secret_id' | 'facts'>;

/** Notes, in the transaction that stores a photo or once it is found, that a resumable upload became it. */
export interface Completion {
  /** They write nothing where there is no such photo; the last one answers a row where there is. */
  statements(photoId: string): Compilable[];
  /** Blobs whose rows they delete. */
  dropped: readonly string[];
}

/** What only a photo has that nothing has shown yet. */
interface Fresh {
  keys: NewKeys;
  /** Called for a device that is new to the event. */
  sealGuestKey(): Bytes;
  deviceKey(): Bytes;
  /** The photo's key and its guest's name for the guests of the gallery. */
  sealForGallery(galleryKey: Bytes): { key: Bytes; name: Bytes };
  fotobox: boolean;
}

/** A photo as it is to be from now on. */
export interface NewPhoto {
  photo: PhotoRow;
  facts: Bytes;
  /** Null where its preview is shown, and this is its original. */
  fresh: Fresh | null;
  /** Further rows of the photo, written with it. */
  also: readonly Compilable[];
  completion: Completion | null;
}

export type UploadStore = ReturnType<typeof createUploadStore>;

/** The SQL of uploads that become photos. */
export function createUploadStore({ db, vault }: Pick<UploadContext, 'db' | 'vault'>) {
  const { kysely, batch } = db;
  const target = createTargetReader(db);
  const commits = createFairSemaphore(({ length }) => (length === 0 ? Infinity : COMMITS_OF_EVENT), { maxWaitMs: COMMIT_WAIT_MS });
  /** Devices that uploaded by this node lately. One that was erased since is not cut off for being slow, and nothing else. */
  const known = new Set<string>();
  const nameOf = (eventId: string, deviceHash: Bytes): string => `${eventId} ${Buffer.from(deviceHash).toString('base64')}`;

  /**
   * Writes a photo with keys, device and counters; whether that was done. The statements depend on each other by what they find in the tables:
   * the event lets the photo in, and its row is locked from then on; the photo's row follows it, and all others follow that one. Where the
   * photo finds its twin or, in the demo, too many, or is no longer what it was, the event's counters are put back.
   */
  async function write({ photo, facts, fresh, also, completion }: NewPhoto, target: UploadTarget): Promise<boolean> {
    const { secret, secret_id, known: isKnown, with_release, release_minutes, gallery_key, version } = target;
    const { id, event_id, device_hash, size, fingerprint, state } = photo;
    const limit = limitOf(target, fresh?.fotobox ?? false);
    const device = { event_id, device_hash };
    const { column, value: attempt } = attemptOf(photo);
    if (fresh) {
      const release_at = with_release === 1 ? approvalDueAt(release_minutes, photo.created_at) : null;
      Object.assign(photo, { slideshow: 1 - with_release, release_state: with_release, release_at });
    }
    const counters = (row: ExpressionBuilder<Database, 'events'>, sign: '+' | '-') => ({
      ...(fresh
        ? { last_position: row('last_position', sign, 1) }
        : countersOf(row, { ...photo, state: 'announced' }, sign === '+' ? '-' : '+')),
      ...countersOf(row, photo, sign),
      change_seq: row('change_seq', sign, 1),
    });
    // A photo's preview and its original come in turns of their own.
    const last_photo = attempt ?? id;
    const letIn = kysely
      .updateTable('events')
      .set((row) => ({ last_photo, ...counters(row, '+') }))
      .where('id', '=', event_id)
      // The event may have been changed since `target` was read, and with it who may see the photo.
      .$if(fresh !== null, (query) => query.where('version', '=', version))
      .where(hasRoom(size));
    const event = kysely.selectFrom('events').where('events.id', '=', event_id).where('last_photo', '=', last_photo);
    const twin = kysely
      .selectFrom('photos')
      .select('id')
      .where((row) => row.or([row('id', '=', id), row.and([row('event_id', '=', event_id), row('fingerprint', '=', fingerprint)])]));
    const taking = event
      .where((row) => row.not(row.exists(twin)))
      .$if(state === 'announced', (query) =>
        query
          .where('announced_count', '<=', ANNOUNCED_OF_EVENT)
          // Its original has not become another photo meanwhile, nor was it refused.
          .where((row) =>
            row.exists(
              row
                .selectFrom('uploads')
                .select('id')
                .where('id', '=', id)
                .where('photo_id', 'is', null)
                .where('description', 'is not', null),
            ),
          ),
      )
      .$if(limit !== null, (query) => query.where((row) => row(photosOf(photo), '<', limit as number)));
    const written = kysely
      .selectFrom('photos')
      .where('photos.id', '=', id)
      .where(column, attempt === null ? 'is' : '=', attempt);
    const isWritten = written.select('photos.id');
    const putBack = kysely
      .updateTable('events')
      .set((row) => ({ last_photo: null, ...counters(row, '-') }))
      .where('id', '=', event_id)
      .where('last_photo', '=', last_photo)
      .where((row) => row.not(row.exists(isWritten)));
    // Of a photo that was put back nothing is noted.
    const noteOriginal = kysely
      .updateTable('events')
      .set((row) => ({ originals_seq: row.ref('change_seq') }))
      .where('id', '=', event_id)
      .where('last_photo', '=', last_photo);
    const change = insertWhere(
      kysely,
      'changes',
      { event_id, kind: fresh ? 'came' : 'received', photo_id: id, at: Date.now(), seq: sql.ref('change_seq') },
      event.where((row) => row.exists(isWritten)),
    );
    const addDevice = ({ deviceKey, sealGuestKey }: Fresh) => [
      insertWhere(kysely, 'devices', { ...device, first_seen_at: photo.created_at, public_key: deviceKey() }, written).onConflict(
        (conflict) => conflict.columns(['event_id', 'device_hash']).doUpdateSet((row) => ({ public_key: row.ref('excluded.public_key') })),
      ),
      insertWhere(kysely, 'guest_keys', { ...device, sealed_for_event: sealGuestKey() }, written).onConflict((conflict) =>
        conflict.doNothing(),
      ),
      kysely
        .updateTable('events')
        .set((row) => ({
          device_count: row
            .selectFrom('devices')
            .select((of) => of.fn.countAll<number>().as('count'))
            .where('devices.event_id', '=', event_id),
        }))
        .where('id', '=', event_id)
        .where('last_photo', '=', last_photo),
    ];
    const addForGallery = ({ sealForGallery }: Fresh, galleryKey: Bytes) => {
      const sealed = sealForGallery(galleryKey);
      const sealed_for_gallery = vault.coverKey(secret, sealed.key, { eventId: event_id, photoId: id, holder: 'gallery' });
      return [
        insertWhere(kysely, 'gallery_photo_keys', { photo_id: id, event_id, secret_id, sealed_for_gallery }, written),
        insertWhere(kysely, 'gallery_guests', { ...device, name: sealed.name }, written).onConflict((conflict) =>
          conflict.columns(['event_id', 'device_hash']).doUpdateSet((row) => ({ name: row.ref('excluded.name') })),
        ),
      ];
    };
    const add = (of: Fresh) => {
      const wrapped = covered(vault, secret, of.keys, { eventId: event_id, photoId: id });
      return [
        insertWhere(kysely, 'photos', { ...photo, position: sql.ref('last_position') }, taking),
        putBack,
        insertWhere(kysely, 'photo_keys', { photo_id: id, event_id, secret_id, facts, ...of.keys, ...wrapped }, written),
        change,
        ...(gallery_key && isForGuests(photo) ? addForGallery(of, gallery_key) : []),
        ...(isKnown ? [] : addDevice(of)),
        // From now on the upload counts for nothing until its original comes.
        ...(state === 'announced' ? [setAnnounced] : []),
      ];
    };
    const setAnnounced = kysely
      .updateTable('uploads')
      .set({ announced: 1 })
      .where('id', '=', id)
      .where((row) => row.exists(isWritten));
    const receive = () => [
      kysely
        .updateTable('photos')
        .set(received(photo))
        .where('id', '=', id)
        .where('state', '=', 'announced')
        .where((row) => row.exists(event.select('events.id'))),
      putBack,
      kysely
        .updateTable('photo_keys')
        .set({ facts })
        .where('photo_id', '=', id)
        .where((row) => row.exists(isWritten)),
      change,
    ];
    const rows = await batch(
      [
        letIn,
        ...(fresh ? add(fresh) : receive()),
        ...(STATE_RULES[state].original ? [noteOriginal] : []),
        ...also,
        ...(completion?.statements(id) ?? []),
        isWritten,
      ],
      event_id,
    );
    if (rows.at(-1)?.length === 0) return false;
    remember(known, nameOf(event_id, device_hash), KNOWN_DEVICES);
    return true;
  }

  const photosOf = ({ event_id, device_hash }: PhotoRow) =>
    kysely
      .selectFrom('photos')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('event_id', '=', event_id)
      .where('device_hash', '=', device_hash);

  return {
    target,

    byId: (id: string): Promise<PhotoRow | undefined> => kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst(),

    /** The photo's key, wrapped for the device that uploaded it, and its facts. */
    async keys(photoId: string): Promise<Pick<Database['photo_keys'], 'wrapped_for_device' | 'facts'> | undefined> {
      const row = await kysely
        .selectFrom('photo_keys')
        .select(['event_id', 'wrapped_for_device', 'facts'])
        .select(eventSecret)
        .where('photo_id', '=', photoId)
        .executeTakeFirst();
      return row && uncovered(vault, row, { eventId: row.event_id, photoId });
    },

    /** Whether the device has uploaded to the event. */
    async isKnown(eventId: string, deviceHash: Bytes): Promise<boolean> {
      if (known.has(nameOf(eventId, deviceHash))) return true;
      const query = kysely.selectFrom('devices').select('event_id').where('event_id', '=', eventId).where('device_hash', '=', deviceHash);
      return (await query.executeTakeFirst()) !== undefined;
    },

    /** True where the device has a photo there whose size lies within [least, most]. */
    async hasPhotoOfSize(eventId: string, deviceHash: Bytes, least: number, most: number): Promise<boolean> {
      const row = await kysely
        .selectFrom('photos')
        .select('id')
        .where('event_id', '=', eventId)
        .where('device_hash', '=', deviceHash)
        .where('state', 'in', statesWith('original'))
        .where('size', '>=', least)
        .where('size', '<=', most)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Writes a photo under its event's storage limit; its row, or the one that is there of this id or of the same bytes. Throws Refusal
     * (event_not_found, event_inactive, storage_full, demo_full, device_full, preview_refused, unavailable); then nothing is written.
     */
    async place(placed: NewPhoto, found: UploadTarget): Promise<PhotoRow> {
      const { photo, fresh } = placed;
      for (let [current, left] = [found, ATTEMPTS]; ; left--) {
        const writing = commits.run([photo.event_id], () => write(placed, current));
        // The same photo twice at a time, or the secret was renewed meanwhile.
        const done = await writing.catch((error: unknown) => {
          if (!isConstraintViolation(error)) throw error;
          return false;
        });
        if (done) return photo;
        const now = await target(photo);
        if (!now) throw new Refusal('event_not_found');
        const other = now.twin ?? (fresh || now.own?.state !== 'announced' ? now.own : undefined);
        if (other) return other;
        refuseWithoutRoom(photo.size, now);
        const limit = fresh && limitOf(now, fresh.fotobox);
        if (limit !== null && Number((await photosOf(photo).executeTakeFirstOrThrow()).count) >= limit)
          throw new Refusal(now.demo === 1 ? 'demo_full' : 'device_full');
        // There are too many, or its original has come.
        if (photo.state === 'announced' && now.version === found.version) throw new Refusal('preview_refused');
        if (left === 1 || (!fresh && !now.own)) throw new Refusal('unavailable', { retryAfter: 1 });
        current = now;
      }
    },
  };
}

/** What an original changes in the row of its preview. */
const received = ({ type, size, width, height, description, fingerprint, state, drawn_by, original_attempt }: PhotoRow) => {
  return { type, size, width, height, description, fingerprint, state, drawn_by, original_attempt };
};
