import { ANNOUNCED_OF_EVENT } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import { sql, type Compilable, type ExpressionBuilder } from 'kysely';
import { insertWhere } from '../../../database/insert-where.ts';
import type { PhotoRow } from '../../../database/rows.ts';
import type { Database } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { approvalDueAt, covered, isForGuests } from '../../photo-keys/photo-keys.ts';
import { counters as countersOf } from '../../photos/photos.ts';
import type { UploadContext } from '../context.ts';
import { versionOf } from './blob-version.ts';
import { hasRoom, limitOf, type Admitted } from './room.ts';
import type { UploadTarget } from './upload-target.store.ts';

type NewKeys = Omit<Database['photo_keys'], 'photo_id' | 'event_id' | 'secret_id' | 'facts'>;

/** Statements that note which photo a resumable upload became, in the transaction that stores the photo or after it is found. */
export interface Completion {
  /** Makes statements that write nothing if the photo does not exist; otherwise the last one returns a row. */
  statements(photoId: string): Compilable[];
  /** Blobs whose rows the statements delete. */
  dropped: readonly string[];
}

/** Values of a photo that no preview has announced. */
interface Fresh extends Admitted {
  keys: NewKeys;
  /** Called if the device is new to the event. */
  sealGuestKey(): Bytes;
  deviceKey(): Bytes;
  /** Seals the photo's key and its guest's name for the guests of the gallery. */
  sealForGallery(galleryKey: Bytes): { key: Bytes; name: Bytes };
}

/** A photo to be written. */
export interface NewPhoto {
  photo: PhotoRow;
  digest: Bytes;
  /** Null if the photo is shown by its preview, and this is its original. */
  fresh: Fresh | null;
  /** Further rows of the photo, written with it. */
  also: readonly Compilable[];
  completion: Completion | null;
}

/** Writes the rows of a new photo. */
export function createPhotoRows({ db, vault }: Pick<UploadContext, 'db' | 'vault'>) {
  const { kysely, batch } = db;

  const photosOf = ({ event_id, device_hash }: PhotoRow) =>
    kysely
      .selectFrom('photos')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('event_id', '=', event_id)
      .where('device_hash', '=', device_hash);

  /**
   * Writes a photo with keys, device and counters; returns false if it was not written. The statements depend on each other by their rows:
   * the event admits the photo and is locked from then on, the photo's row needs the event's, and all others need the photo's. If the
   * photo's row is not written (it has a twin, the demo is full, or its state has changed), the event's counters are put back.
   */
  async function write({ photo, digest, fresh, also, completion }: NewPhoto, target: UploadTarget): Promise<boolean> {
    const { secret, secret_id, known: isKnown, with_release, release_minutes, gallery_key, version } = target;
    const { id, event_id, device_hash, size, fingerprint, state } = photo;
    const limit = limitOf(target, fresh?.fotobox ?? false);
    const device = { event_id, device_hash };
    const { column, value: blobVersion } = versionOf(photo);
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
    // A photo's preview and its original are written at different times.
    const last_photo = blobVersion ?? id;
    const letIn = kysely
      .updateTable('events')
      .set((row) => ({ last_photo, ...counters(row, '+') }))
      .where('id', '=', event_id)
      // The event was edited since `target` was read; who may see the photo may differ: retry.
      .$if(fresh !== null, (query) => query.where('version', '=', version))
      .where(hasRoom(size));
    const event = kysely.selectFrom('events').where('events.id', '=', event_id).where('last_photo', '=', last_photo);
    const twin = kysely
      .selectFrom('photos')
      .select('id')
      .where((row) => row.or([row('id', '=', id), row.and([row('event_id', '=', event_id), row('fingerprint', '=', fingerprint)])]));
    // The upload is still open: not ended by its sender or by an erasure, not refused, no photo yet. A transaction that ends it waits.
    const isAwaited = (row: ExpressionBuilder<Database, 'events' | 'photos'>) =>
      row.exists(
        row
          .selectFrom('uploads')
          .select('id')
          .where('id', '=', id)
          .where('photo_id', 'is', null)
          .where('description', 'is not', null)
          .forUpdate(),
      );
    const isOfUpload = state === 'announced' || completion !== null;
    const taking = event
      .where((row) => row.not(row.exists(twin)))
      .$if(state === 'announced', (query) => query.where('announced_count', '<=', ANNOUNCED_OF_EVENT))
      .$if(isOfUpload, (query) => query.where((row) => isAwaited(row as never)))
      .$if(limit !== null, (query) => query.where((row) => row(photosOf(photo), '<', limit as number)));
    const written = kysely
      .selectFrom('photos')
      .where('photos.id', '=', id)
      .where(column, blobVersion === null ? 'is' : '=', blobVersion);
    const isWritten = written.select('photos.id');
    const putBack = kysely
      .updateTable('events')
      .set((row) => ({ last_photo: null, ...counters(row, '-') }))
      .where('id', '=', event_id)
      .where('last_photo', '=', last_photo)
      .where((row) => row.not(row.exists(isWritten)));
    // Nothing is noted about a photo whose counters were put back.
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
      const others = sql`select 1 from photos as other where other.event_id = ${event_id} and other.device_hash = ${device_hash}
        and other.id <> ${id} and (other.slideshow = 1 or other.release_at is not null)`;
      // Nobody has decided about the name of a photo that waits: no other photo of its sender gets it.
      const naming = photo.slideshow === 1 ? written : written.where(sql<boolean>`not exists (${others})`);
      return [
        insertWhere(kysely, 'gallery_photo_keys', { photo_id: id, event_id, secret_id, sealed_for_gallery }, written),
        insertWhere(kysely, 'gallery_guests', { ...device, name: sealed.name }, naming).onConflict((conflict) =>
          conflict.columns(['event_id', 'device_hash']).doUpdateSet((row) => ({ name: row.ref('excluded.name') })),
        ),
      ];
    };
    const add = (of: Fresh) => {
      const wrapped = covered(vault, secret, of.keys, { eventId: event_id, photoId: id });
      return [
        insertWhere(kysely, 'photos', { ...photo, position: sql.ref('last_position') }, taking),
        putBack,
        insertWhere(kysely, 'photo_keys', { photo_id: id, event_id, secret_id, facts: digest, ...of.keys, ...wrapped }, written),
        change,
        ...(gallery_key && isForGuests(photo) ? addForGallery(of, gallery_key) : []),
        ...(isKnown ? [] : addDevice(of)),
        // The upload leaves the budget until its original comes.
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
        .where((row) => row.exists(event.select('events.id')))
        .$if(isOfUpload, (query) => query.where((row) => isAwaited(row as never))),
      putBack,
      kysely
        .updateTable('photo_keys')
        .set({ facts: digest })
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
    return rows.at(-1)?.length === 1;
  }

  return {
    write,

    /** Counts the photos of a photo's device. */
    countOfDevice: async (photo: PhotoRow): Promise<number> => Number((await photosOf(photo).executeTakeFirstOrThrow()).count),
  };
}

/** The columns that an original changes in the row of its preview. */
const received = ({ type, size, width, height, description, fingerprint, state, drawn_by, original_attempt }: PhotoRow) => {
  return { type, size, width, height, description, fingerprint, state, drawn_by, original_attempt };
};
