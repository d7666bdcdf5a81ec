import type { Photo } from '@feierbild/contract/entities.ts';
import { isGalleryWaiting } from '@feierbild/contract/gallery.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import { lockEvent } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import { inPages } from '../../database/pieces.ts';
import type { EventRow, PhotoRow } from '../../database/schema.ts';
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
import { sealGuestName } from '../photo-keys/photo-keys.ts';
import { createCleanVideos } from './clean-videos.ts';
import type { Wish } from './decisions.store.ts';
import { cleanFileName } from './file-names.ts';
import { createPhotoLists, isLarge, isSmall } from './lists.ts';
import { createPhotoStore, renditionOf, type DescribedPhoto, type FoundPhoto, type PhotoWithKeys, type Rendition } from './photos.store.ts';
import { createPreviews } from './previews.ts';
import { createViewers } from './viewers.ts';

export { CLEANING } from './clean-videos.ts';
export { cleanFileName, previewName, splitFileName, trimDots, unnamed } from './file-names.ts';
export { hasOriginal, photoAnswer } from './lists.ts';
export type { FoundPhoto } from './photos.store.ts';
export { counters } from './counters.ts';
export { renditionOf } from './photos.store.ts';
export { isSameShape, newVersion, type Redrawn } from './previews.ts';

/** A received photo that is not verified after this time was left by a process that ended. */
const LEFT_MS = 60_000;

/** Photos that are released in one call. */
const SHOWN_AT_ONCE = 100;

export type Photos = ReturnType<typeof createPhotos>;

interface Deps extends Pick<Context, 'db' | 'blobs' | 'vault' | 'decoder' | 'sealedMetadata' | 'clock' | 'log'> {
  audit: Pick<Audit, 'record'>;
  blobLife: BlobLife;
  /** Runs within the deleting transaction (the ZIP that lists the photo is no longer true). */
  onDeleted(trx: Trx, photo: Pick<PhotoRow, 'id' | 'event_id' | 'created_at'>): Promise<void>;
}

/** Stored photos: who sees which, their bytes, their thumbnails and previews, their end. */
export function createPhotos({ db, blobs, vault, decoder, sealedMetadata, blobLife, audit, clock, log, onDeleted }: Deps) {
  const store = createPhotoStore(db, vault);
  const lists = createPhotoLists({ db, blobs, store, vault, sealedMetadata, clock });
  const cleanVideos = createCleanVideos({ decoder, read: (found, range) => read(found, 'original', range) });
  const viewers = createViewers({ vault, sealedMetadata, clock, closed: lists.closed });
  const { seenAs, own } = viewers;
  const previews = createPreviews({ blobs, vault, decoder, store, blobLife, audit, clock, log, open });

  /** Undefined also for what is no id, as requests may send it. */
  const byId = async (photoId: string): Promise<PhotoWithKeys | undefined> => (isUuid(photoId) ? store.withKeys(photoId) : undefined);

  /** Throws Refusal photo_not_found. */
  async function mustExist(photoId: string): Promise<PhotoWithKeys> {
    const row = await byId(photoId);
    if (!row) throw new Refusal('photo_not_found');
    return row;
  }

  /** For the host of its event and its own device; Refusal photo_not_found to all others, without any decryption. */
  async function find(visitor: Visitor, photoId: string): Promise<DescribedPhoto> {
    const found = own(visitor, await mustExist(photoId));
    if (!found) throw new Refusal('photo_not_found');
    return found;
  }

  /**
   * The meaning of a failure to read a photo. A missing blob means a deleted photo (Refusal photo_not_found) only if the row is gone, too.
   * Else the store has lost it, or shows an empty folder (Unavailable).
   */
  async function explained(photoId: string, error: unknown): Promise<unknown> {
    if (!(error instanceof BlobMissing)) return error;
    return (await store.withKeys(photoId)) ? new Unavailable('store', error) : new Refusal('photo_not_found', { cause: error });
  }

  async function make({ row, openKey }: FoundPhoto, variant: Derived): Promise<FoundPhoto | null> {
    const making = variant === 'large' ? previews.large(row, openKey) : previews.now(row, variant, openKey);
    const made = await making.catch(async (error: unknown) => {
      // A photo has a thumbnail at least.
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

  /** Bytes of one of the photo's blobs. Throws Tampered; of the original what `explained` says, of the others BlobMissing: they can be made anew. */
  async function* read({ row, openKey }: FoundPhoto, variant: Variant, range: ByteRange): AsyncGenerator<Bytes> {
    using key = openKey();
    try {
      yield* open(key, row, variant, range);
    } catch (error) {
      throw variant === 'original' ? await explained(row.id, error) : error;
    }
  }

  function mustHaveOriginal(found: FoundPhoto): FoundPhoto {
    if (!STATE_RULES[found.row.state].handedOut) throw new Refusal('original_missing');
    return found;
  }

  /** Verifies a photo whose process ended before it did: only a viewer of the photo has its key. */
  function verifyLeft({ row, openKey }: FoundPhoto): void {
    if (row.state !== 'received' || row.created_at > clock.now() - LEFT_MS) return;
    using key = openKey();
    previews.later(row, key);
  }

  /**
   * Sets or flips the flag of a photo, for the host of its event, or for the helper where it is about the photo's release; the new one.
   * `waiting`: it waits for its release again. Throws Refusal photo_not_found, demo_fixed, decided_elsewhere,
   * picture_replaced.
   */
  async function setSlideshow(visitor: Visitor, photoId: string, wish: Wish): Promise<boolean> {
    const row = await mustExist(photoId);
    if (visitor.host && row.demo === 1 && !viewers.device(visitor, row))
      throw new Refusal(row.sample === 1 ? 'demo_fixed' : 'photo_not_found');
    const { event_id, device_hash } = row;
    const photo = { eventId: event_id, photoId };
    // In the demo also of a photo that its visitor alone sees.
    const found = seenAs('host', visitor, row) ?? seenAs('helper', visitor, row) ?? (row.demo === 1 ? viewers.device(visitor, row) : null);
    if (!found || [visitor.host, visitor.helper].every((by) => by?.eventId !== event_id)) throw new Refusal('photo_not_found');
    const flag = await store.setSlideshow(photoId, event_id, { ...wish, now: clock.now() }, (galleryKey) => {
      using key = found.openKey();
      const guest = { event_id, device_hash };
      const name = sealGuestName(vault, galleryKey, guest, found.describe().deviceName);
      return { key: vault.sealForGallery(galleryKey, key, photo), guest: { ...guest, name } };
    });
    if (flag === undefined) throw new Refusal('photo_not_found');
    return flag;
  }

  return {
    ...lists,
    previews,
    /** Without a check of the visitor: for `findShown`, and callers that have a key of their own. */
    byId,
    find,

    /** Before a reveal that the guest awaits, too: nothing. */
    ofDevice: async (event: EventRow, deviceId: string): Promise<Photo[]> =>
      event.gallery_own_meanwhile === 0 && isGalleryWaiting(event, clock.now()) ? [] : lists.ofDevice(event.id, deviceId),

    /** To look at (`access.ts`); `own` to its host and its device alone. Throws Refusal photo_not_found, gallery_closed. */
    findShown(visitor: Visitor, row: PhotoWithKeys | undefined): FoundPhoto & { own: DescribedPhoto | null } {
      const found = row && viewers.shown(visitor, row);
      if (!found) throw new Refusal('photo_not_found');
      verifyLeft(found);
      return found;
    },

    /** The same for a guest in the gallery alone. Throws Refusal photo_not_found, gallery_closed. */
    findInGallery(visitor: Pick<Visitor, 'gallery'>, row: PhotoWithKeys | undefined): FoundPhoto {
      const found = row && seenAs('guest', visitor, row);
      if (!found) throw new Refusal('photo_not_found');
      return found;
    },

    /** The same, verified, for what leaves the house. Throws Refusal original_missing. */
    async verified(found: FoundPhoto): Promise<FoundPhoto> {
      if (found.row.state !== 'received') return mustHaveOriginal(found);
      await previews.verify(found.row, found.openKey).catch(async (error: unknown) => {
        throw await explained(found.row.id, error);
      });
      return mustHaveOriginal({ ...found, row: await mustExist(found.row.id) });
    },

    /** Verifies the received photos of an event, or these of its photos, with its private key. Throws where an original is lost. */
    async verifyReceived(eventId: string, eventKey: Bytes, { ids, signal }: { ids?: string[]; signal?: AbortSignal }): Promise<void> {
      for await (const row of inPages((after, limit) => store.unverified(eventId, ids, after, limit))) {
        signal?.throwIfAborted();
        const openKey = () => vault.openPhotoKey(eventKey, row.sealed_for_event, { eventId, photoId: row.id });
        await previews.verify(row, openKey).catch(async (error: unknown) => {
          throw await explained(row.id, error);
        });
      }
    },

    setSlideshow,

    /**
     * Shows a piece of the waiting photos: those stored up to `until`, without `except`. Returns how many wait in all if it leaves some of
     * them, else 0.
     */
    async showWaiting(
      event: EventRow,
      visitor: Visitor,
      { until, except = [] }: { until: number; except?: readonly string[] | undefined },
    ): Promise<{ left: number }> {
      const all = await store.waiting(event.id, { after: 0, limit: SHOWN_AT_ONCE + 1 + except.length });
      const wanted = all.filter(({ id, position }) => position <= until && !except.includes(id));
      for (const { id } of wanted.slice(0, SHOWN_AT_ONCE)) {
        await setSlideshow(visitor, id, { value: true, believed: 'waiting' }).catch((error: unknown) => {
          // Deleted, decided about by somebody else, or another picture than anybody has seen.
          if (!(error instanceof Refusal && ['photo_not_found', 'decided_elsewhere', 'picture_replaced'].includes(error.code))) throw error;
        });
      }
      return { left: wanted.length > SHOWN_AT_ONCE ? await store.countWaiting(event.id) : 0 };
    },

    /** Takes a still picture of a video that has none from its device or its host. Throws Refusal photo_not_found, not_a_photo, poster_refused. */
    async setPoster(visitor: Visitor, photoId: string, readPicture: () => Promise<Bytes>): Promise<void> {
      const { row, openKey } = await find(visitor, photoId);
      if (row.codecs === null) throw new Refusal('photo_not_found');
      if (renditionOf(row, 'preview')) return;
      await previews.poster(row, await readPicture(), openKey);
    },

    behind: store.behind,

    /** The photo with its preview, made now where it has none, or only a small one and a `wide` screen asks; null where none can be made, or there is no room for one. */
    async withPreview(found: FoundPhoto, wide = false): Promise<FoundPhoto | null> {
      if (!renditionOf(found.row, 'preview')) return make(found, 'preview');
      return wide && isSmall(found.row) ? ((await make(found, 'preview')) ?? found) : found;
    },

    /** As a wall shows it, in a locked slideshow or its host's; undefined where it does not. */
    onWall: viewers.onWall,

    /** The photo with its large picture, made now where it has none; null where its original shows no more than its preview, or none can be made. */
    async withLarge(found: FoundPhoto): Promise<FoundPhoto | null> {
      if (!isLarge(found.row)) return null;
      return renditionOf(found.row, 'large') ? found : make(found, 'large');
    },

    /** The photo with its pictures made anew, for a lost or changed blob; null: they cannot be made, or there is room for the thumbnail alone. */
    async heal(found: FoundPhoto, variant: Derived): Promise<FoundPhoto | null> {
      const row = await mustExist(found.row.id);
      // Another request, here or on another node, was first.
      if (row[`${variant}_attempt`] !== found.row[`${variant}_attempt`]) return { ...found, row };
      log.warn({ photo: row.id, variant }, 'a rendition was lost and is made anew');
      return make(found, variant);
    },

    read,
    explained,

    /** Throws Refusal video_not_shared for a video of which there is no copy without location; photos always pass. */
    async mustBeShareable(found: FoundPhoto): Promise<void> {
      if (found.row.codecs !== null) await cleanVideos.check(found);
    },

    /** The same of a video, as a copy of the same length without location. Throws Refusal video_not_shared. */
    readClean: cleanVideos.read,

    /**
     * Deletes row, keys and counters at once, behind what `also` does in the same transaction; then the bytes. Throws Refusal
     * demo_fixed for a sample, photo_not_found.
     */
    async remove({ row }: { row: PhotoRow }, also?: (trx: Trx) => Promise<void>): Promise<void> {
      if (row.sample === 1) throw new Refusal('demo_fixed');
      await blobLife.changeBlobs({
        dropped: blobsOf(row).map(({ key }) => key),
        commit: () =>
          db.transaction(async (trx) => {
            await lockEvent(trx, row.event_id);
            await also?.(trx);
            const removed = await store.remove(trx, row);
            if (!removed) throw new Refusal('photo_not_found');
            await onDeleted(trx, row);
            return removed;
          }),
        unnamed: (gone) => gone,
      });
    },

    /** Gives a photo another file name, for the device that has sent it. */
    async rename(deviceId: string, { row, describe }: DescribedPhoto, filename: string): Promise<void> {
      const photo = { eventId: row.event_id, photoId: row.id };
      using guestKey = vault.guestKey(deviceId, row.event_id);
      const description = { ...describe(), filename: cleanFileName(filename, row.type) };
      await store.describe(row.id, vault.sealDescription(guestKey, description, photo));
    },

    /** Makes a photo one of the demo's samples, received at an instant of its choice. */
    makeSample: store.makeSample,
    close: previews.close,
  };
}
