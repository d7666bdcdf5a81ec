import type { Photo } from '@feierbild/contract/entities.ts';
import { isGalleryWaiting } from '@feierbild/contract/gallery.ts';
import { lockEvent } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import type { EventRow, PhotoRow } from '../../database/rows.ts';
import type { ByteRange } from '../../http/byte-answer.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { BlobMissing, blobsOf, photoBlob, type Derived, type Variant } from '../../storage/blob-store.ts';
import type { Key } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import type { Audit } from '../audit/audit.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import { createCleanVideos } from './clean-videos.ts';
import type { Wish } from './decisions.store.ts';
import { cleanFileName } from './file-names.ts';
import { createPhotoLists } from './lists.ts';
import { isLarge, isSmall } from './photo-answer.ts';
import { createPhotoStore, renditionOf, type DescribedPhoto, type FoundPhoto, type PhotoWithKeys, type Rendition } from './photos.store.ts';
import { createPreviews } from './previews.ts';
import type { Describe } from './sender-names.store.ts';
import { createVerifying } from './verifying.ts';
import { createViewers } from './viewers.ts';

export { CLEANING } from './clean-videos.ts';
export { cleanFileName, previewName, splitFileName, trimDots, unnamed } from './file-names.ts';
export { hasOriginal } from './lists.ts';
export { photoAnswer } from './photo-answer.ts';
export type { FoundPhoto } from './photos.store.ts';
export type { Describe } from './sender-names.store.ts';
export { counters } from './counters.ts';
export { renditionOf } from './photos.store.ts';
export { isSameShape, newVersion, type Redrawn } from './previews.ts';

/** Photos that one call releases. */
const SHOWN_AT_ONCE = 100;

export type Photos = ReturnType<typeof createPhotos>;

interface Deps extends Pick<Context, 'db' | 'blobs' | 'vault' | 'decoder' | 'sealedMetadata' | 'clock' | 'log'> {
  audit: Pick<Audit, 'record'>;
  blobLife: BlobLife;
  /** Runs within the deleting transaction: the ZIP that lists the photo is outdated. */
  onDeleted(trx: Trx, photo: Pick<PhotoRow, 'id' | 'event_id' | 'created_at'>): Promise<void>;
}

/** The feature of stored photos: visibility, bytes, thumbnails and previews, deletion. */
export function createPhotos({ db, blobs, vault, decoder, sealedMetadata, blobLife, audit, clock, log, onDeleted }: Deps) {
  const store = createPhotoStore(db, vault);
  const lists = createPhotoLists({ db, blobs, store, vault, sealedMetadata, clock });
  const cleanVideos = createCleanVideos({ decoder, read: (found, range) => read(found, 'original', range) });
  const viewers = createViewers({ vault, sealedMetadata, clock, closed: lists.closed });
  const { seenAs, own } = viewers;
  const previews = createPreviews({ blobs, vault, decoder, store, blobLife, audit, clock, log, open });
  const verifying = createVerifying({ store, previews, vault, clock, mustExist, explained });

  /** Returns undefined for strings that are no id, too: requests may send anything. */
  const byId = async (photoId: string): Promise<PhotoWithKeys | undefined> => (isUuid(photoId) ? store.withKeys(photoId) : undefined);

  /** Throws Refusal photo_not_found. */
  async function mustExist(photoId: string): Promise<PhotoWithKeys> {
    const row = await byId(photoId);
    if (!row) throw new Refusal('photo_not_found');
    return row;
  }

  /** Finds a photo for the host of its event and its own device; throws Refusal photo_not_found for all others, without decrypting. */
  async function find(visitor: Visitor, photoId: string): Promise<DescribedPhoto> {
    const found = own(visitor, await mustExist(photoId));
    if (!found) throw new Refusal('photo_not_found');
    return found;
  }

  /**
   * Translates a failure to read a photo. A missing blob of a photo that still has its row is a loss in the store, or a store that shows an
   * empty folder (Unavailable). Otherwise the photo was deleted (Refusal photo_not_found).
   */
  async function explained(photoId: string, error: unknown): Promise<unknown> {
    if (!(error instanceof BlobMissing)) return error;
    return (await store.withKeys(photoId)) ? new Unavailable('store', error) : new Refusal('photo_not_found', { cause: error });
  }

  async function make({ row, openKey }: FoundPhoto, variant: Derived): Promise<FoundPhoto | null> {
    const making = variant === 'large' ? previews.large(row, openKey) : previews.now(row, variant, openKey);
    const made = await making.catch(async (error: unknown) => {
      // Every photo needs a thumbnail.
      if (variant !== 'thumbnail' && isDiskFull(error)) return null;
      throw await explained(row.id, error);
    });
    if (!made) return null;
    const columns = { [`${variant}_type`]: made.type, [`${variant}_size`]: made.size, [`${variant}_attempt`]: made.version };
    return { row: { ...row, ...columns }, openKey };
  }

  function open(key: Key, row: PhotoRow, variant: Variant, range?: ByteRange): AsyncGenerator<Bytes> {
    const { size, version } = renditionOf(row, variant) as Rendition;
    const blob = photoBlob(row.event_id, row.id, variant, version);
    return vault.openBlob(key, { eventId: row.event_id, photoId: row.id, variant }, size, (sealed) => blobs.read(blob, sealed), range);
  }

  /** Reads bytes of a blob. Throws Tampered; for the original what `explained` returns; else BlobMissing: those can be made anew. */
  async function* read({ row, openKey }: FoundPhoto, variant: Variant, range: ByteRange): AsyncGenerator<Bytes> {
    using key = openKey();
    try {
      yield* open(key, row, variant, range);
    } catch (error) {
      throw variant === 'original' ? await explained(row.id, error) : error;
    }
  }

  /**
   * Sets or flips the slideshow flag of a photo, for its host, or for the helper of an event with release; returns the new flag. `waiting`:
   * the photo waits for its release again. Throws Refusal photo_not_found, demo_fixed, decided_elsewhere, picture_replaced.
   */
  async function setSlideshow(visitor: Visitor, photoId: string, wish: Wish): Promise<boolean> {
    const row = await mustExist(photoId);
    if (visitor.host && row.demo === 1 && !viewers.device(visitor, row))
      throw new Refusal(row.sample === 1 ? 'demo_fixed' : 'photo_not_found');
    // In the demo a visitor may also decide about a photo that no other visitor sees.
    const found = seenAs('host', visitor, row) ?? seenAs('helper', visitor, row) ?? (row.demo === 1 ? viewers.device(visitor, row) : null);
    if (!found || [visitor.host, visitor.helper].every((by) => by?.eventId !== row.event_id)) throw new Refusal('photo_not_found');
    const flag = await store.setSlideshow(found, { ...wish, now: clock.now() });
    if (flag === undefined) throw new Refusal('photo_not_found');
    return flag;
  }

  return {
    ...lists,
    previews,
    /** Does not check the visitor: for `findShown`, and for callers with a key of their own. */
    byId,
    find,

    /** Lists a device's photos; empty while its guest awaits a reveal. */
    ofDevice: async (event: EventRow, deviceId: string): Promise<Photo[]> =>
      event.gallery_own_meanwhile === 0 && isGalleryWaiting(event, clock.now()) ? [] : lists.ofDevice(event.id, deviceId),

    /** Finds a photo to look at (`access.ts`); `own` is set for its host and its device. Throws Refusal photo_not_found, gallery_closed. */
    findShown(visitor: Visitor, row: PhotoWithKeys | undefined): FoundPhoto & { own: DescribedPhoto | null } {
      const found = row && viewers.shown(visitor, row);
      if (!found) throw new Refusal('photo_not_found');
      verifying.left(found);
      return found;
    },

    /** Finds a photo for a guest of the gallery. Throws Refusal photo_not_found, gallery_closed. */
    findInGallery(visitor: Pick<Visitor, 'gallery'>, row: PhotoWithKeys | undefined): FoundPhoto {
      const found = row && seenAs('guest', visitor, row);
      if (!found) throw new Refusal('photo_not_found');
      return found;
    },

    verified: verifying.verified,
    verifyReceived: verifying.received,

    setSlideshow,

    /**
     * Releases up to SHOWN_AT_ONCE of the waiting photos stored up to `until`, without `except`. Returns how many photos still wait, 0 if
     * it has released all that it should.
     */
    async showWaiting(
      event: EventRow,
      visitor: Visitor,
      { until, except = [] }: { until: number; except?: readonly string[] | undefined },
    ): Promise<{ left: number }> {
      // Pictures that are being replaced are refused, and must not stand in the way of the others.
      const settled = event.with_release === 1;
      const all = await store.waiting(event.id, { after: 0, limit: SHOWN_AT_ONCE + 1 + except.length, settled });
      const wanted = all.filter(({ id, position }) => position <= until && !except.includes(id));
      for (const { id } of wanted.slice(0, SHOWN_AT_ONCE)) {
        await setSlideshow(visitor, id, { value: true, believed: 'waiting' }).catch((error: unknown) => {
          // The photo was deleted, decided about by somebody else, or has another picture than anybody has seen.
          if (!(error instanceof Refusal && ['photo_not_found', 'decided_elsewhere', 'picture_replaced'].includes(error.code))) throw error;
        });
      }
      return { left: wanted.length > SHOWN_AT_ONCE ? await store.countWaiting(event.id) : 0 };
    },

    /**
     * Stores the still picture of a video that has none, for its host and its device. Throws Refusal photo_not_found, not_a_photo,
     * poster_refused.
     */
    async setPoster(visitor: Visitor, photoId: string, readPicture: () => Promise<Bytes>): Promise<void> {
      const { row, openKey } = await find(visitor, photoId);
      if (row.codecs === null) throw new Refusal('photo_not_found');
      if (renditionOf(row, 'preview')) return;
      await previews.poster(row, await readPicture(), openKey, seenAs('host', visitor, row) !== null);
    },

    behind: store.behind,

    /** Returns the photo with its preview; makes a missing one, and a larger one for a `wide` screen. Null if it has none. */
    async withPreview(found: FoundPhoto, wide = false): Promise<FoundPhoto | null> {
      if (!renditionOf(found.row, 'preview')) return make(found, 'preview');
      return wide && isSmall(found.row) ? ((await make(found, 'preview')) ?? found) : found;
    },

    /** Returns the photo as a wall shows it, in a locked slideshow or the host's; null if the wall does not show it. */
    onWall: viewers.onWall,

    /** Returns the photo with its large picture, and makes a missing one; null if the original has no more pixels, or none can be made. */
    async withLarge(found: FoundPhoto): Promise<FoundPhoto | null> {
      if (!isLarge(found.row)) return null;
      return renditionOf(found.row, 'large') ? found : make(found, 'large');
    },

    /** Makes a lost or changed picture anew; null if it cannot be made, or the disk has room for the thumbnail alone. */
    async heal(found: FoundPhoto, variant: Derived): Promise<FoundPhoto | null> {
      const row = await mustExist(found.row.id);
      // Another request, here or on another node, has made it.
      if (row[`${variant}_attempt`] !== found.row[`${variant}_attempt`]) return { ...found, row };
      log.warn({ photo: row.id, variant }, 'a rendition was lost and is made anew');
      return make(found, variant);
    },

    read,
    explained,

    /** Throws Refusal video_not_shared for a video without a copy that hides the location; photos always pass. */
    async mustBeShareable(found: FoundPhoto): Promise<void> {
      if (found.row.codecs !== null) await cleanVideos.check(found);
    },

    /** Reads the copy without location of a video, as long as the original. Throws Refusal video_not_shared. */
    readClean: cleanVideos.read,

    /**
     * Deletes row, keys and counters in one transaction, in which `also` runs first; then the bytes. `describe`: of the viewer who deletes.
     * Throws Refusal demo_fixed for a sample, photo_not_found.
     */
    async remove(
      { row, describe = null }: { row: PhotoRow; describe?: Describe | null },
      also?: (trx: Trx) => Promise<void>,
    ): Promise<void> {
      if (row.sample === 1) throw new Refusal('demo_fixed');
      await blobLife.changeBlobs({
        dropped: blobsOf(row).map(({ key }) => key),
        commit: () =>
          db.transaction(async (trx) => {
            await lockEvent(trx, row.event_id);
            await also?.(trx);
            const removed = await store.remove(trx, row, describe);
            if (!removed) throw new Refusal('photo_not_found');
            await onDeleted(trx, row);
            return removed;
          }),
        unnamed: (gone) => gone,
      });
    },

    /** Renames a photo, for the device that has sent it. */
    async rename(deviceId: string, { row, describe }: DescribedPhoto, filename: string): Promise<void> {
      const photo = { eventId: row.event_id, photoId: row.id };
      using guestKey = vault.guestKey(deviceId, row.event_id);
      const description = { ...describe(), filename: cleanFileName(filename, row.type) };
      await store.describe(row.id, vault.sealDescription(guestKey, description, photo));
    },

    /** Makes a photo one of the demo's samples, with a chosen time of receipt. */
    makeSample: store.makeSample,
    close: previews.close,
  };
}
