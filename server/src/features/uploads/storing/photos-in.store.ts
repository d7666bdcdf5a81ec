import { ANNOUNCED_OF_EVENT, DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { hasGalleryKeys } from '@feierbild/contract/gallery.ts';
import { statesWith } from '@feierbild/contract/photo-states.ts';
import { sql, type Compilable, type ExpressionBuilder } from 'kysely';
import { noteChange } from '../../../database/changes.ts';
import { isConstraintViolation } from '../../../database/errors.ts';
import { insertWhere } from '../../../database/insert-where.ts';
import type { Database, EventRow, PhotoRow } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { createFairSemaphore } from '../../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../../lib/errors.ts';
import { remember } from '../../../lib/remember.ts';
import type { UploadGround } from '../ground.ts';
import { covered, eventSecret, isForGuests, releaseAt, uncovered } from '../../photo-keys/photo-keys.ts';
import { counters as countersOf } from '../../photos/photos.ts';

/** Commits of one event at the same time: so that the database's connections are left to other events. */
const COMMITS_OF_EVENT = 3;
/** Longest wait for these. */
const COMMIT_WAIT_MS = 5000;

/** Attempts to add a photo, between which the event may change. */
const ATTEMPTS = 4;
/** Devices that are remembered to have uploaded: some 200 bytes each. */
const KNOWN_DEVICES = 5000;

export type NewKeys = Omit<Database['photo_keys'], 'photo_id' | 'event_id' | 'secret_id'>;

/** Notes, in the transaction that stores a photo or once it is found, that a resumable upload became it. */
export interface Note {
  /** They write nothing where there is no such photo; the last one answers a row where there is. */
  statements(photoId: string): Compilable[];
  /** Blobs whose rows they delete. */
  dropped: readonly string[];
}

const EVENT_COLUMNS = [
  'demo',
  'purging_at',
  'storage_limit',
  'used_bytes',
  'with_videos',
  'with_release',
  'release_minutes',
  'version',
  'gallery_mode',
  'gallery_opens_at',
  'gallery_revealed_at',
  'gallery_photos_per_device',
] as const;

/** The event that takes an upload, and what it has of the device. */
export interface UploadTarget extends Pick<EventRow, (typeof EVENT_COLUMNS)[number]> {
  public_key: Bytes;
  /** To whose pair the key of a shown photo is sealed at once; null where guests see nothing, or not before the host says so. */
  gallery_key: Bytes | null;
  /** The event's newest, which covers new keys. */
  secret_id: number;
  secret: Bytes;
  /** Whether the device has uploaded to the event. */
  known: boolean;
  /** The device's photo of the same bytes. */
  duplicate: PhotoRow | null;
}

/** A photo that is about to be added, with its keys. */
export interface NewPhoto {
  photo: PhotoRow;
  keys: NewKeys;
  /** Called for a device that is new to the event. */
  sealGuestKey(): Bytes;
  deviceKey(): Bytes;
  /** The photo's key and its guest's name for the guests of the gallery. */
  sealForGallery(galleryKey: Bytes): { key: Bytes; name: Bytes };
  fotobox: boolean;
  /** Further rows of the photo, written with it. */
  also: readonly Compilable[];
  note: Note | null;
}

/** An announced photo with what its original is, and that one's facts. */
export type ReceivedPhoto = Pick<NewPhoto, 'photo' | 'also' | 'note'> & { facts: Bytes };

export type UploadStore = ReturnType<typeof createUploadStore>;

/** The SQL of uploads that become photos. */
export function createUploadStore({ db: { kysely, batch, transaction }, vault }: Pick<UploadGround, 'db' | 'vault'>) {
  const commits = createFairSemaphore(({ length }) => (length === 0 ? Infinity : COMMITS_OF_EVENT), { maxWaitMs: COMMIT_WAIT_MS });
  /** Devices that uploaded by this node lately; an event's devices go only with the event. */
  const known = new Set<string>();
  const nameOf = (eventId: string, deviceHash: Bytes): string => `${eventId} ${Buffer.from(deviceHash).toString('base64')}`;

  /** Undefined where the event is gone. */
  async function target({
    event_id,
    device_hash,
    fingerprint,
  }: Pick<PhotoRow, 'event_id' | 'device_hash' | 'fingerprint'>): Promise<UploadTarget | undefined> {
    const query = kysely
      .selectFrom('events')
      .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
      .innerJoin('event_secrets', 'event_secrets.event_id', 'events.id')
      .leftJoin('gallery_keys', 'gallery_keys.event_id', 'events.id')
      .leftJoin('devices', (join) => join.onRef('devices.event_id', '=', 'events.id').on('devices.device_hash', '=', device_hash))
      .leftJoin('photos', (join) => join.onRef('photos.event_id', '=', 'events.id').on('photos.fingerprint', '=', fingerprint))
      .selectAll('photos')
      .select(['event_keys.public_key', 'event_secrets.id as secret_id', 'secret', 'devices.public_key as device_key'])
      .select('gallery_keys.public_key as gallery_key')
      .select(EVENT_COLUMNS)
      .where('events.id', '=', event_id)
      .orderBy('event_secrets.id', 'desc')
      .limit(1);
    const [rows] = await batch([query]);
    const row = rows?.[0] as Awaited<ReturnType<typeof query.executeTakeFirst>>;
    if (!row) return undefined;
    const { public_key, secret_id, secret, device_key, gallery_key, ...rest } = row;
    const event = Object.fromEntries(EVENT_COLUMNS.map((name) => [name, rest[name]])) as Pick<EventRow, (typeof EVENT_COLUMNS)[number]>;
    const photo = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in event))) as unknown as PhotoRow;
    return {
      ...event,
      public_key,
      secret_id,
      secret,
      gallery_key: hasGalleryKeys(event) ? gallery_key : null,
      known: device_key !== null,
      duplicate: rest.id === null ? null : photo,
    };
  }

  /**
   * Adds row, keys, device and counters; whether there was room. The statements depend on each other by what they find in the tables: the
   * event lets the photo in, and its row is locked from then on; the photo's row follows it, and all others follow that one. Where the
   * photo finds its twin or, in the demo, too many, the event's counters are put back.
   */
  async function add(
    { photo, keys, sealGuestKey, deviceKey, sealForGallery, fotobox, also, note }: NewPhoto,
    target: UploadTarget,
  ): Promise<boolean> {
    const { secret, secret_id, known: isKnown, with_release, release_minutes, gallery_key, version } = target;
    const { id, event_id, device_hash, size, fingerprint } = photo;
    const limit = limitOf(target, fotobox);
    const release_at = with_release === 1 ? releaseAt(release_minutes, photo.created_at) : null;
    Object.assign(photo, { slideshow: 1 - with_release, release_state: with_release, release_at });
    const wrapped = covered(vault, secret, keys, { eventId: event_id, photoId: id });
    const device = { event_id, device_hash };
    const counters = (row: ExpressionBuilder<Database, 'events'>, sign: '+' | '-') => ({
      ...countersOf(row, photo, sign),
      last_position: row('last_position', sign, 1),
      change_seq: row('change_seq', sign, 1),
    });
    const letIn = kysely
      .updateTable('events')
      .set((row) => ({ last_photo: id, ...counters(row, '+') }))
      .where('id', '=', event_id)
      // Else it is not known any more who may see the photo.
      .where('version', '=', version)
      .where(hasRoom(size));
    const twin = kysely.selectFrom('photos').select('id').where('event_id', '=', event_id).where('fingerprint', '=', fingerprint);
    const event = kysely.selectFrom('events').where('events.id', '=', event_id).where('last_photo', '=', id);
    const taking = event
      .where((row) => row.not(row.exists(twin)))
      .$if(photo.state === 'announced', (query) =>
        query
          .where('announced_count', '<=', ANNOUNCED_OF_EVENT)
          // Its original has not come without it meanwhile.
          .where((row) => row.exists(row.selectFrom('uploads').select('id').where('id', '=', id).where('photo_id', 'is', null))),
      )
      .$if(limit !== null, (query) => query.where((row) => row(photosOf(photo), '<', limit as number)));
    const added = kysely.selectFrom('photos').where('photos.id', '=', id);
    const isAdded = added.select('photos.id');
    const putBack = kysely
      .updateTable('events')
      .set((row) => ({ last_photo: null, ...counters(row, '-') }))
      .where('id', '=', event_id)
      .where('last_photo', '=', id)
      .where((row) => row.not(row.exists(isAdded)));
    const statements = [
      letIn,
      insertWhere(kysely, 'photos', { ...photo, position: sql.ref('last_position') }, taking),
      putBack,
      insertWhere(kysely, 'photo_keys', { photo_id: id, event_id, secret_id, ...keys, ...wrapped }, added),
      insertWhere(
        kysely,
        'changes',
        { event_id, kind: 'came', photo_id: id, at: Date.now(), seq: sql.ref('change_seq') },
        event.where((row) => row.exists(isAdded)),
      ),
    ];
    const fresh = () => [
      insertWhere(kysely, 'devices', { ...device, first_seen_at: photo.created_at, public_key: deviceKey() }, added).onConflict(
        (conflict) => conflict.columns(['event_id', 'device_hash']).doUpdateSet((row) => ({ public_key: row.ref('excluded.public_key') })),
      ),
      insertWhere(kysely, 'guest_keys', { ...device, sealed_for_event: sealGuestKey() }, added).onConflict((conflict) =>
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
        .where('last_photo', '=', id),
    ];
    const forGallery = (galleryKey: Bytes) => {
      const sealed = sealForGallery(galleryKey);
      const sealed_for_gallery = vault.coverKey(secret, sealed.key, { eventId: event_id, photoId: id, holder: 'gallery' });
      return [
        insertWhere(kysely, 'gallery_photo_keys', { photo_id: id, event_id, secret_id, sealed_for_gallery }, added),
        insertWhere(kysely, 'gallery_guests', { ...device, name: sealed.name }, added).onConflict((conflict) =>
          conflict.columns(['event_id', 'device_hash']).doUpdateSet((row) => ({ name: row.ref('excluded.name') })),
        ),
      ];
    };
    const guests = gallery_key && isForGuests(photo) ? forGallery(gallery_key) : [];
    const rows = await batch(
      [...statements, ...guests, ...(isKnown ? [] : fresh()), ...also, ...(note?.statements(id) ?? []), added.select('photos.id')],
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

  /**
   * An announced photo whose original came: its row and facts are those of the original now, and the event counts it. Whether that was
   * done: not without room, or where another node was first.
   */
  const receive = ({ photo, facts, also, note }: ReceivedPhoto): Promise<boolean> =>
    transaction(async (trx) => {
      const { id, event_id, type, size, width, height, description, fingerprint, state, drawn_by, original_attempt } = photo;
      const came = await trx
        .updateTable('photos')
        .set({ type, size, width, height, description, fingerprint, state, drawn_by, original_attempt })
        .where('id', '=', id)
        .where('state', '=', 'announced')
        .returning('id')
        .executeTakeFirst();
      const event = await trx
        .updateTable('events')
        .set((row) => ({
          ...countersOf(row, { ...photo, state: 'announced' }, '-'),
          ...countersOf(row, photo, '+'),
          change_seq: row('change_seq', '+', 1),
        }))
        .where('id', '=', event_id)
        .where(hasRoom(size))
        .returning('change_seq')
        .executeTakeFirst();
      if (!came || !event) throw new Refusal('unavailable', { retryAfter: 1 });
      await trx.updateTable('photo_keys').set({ facts }).where('photo_id', '=', id).execute();
      await noteChange(trx, event_id, { seq: event.change_seq, kind: 'received', photo_id: id });
      for (const statement of [...also, ...(note?.statements(id) ?? [])]) await trx.executeQuery(statement.compile());
      return true;
    }).catch((error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    });

  return {
    target,

    byId: (id: string): Promise<PhotoRow | undefined> => kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst(),

    /** The photo's key, wrapped for the device that uploaded it, and its facts. */
    async keys(photoId: string): Promise<Pick<NewKeys, 'wrapped_for_device' | 'facts'> | undefined> {
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
     * Adds a photo under its event's storage limit; its row, or the one that the same device has for the same bytes. Throws Refusal
     * (event_not_found, event_inactive, storage_full, demo_full, device_full); then nothing is written.
     */
    addOrFind: (fresh: NewPhoto, found: UploadTarget): Promise<PhotoRow> => until(fresh, found, (current) => add(fresh, current)),

    /** The same for an announced photo whose original has come. */
    receiveOrFind: (received: ReceivedPhoto, found: UploadTarget): Promise<PhotoRow> =>
      until({ ...received, fotobox: false }, found, () => receive(received)),
  };

  async function until(
    { photo, fotobox }: Pick<NewPhoto, 'photo' | 'fotobox'>,
    found: UploadTarget,
    add: (current: UploadTarget) => Promise<boolean>,
  ): Promise<PhotoRow> {
    let current: UploadTarget | undefined = found;
    for (let left = ATTEMPTS; ; left--) {
      const adding = commits.run([photo.event_id], () => add(current as UploadTarget));
      // The same photo twice at a time, or the secret was renewed meanwhile.
      const added = await adding.catch((error: unknown) => {
        if (!isConstraintViolation(error)) throw error;
        return false;
      });
      if (added) return photo;
      current = await target(photo);
      if (!current) throw new Refusal('event_not_found');
      if (current.duplicate) return current.duplicate;
      refuseWithoutRoom(photo.size, current);
      const limit = limitOf(current, fotobox);
      if (limit !== null && photo.original_attempt === null && Number((await photosOf(photo).executeTakeFirstOrThrow()).count) >= limit)
        throw new Refusal(current.demo === 1 ? 'demo_full' : 'device_full');
      // There are too many, or its original has come.
      if (photo.state === 'announced' && current.version === found.version) throw new Refusal('preview_refused');
      if (left === 1) throw new Refusal('unavailable', { retryAfter: 1 });
    }
  }
}

/** How many photos each device may send; null: as many as it likes. What the host allows a guest does not bind the Fotobox. */
function limitOf({ demo, gallery_photos_per_device }: UploadTarget, fotobox: boolean): number | null {
  if (demo === 1) return DEMO_PHOTOS;
  return fotobox ? null : gallery_photos_per_device;
}

/** That an event takes so many bytes. */
const hasRoom = (size: number) => (row: ExpressionBuilder<Database, 'events'>) =>
  row.and([
    row('purging_at', 'is', null),
    row.or([row('storage_limit', 'is', null), row(row('used_bytes', '+', size), '<=', row.ref('storage_limit'))]),
  ]);

/** Throws Refusal event_inactive, storage_full. */
export function refuseWithoutRoom(size: number, { purging_at, storage_limit, used_bytes }: UploadTarget): void {
  if (purging_at !== null) throw new Refusal('event_inactive');
  if (storage_limit !== null && used_bytes + size > storage_limit) throw new Refusal('storage_full');
}
