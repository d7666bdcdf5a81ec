import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import { STATE_RULES, type PhotoState } from '@feierbild/contract/photo-states.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { lockEvent, recordChange } from '../../database/changes.ts';
import type { Db, Trx } from '../../database/open.ts';
import { countWaiting } from '../../database/photo-states.ts';
import type { EventRow, PhotoRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Key, Vault } from '../../vault/vault.ts';
import { eventSecret, gallerySecret, uncoveredKey } from '../photo-keys/photo-keys.ts';
import { sealedGuestKey, type DescribedForEvent } from '../sealed-metadata/sealed-metadata.ts';
import { createDecisionStore } from './decisions.store.ts';
import { createGuestPhotoStore, shownPhotos } from './guest-photos.store.ts';
import { removePhoto } from './removal.store.ts';
import type { Describe } from './sender-names.store.ts';
import type { Derived, Variant } from '../../storage/blob-store.ts';

export type Rendition = NonNullable<ReturnType<typeof renditionOf>>;

export type PhotoWithKeys = Selectable<PhotoRow> &
  DescribedForEvent &
  Pick<Database['photo_keys'], 'sealed_for_event' | 'wrapped_for_device'> &
  Pick<EventRow, 'demo' | 'with_slideshow' | 'code' | (typeof GALLERY_COLUMNS)[number]> & {
    /** The photo's key for the guests of the gallery; null if they do not see the photo. */
    sealed_for_gallery: Bytes | null;
  };

/** The event's columns that decide what guests of its gallery see. */
const GALLERY_COLUMNS = [
  'gallery_mode',
  'gallery_opens_at',
  'gallery_revealed_at',
  'gallery_originals',
  'gallery_own_meanwhile',
  'gallery_wall_meanwhile',
] as const;

/** A photo that the visitor may see. The key is opened only when bytes are read. */
export interface FoundPhoto {
  row: PhotoWithKeys;
  openKey(): Key;
}
/** A photo whose sender, file name and time the visitor may also see. */
export interface DescribedPhoto extends FoundPhoto {
  describe: Describe;
}

/**
 * Reads media type, plain size in bytes and blob version of a variant from the photo's row. Undefined if the row names none; for the
 * original also if it is not in the store.
 */
export function renditionOf(row: Partial<PhotoRow>, variant: Variant) {
  if (variant === 'original' && !STATE_RULES[row.state as PhotoState].original) return undefined;
  const [type, size] = variant === 'original' ? [row.type, row.size] : [row[`${variant}_type`], row[`${variant}_size`]];
  const version = row[`${variant}_attempt`] ?? null;
  return type && size ? { type, size, version } : undefined;
}

/**
 * The SQL of stored photos: lists, flags, previews, deletion. `seenBy`: the device that sees its photos besides the demo's samples; null:
 * all photos.
 */
export function createPhotoStore(
  { kysely, transaction, batch, prepare }: Pick<Db, 'kysely' | 'transaction' | 'batch' | 'prepare'>,
  vault: Vault,
) {
  const shown = () => shownPhotos(kysely);
  const guests = createGuestPhotoStore({ kysely, prepare }, vault);
  const decisions = createDecisionStore({ transaction }, vault, guests);
  const ofDevice = (eventId: string, deviceHash: Bytes) => shown().where('event_id', '=', eventId).where('device_hash', '=', deviceHash);
  /** SQL column for the host: number of hearts that guests gave. */
  const hearts = (row: ExpressionBuilder<Database, 'photos'>) =>
    row
      .selectFrom('hearts')
      .select((of) => of.fn.countAll<number>().as('count'))
      .whereRef('hearts.photo_id', '=', 'photos.id')
      .as('hearts');
  const seen = (eventId: string, seenBy: Bytes | null, slideshow = false) =>
    shown()
      .where('event_id', '=', eventId)
      .$if(seenBy !== null, (query) => query.where((or) => or.or([or('sample', '=', 1), or('device_hash', '=', seenBy as Bytes)])))
      .$if(slideshow, (query) => query.where('slideshow', '=', 1));

  const keyed = kysely
    .selectFrom('photos')
    .innerJoin('photo_keys', 'photo_keys.photo_id', 'photos.id')
    .innerJoin('events', 'events.id', 'photos.event_id')
    .selectAll('photos')
    .leftJoin('gallery_photo_keys', 'gallery_photo_keys.photo_id', 'photos.id')
    .select(['sealed_for_event', 'wrapped_for_device', 'sealed_for_gallery', 'events.demo', 'events.with_slideshow', 'events.code'])
    .select(GALLERY_COLUMNS)
    .select(sealedGuestKey)
    .select([eventSecret, gallerySecret]);
  const keyedById = prepare((id: string) => keyed.where('photos.id', '=', id));
  type Covered = Awaited<ReturnType<typeof keyed.execute>>;
  /** Uncovers each key only when it is read, which throws Tampered: a viewer needs one of the three. */
  const uncover = (rows: Covered): PhotoWithKeys[] =>
    rows.map(({ gallery_secret: guestSecret, ...row }) => {
      const { secret, sealed_for_event: forEvent, wrapped_for_device: forDevice, sealed_for_gallery: forGallery } = row;
      const photo = { eventId: row.event_id, photoId: row.id };
      return {
        ...row,
        get sealed_for_event() {
          return uncoveredKey(vault, secret, forEvent, { ...photo, holder: 'event' });
        },
        get wrapped_for_device() {
          return uncoveredKey(vault, secret, forDevice, { ...photo, holder: 'device' });
        },
        // Once its secret is destroyed, the key cannot be used; unlike the others it never lies without a cover.
        get sealed_for_gallery() {
          return forGallery && guestSecret && vault.uncoverKey(guestSecret, forGallery, { ...photo, holder: 'gallery' });
        },
      };
    });

  return {
    inGallery: guests.inGallery,
    countWaiting: (eventId: string) => countWaiting(kysely, eventId),
    waiting: guests.waiting,
    lastWaiting: guests.lastWaiting,

    async page(
      eventId: string,
      seenBy: Bytes | null,
      { offset, limit, newestFirst, slideshow }: { offset: number; limit: number; newestFirst: boolean; slideshow: boolean },
    ) {
      const order = newestFirst ? 'desc' : 'asc';
      // Skipping to a far page reads the index alone, not the rows.
      const ids = seen(eventId, seenBy, slideshow).clearSelect().select('id').orderBy('created_at', order).orderBy('id', order);
      return shown()
        .select(hearts)
        .where('id', 'in', ids.offset(offset).limit(limit))
        .orderBy('created_at', order)
        .orderBy('id', order)
        .execute();
    },

    /** Reads photos behind the position `after`, in the order of positions: all of the event, or those of its slideshow. */
    behind: (eventId: string, seenBy: Bytes | null, { after, limit, slideshow }: { after: number; limit: number; slideshow?: boolean }) =>
      seen(eventId, seenBy, slideshow)
        .select('position')
        .$if(!slideshow, (query) => query.select(hearts))
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit)
        .execute(),

    /** Counts photos; the event's own counters give the number of all. */
    async count(eventId: string, seenBy: Bytes | null, slideshow = false): Promise<number> {
      if (seenBy !== null || slideshow) {
        const counted = seen(eventId, seenBy, slideshow)
          .clearSelect()
          .select((row) => row.fn.countAll<string>().as('photos'));
        return Number((await counted.executeTakeFirstOrThrow()).photos);
      }
      const photos = sql<number>`photo_count + video_count + announced_count`.as('photos');
      const event = await kysely.selectFrom('events').select(photos).where('id', '=', eventId).executeTakeFirst();
      return event?.photos ?? 0;
    },

    /** Reads the photos of a device with one of these fingerprints. */
    byFingerprints: (eventId: string, deviceHash: Bytes, fingerprints: Bytes[]) =>
      ofDevice(eventId, deviceHash).select('fingerprint').where('fingerprint', 'in', fingerprints).execute(),

    /** Reads the photos of a device, newest first. */
    ofDevice: (eventId: string, deviceHash: Bytes) =>
      ofDevice(eventId, deviceHash).orderBy('created_at', 'desc').orderBy('id', 'desc').execute(),

    /** Reads the photos in the slideshow, oldest first: at most `limit`, or those in `ids`. */
    inSlideshow: (eventId: string, seenBy: Bytes | null, which: { limit: number } | { ids: string[] }) => {
      const all = seen(eventId, seenBy, true).orderBy('created_at').orderBy('id');
      return ('ids' in which ? all.where('id', 'in', which.ids) : all.limit(which.limit)).execute();
    },

    withKeys: async (id: string): Promise<PhotoWithKeys | undefined> => uncover(await keyedById(id))[0],

    setSlideshow: decisions.setSlideshow,

    /**
     * Names a new picture of a photo in its row, if the row still names the version `replaces`. Returns the picture that the row names
     * then; undefined if the photo is gone or its event is being purged. `posterOf`: the event of a video that gets its poster.
     * `withUpload`: the preview is the small one made with the upload.
     */
    async saveRendition(
      id: string,
      variant: Derived,
      { type, size, version }: Rendition,
      replaces: string | null,
      posterOf: string | null,
      withUpload = false,
    ): Promise<Rendition | undefined> {
      const columns = [`${variant}_type`, `${variant}_size`, `${variant}_attempt`] as const;
      const notPurging = kysely.selectFrom('events').select('id').where('purging_at', 'is', null);
      const save = (db: Kysely<Database>) =>
        db
          .updateTable('photos')
          .set({ [columns[0]]: type, [columns[1]]: size, [columns[2]]: version })
          // A server's preview replaces the one of a phone or an upload, which may be too small.
          .$if(variant === 'preview' && !withUpload, (query) =>
            query.set({ drawn_by: sql`case when drawn_by in ('phone', 'upload') then 'server' else drawn_by end` }),
          )
          .where('id', '=', id)
          .where(columns[2], replaces === null ? 'is' : '=', replaces)
          .where('event_id', 'in', notPurging)
          .returning('id');
      const saved = await (posterOf === null
        ? batch([save(kysely)]).then(([rows]) => rows?.[0])
        : transaction(async (trx) => {
            await lockEvent(trx, posterOf);
            const row = await save(trx).executeTakeFirst();
            if (row) await recordChange(trx, posterOf, 'poster', id);
            return row;
          }));
      if (saved) return { type, size, version };
      const now = await kysely
        .selectFrom('photos')
        .select(columns)
        .where('id', '=', id)
        .where('event_id', 'in', notPurging)
        .executeTakeFirst();
      return now && renditionOf(now, variant);
    },

    /** Makes a released photo wait for another decision before a device adds a picture that nobody has decided about. */
    askAgain: (photo: Pick<PhotoRow, 'id' | 'event_id'>, now: number): Promise<void> =>
      transaction(async (trx) => {
        await lockEvent(trx, photo.event_id);
        await decisions.askAgain(trx, photo, now);
      }),

    /** Reads received photos of an event that are not verified yet, behind the id `after`; with `ids` only these. */
    async unverified(eventId: string, ids: string[] | undefined, after: string, limit: number): Promise<PhotoWithKeys[]> {
      const received = keyed.where('photos.event_id', '=', eventId).where('photos.state', '=', 'received').where('photos.id', '>', after);
      const asked = ids ? received.where('photos.id', 'in', ids) : received;
      return uncover(await asked.orderBy('photos.id').limit(limit).execute());
    },

    /**
     * Writes the decoder's result for a received photo and runs `also`, unless another process was first. A released photo whose picture is
     * replaced waits for its release again.
     */
    saveVerification: (
      photo: Pick<PhotoRow, 'id' | 'event_id'>,
      settled: Pick<PhotoRow, 'state' | 'drawn_by'>,
      also: ((trx: Trx) => Promise<void>) | null,
      now: number,
    ): Promise<void> =>
      transaction(async (trx) => {
        const isReplaced = settled.drawn_by === 'replaced';
        if (also || isReplaced) await lockEvent(trx, photo.event_id);
        const received = trx.updateTable('photos').set(settled).where('id', '=', photo.id).where('state', '=', 'received');
        if (!(await received.returning('id').executeTakeFirst())) return;
        if (isReplaced) await decisions.askAgain(trx, photo, now);
        await also?.(trx);
      }),

    async describe(id: string, description: Bytes): Promise<void> {
      await kysely.updateTable('photos').set({ description }).where('id', '=', id).execute();
    },

    remove: (trx: Trx, photo: PhotoRow, describe: Describe | null) => removePhoto(trx, vault, photo, describe),

    async makeSample(id: string, receivedAt: number): Promise<void> {
      await kysely.updateTable('photos').set({ sample: 1, created_at: receivedAt }).where('id', '=', id).execute();
    },
  };
}

export type PhotoStore = ReturnType<typeof createPhotoStore>;
/** A photo with the columns of a list. */
export type ShownPhoto = Awaited<ReturnType<PhotoStore['ofDevice']>>[number];
