import { ANNOUNCED_OF_EVENT, DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
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
import { covered, eventSecret, uncovered } from '../../photo-keys/photo-keys.ts';
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

/** The event that takes an upload, and what it has of the device. */
export interface UploadTarget extends Pick<EventRow, 'demo' | 'purging_at' | 'storage_limit' | 'used_bytes' | 'with_videos'> {
  public_key: Bytes;
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
  note: Note | null;
}

/** An announced photo with what its original is, and that one's facts. */
export type ReceivedPhoto = Pick<NewPhoto, 'photo' | 'note'> & { facts: Bytes };

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
      .leftJoin('devices', (join) => join.onRef('devices.event_id', '=', 'events.id').on('devices.device_hash', '=', device_hash))
      .leftJoin('photos', (join) => join.onRef('photos.event_id', '=', 'events.id').on('photos.fingerprint', '=', fingerprint))
      .selectAll('photos')
      .select(['public_key', 'event_secrets.id as secret_id', 'secret', 'devices.first_seen_at'])
      .select(['demo', 'purging_at', 'storage_limit', 'used_bytes', 'with_videos'])
      .where('events.id', '=', event_id)
      .orderBy('event_secrets.id', 'desc')
      .limit(1);
    const [rows] = await batch([query]);
    const row = rows?.[0] as Awaited<ReturnType<typeof query.executeTakeFirst>>;
    if (!row) return undefined;
    const { public_key, secret_id, secret, first_seen_at, demo, purging_at, storage_limit, used_bytes, with_videos, ...photo } = row;
    const event = { public_key, secret_id, secret, demo, purging_at, storage_limit, used_bytes, with_videos };
    return { ...event, known: first_seen_at !== null, duplicate: photo.id === null ? null : (photo as PhotoRow) };
  }

  /**
   * Adds row, keys, device and counters; whether there was room. The statements depend on each other by what they find in the tables: the
   * event lets the photo in, and its row is locked from then on; the photo's row follows it, and all others follow that one. Where the
   * photo finds its twin or, in the demo, too many, the event's counters are put back.
   */
  async function add(
    { photo, keys, sealGuestKey, note }: NewPhoto,
    { secret, secret_id, known: isKnown, demo }: UploadTarget,
  ): Promise<boolean> {
    const { id, event_id, device_hash, size, fingerprint } = photo;
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
      .$if(demo === 1, (query) => query.where((row) => row(photosOf(photo), '<', DEMO_PHOTOS)));
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
      insertWhere(kysely, 'devices', { ...device, first_seen_at: photo.created_at }, added).onConflict((conflict) => conflict.doNothing()),
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
    const rows = await batch(
      [...statements, ...(isKnown ? [] : fresh()), ...(note?.statements(id) ?? []), added.select('photos.id')],
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
  const receive = ({ photo, facts, note }: ReceivedPhoto): Promise<boolean> =>
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
      for (const statement of note?.statements(id) ?? []) await trx.executeQuery(statement.compile());
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
     * (event_not_found, event_inactive, storage_full, demo_full); then nothing is written.
     */
    addOrFind: (fresh: NewPhoto, found: UploadTarget): Promise<PhotoRow> => until(fresh.photo, found, (current) => add(fresh, current)),

    /** The same for an announced photo whose original has come. */
    receiveOrFind: (received: ReceivedPhoto, found: UploadTarget): Promise<PhotoRow> =>
      until(received.photo, found, () => receive(received)),
  };

  async function until(photo: PhotoRow, found: UploadTarget, add: (current: UploadTarget) => Promise<boolean>): Promise<PhotoRow> {
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
      if (current.demo === 1 && Number((await photosOf(photo).executeTakeFirstOrThrow()).count) >= DEMO_PHOTOS)
        throw new Refusal('demo_full');
      // There are too many, or its original has come.
      if (photo.state === 'announced') throw new Refusal('preview_refused');
      if (left === 1) throw new Refusal('unavailable', { retryAfter: 1 });
    }
  }
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
