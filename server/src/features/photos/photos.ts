import type { Db, Trx } from '../../database/open.ts';
import type { ByteRange } from '../../http/byte-answer.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Decoder } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { BlobMissing, blobsOf, photoBlob, type BlobStore, type Derived, type PhotoBlobs, type Variant } from '../../storage/blob-store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import { createPhotoAccess, type FoundPhoto, type PhotoAccess } from './access.ts';
import { createCleanVideos, type CleanSource } from './clean-videos.ts';
import { createPhotoLists, type PhotoLists } from './lists.ts';
import { createPhotoStore, renditionOf, type PhotoWithKeys } from './photos.store.ts';
import { createPreviews, sourceOf, type Previews } from './previews.ts';

export type { FoundPhoto } from './access.ts';
export { CLEANING } from './clean-videos.ts';
export { cleanFileName, splitFileName, trimDots, unnamed } from './file-names.ts';
export { hasOriginal, photoAnswer } from './lists.ts';
export { sourceOf } from './previews.ts';

export interface Photos extends PhotoLists, Omit<PhotoAccess, 'mustExist' | 'byDevice'> {
  /** Sets or flips the flag of a photo of the host's event; the new one. Throws Refusal photo_not_found, demo_fixed. */
  setSlideshow(visitor: Visitor & { host: HostVisitor }, photoId: string, value: boolean | undefined): Promise<boolean>;
  /** Takes a still picture of a video that has none from its device or its host. Throws Refusal photo_not_found, not_a_photo, poster_refused. */
  setPoster(visitor: Visitor, photoId: string, readPicture: () => Promise<Bytes>): Promise<void>;
  /** Without a check of the visitor: for callers that have a key of their own. */
  byId(photoId: string): Promise<PhotoWithKeys | undefined>;
  /** The photo with its preview, made now where it has none; null where none can be made, or there is no room for one. */
  withPreview(found: FoundPhoto): Promise<FoundPhoto | null>;
  /** The photo with a thumbnail or preview made anew, for a blob that is lost or was changed; null where none can be made, or there is no room for a preview. */
  heal(found: FoundPhoto, variant: Derived): Promise<FoundPhoto | null>;
  /** Bytes of one of the photo's blobs; `size` is its plain size. Throws BlobMissing, Tampered. */
  read(found: FoundPhoto, variant: Variant, size: number, range: ByteRange): AsyncIterable<Bytes>;
  /**
   * What a failure to read a photo means: one whose blob is missing was deleted (Refusal photo_not_found) only where its row is gone,
   * too; else the store has lost it, or shows an empty folder (Unavailable).
   */
  explained(photoId: string, error: unknown): Promise<unknown>;
  /** Throws Refusal video_not_shared for a video of which there is no copy without location; photos always pass. */
  mustBeShareable(found: FoundPhoto): Promise<void>;
  /** The same of a video, as a copy of the same length without location. Throws Refusal video_not_shared. */
  readClean(found: FoundPhoto, range: ByteRange): AsyncIterable<Bytes>;
  /**
   * Deletes row, keys and counters at once, with what `also` does in the same transaction; then the bytes. Throws Refusal
   * demo_fixed for a sample.
   */
  remove(found: Pick<FoundPhoto, 'row'>, also?: (trx: Trx) => Promise<void>): Promise<void>;
  /** Makes a photo one of the demo's samples, received at an instant of its choice. */
  makeSample(photoId: string, receivedAt: number): Promise<void>;
  /** Background previews, for uploads. */
  previews: Pick<Previews, 'later' | 'hold'>;
  close(): Promise<void>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  vault: Vault;
  decoder: Decoder;
  descriptions: Descriptions;
  life: BlobLife;
  log: Log;
  /** Runs within the deleting transaction (the ZIP that lists the photo is no longer true). */
  onDeleted(trx: Trx, eventId: string, receivedAt: number): Promise<void>;
}

export function createPhotos({ db, blobs, vault, decoder, descriptions, life, log, onDeleted }: Parts): Photos {
  const store = createPhotoStore(db, vault);
  const { mustExist, byDevice, ...access } = createPhotoAccess({ store, vault, descriptions });
  const lists = createPhotoLists({ db, blobs, store, vault, descriptions });
  const cleanVideos = createCleanVideos({ decoder });
  const previews = createPreviews({ blobs, vault, decoder, store, life, log });

  async function make({ row, openKey }: FoundPhoto, variant: Derived): Promise<FoundPhoto | null> {
    const made = await previews.now(sourceOf(row, variant), variant, openKey).catch((error: unknown) => {
      // A photo has a thumbnail at least.
      if (variant === 'preview' && error instanceof Refusal && error.code === 'disk_full') return null;
      throw error;
    });
    if (!made) return null;
    const columns = { [`${variant}_type`]: made.type, [`${variant}_size`]: made.size, [`${variant}_attempt`]: made.attempt };
    return { row: { ...row, ...columns }, openKey };
  }

  async function* read({ row, openKey }: FoundPhoto, variant: Variant, size: number, range: ByteRange): AsyncGenerator<Bytes> {
    using key = openKey();
    const blob = photoBlob(row.event_id, row.id, variant, variant === 'original' ? null : row[`${variant}_attempt`]);
    yield* vault.openBlob(key, { eventId: row.event_id, photoId: row.id, variant }, size, (sealed) => blobs.read(blob, sealed), range);
  }

  function cleanSource(found: FoundPhoto): CleanSource {
    const { id, event_id: owner, size } = found.row;
    return { id, owner, size, read: (range) => read(found, 'original', size, range) };
  }

  return {
    ...lists,
    ...access,
    previews,

    async setSlideshow(visitor, photoId, value) {
      const { host } = visitor;
      const row = await mustExist(photoId);
      if (row.demo === 1 && !byDevice(visitor.deviceId, row)) throw new Refusal(row.sample === 1 ? 'demo_fixed' : 'photo_not_found');
      const flag = await store.setSlideshow(photoId, host.eventId, value);
      if (flag === undefined) throw new Refusal('photo_not_found');
      return flag;
    },

    async setPoster(visitor, photoId, readPicture) {
      const { row, openKey } = await access.find(visitor, photoId);
      if (row.codecs === null) throw new Refusal('photo_not_found');
      if (renditionOf(row, 'preview')) return;
      await previews.poster(row, await readPicture(), openKey);
    },

    byId: (photoId) => store.withKeys(photoId),

    withPreview: async (found) => (renditionOf(found.row, 'preview') ? found : make(found, 'preview')),

    async heal(found, variant) {
      const row = await mustExist(found.row.id);
      // Another request, here or on another node, was first.
      if (row[`${variant}_attempt`] !== found.row[`${variant}_attempt`]) return { ...found, row };
      log.warn({ photo: row.id, variant }, 'a rendition was lost and is made anew');
      return make(found, variant);
    },

    read,

    async explained(photoId, error) {
      if (!(error instanceof BlobMissing)) return error;
      return (await store.withKeys(photoId)) ? new Unavailable('store', error) : new Refusal('photo_not_found', { cause: error });
    },

    async mustBeShareable(found) {
      if (found.row.codecs !== null) await cleanVideos.check(cleanSource(found));
    },

    readClean: (found, range) => cleanVideos.read(cleanSource(found), range),

    async remove({ row }, also) {
      if (row.sample === 1) throw new Refusal('demo_fixed');
      const keysOf = (photo: PhotoBlobs): string[] => blobsOf(photo).map(({ key }) => key);
      await life.change({
        dropped: keysOf(row),
        commit: () =>
          db.transaction(async (trx) => {
            const removed = await store.remove(trx, row);
            if (!removed) throw new Refusal('photo_not_found');
            await onDeleted(trx, row.event_id, row.created_at);
            await also?.(trx);
            return removed;
          }),
        unnamed: keysOf,
      });
    },

    makeSample: store.makeSample,
    close: () => previews.close(),
  };
}
