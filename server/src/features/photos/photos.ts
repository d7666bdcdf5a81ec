import { timingSafeEqual } from 'node:crypto';
import type { Photo, PhotosAfter, SlideshowChanges, SlideshowPage } from '@feierbild/contract/entities.ts';
import { readChanges } from '../../database/changes.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { EventRow } from '../../database/schema.ts';
import type { ByteRange } from '../../http/byte-answer.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Decoder } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { blobsOf, photoBlob, type BlobStore, type Derived, type Variant } from '../../storage/blob-store.ts';
import type { PhotoDescription, Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import { deviceHash } from '../devices/devices.ts';
import { createCleanVideos } from './clean-videos.ts';
import { createPhotoStore, renditionOf, type PhotoWithKeys, type ShownPhoto } from './photos.store.ts';
import { createPreviews, sourceOf, type Previews } from './previews.ts';

export { cleanFileName } from './file-names.ts';
export { sourceOf } from './previews.ts';

/** No device has this hash. */
const NOBODY: Bytes = Buffer.alloc(0);

/** What is said of a photo to those who may not know who took it, with which name and when. */
const NAMELESS: PhotoDescription = { deviceName: '', filename: '', takenAt: null };

/** A photo that the visitor may see. Its key is opened only when bytes are read. */
export interface FoundPhoto {
  row: PhotoWithKeys;
  openKey(): Bytes;
}
/** One that the visitor may also know by its names. */
export interface DescribedPhoto extends FoundPhoto {
  describe(): PhotoDescription;
}

/** A photo may be committed after one that was received later. */
const SLIDESHOW_OVERLAP_MS = 30_000;

/** What decides who sees which photos of an event. */
export type ShownEvent = Pick<EventRow, 'id' | 'demo'>;

export interface PhotoList {
  photos: Photo[];
  pagination: { page: number; per_page: number; total: number; total_pages: number };
}

export interface Photos {
  /** What the visitor sees of an event: a host everything, in the demo the samples and the own photos. */
  page(event: ShownEvent, visitor: Visitor, query: { page: number; per_page: number; sort: 'oldest' | 'newest' }): Promise<PhotoList>;
  /** The same, up to `limit` photos stored after the position `after`, in the order in which they were stored. */
  after(event: ShownEvent, visitor: Visitor, after: number, limit: number): Promise<PhotosAfter>;
  /** What a device uploaded to an event, newest first. */
  ofDevice(eventId: string, deviceId: string): Promise<Photo[]>;
  /** Those of them that have one of these fingerprints (base64url). */
  known(eventId: string, deviceId: string, fingerprints: string[]): Promise<{ fingerprint: string; photo: Photo }[]>;
  /**
   * The photos in the slideshow, or those received since an instant, ms (and some from shortly before). `total` counts all in
   * it; only a host learns names and times of capture. Throws Refusal slideshow_disabled or event_not_found.
   */
  slideshow(
    event: ShownEvent,
    visitor: Visitor,
    since: number | null,
  ): Promise<{ photos: Photo[]; random: boolean; names: boolean; total: number }>;
  /** The same, page by page: up to `limit` photos behind the position `after`. Changes after `seq` may not be in it. */
  slideshowPage(event: ShownEvent, visitor: Visitor, after: number, limit: number): Promise<SlideshowPage>;
  /** What was put into the slideshow and what was taken out after the change `seq`. */
  slideshowChanges(event: ShownEvent, visitor: Visitor, seq: number): Promise<SlideshowChanges>;
  /** Sets or flips the flag of a photo of the host's event; the new one. Throws Refusal photo_not_found, demo_fixed. */
  setSlideshow(visitor: Visitor & { host: HostVisitor }, photoId: string, value: boolean | undefined): Promise<boolean>;
  /** For the host of its event and its own device; Refusal photo_not_found to all others, without any decryption. */
  find(visitor: Visitor, photoId: string): Promise<DescribedPhoto>;
  /** For thumbnail and preview: the same, and a locked slideshow as long as it shows the photo. */
  findPicture(visitor: Visitor, photoId: string): Promise<FoundPhoto>;
  /** A video to play: for its host and its device as it came, for a locked slideshow that shows it without its place. */
  findVideo(visitor: Visitor, photoId: string): Promise<{ found: FoundPhoto; clean: boolean }>;
  /** Takes a still picture of a video from the device that sent it, if it has none. Throws Refusal photo_not_found, not_a_photo, poster_refused. */
  setPoster(deviceId: string, photoId: string, readPicture: () => Promise<Bytes>): Promise<void>;
  /** Without a question who asks: for those who bring a key of their own. */
  byId(photoId: string): Promise<PhotoWithKeys | undefined>;
  /** The photo with its preview, made now where it has none; null where none can be made. */
  withPreview(found: FoundPhoto): Promise<FoundPhoto | null>;
  /** The photo with a thumbnail or preview made anew, for a blob that is lost or was changed; null where none can be made. */
  heal(found: FoundPhoto, variant: Derived): Promise<FoundPhoto | null>;
  /** Bytes of one of the photo's blobs; `size` is its plain size. Throws BlobMissing, Tampered. */
  read(found: FoundPhoto, variant: Variant, size: number, range: ByteRange): AsyncIterable<Bytes>;
  /** The same of a video, as a copy of the same length that tells no place. */
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
  log: Log;
  /** Runs within the deleting transaction (the ZIP that lists the photo is no longer true). */
  onDeleted(trx: Trx, eventId: string, receivedAt: number): Promise<void>;
}

export function createPhotos({ db, blobs, vault, decoder, descriptions, log, onDeleted }: Parts): Photos {
  const store = createPhotoStore(db, vault);
  const cleanVideos = createCleanVideos({ decoder });
  const previews = createPreviews({ blobs, vault, decoder, store, log });

  async function mustExist(photoId: string): Promise<PhotoWithKeys> {
    const row = isUuid(photoId) ? await store.withKeys(photoId) : undefined;
    if (!row) throw new Refusal('photo_not_found');
    return row;
  }

  /** With the event's key, where the session is of the photo's event. */
  function ofEvent(session: HostVisitor | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (session?.eventId !== row.event_id) return null;
    if (row.demo === 1 && row.sample === 0) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openPhotoKey(session.openEventKey(), row.sealed_for_event, photo),
      describe: () => descriptions.byEventKey(session.openEventKey)(row),
    };
  }

  /** With the device's key, where the device uploaded the photo. */
  function ofDevice(deviceId: string | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (deviceId === null || !timingSafeEqual(deviceHash(vault, deviceId, row.event_id), row.device_hash)) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openForDevice(row.wrapped_for_device, deviceId, photo),
      describe: () => descriptions.byDevice(deviceId, row.event_id)(row),
    };
  }

  /** In the demo strangers share one login: each sees the samples, and beside them this device's photos. Null: everything. */
  function seenBy(event: ShownEvent, { deviceId }: Visitor): Bytes | null {
    if (event.demo === 0) return null;
    return deviceId === null ? NOBODY : deviceHash(vault, deviceId, event.id);
  }

  /** Photos of an event as its host sees them; others, like a locked slideshow, see them without names. */
  function answersFor({ host }: Visitor, event: ShownEvent): (row: ShownPhoto) => Photo {
    if (host?.eventId !== event.id) return (row) => photoAnswer(row, NAMELESS);
    const describe = descriptions.byEventKey(host.openEventKey);
    return (row) => photoAnswer(row, describe(row));
  }

  /** With the projector's key, as long as the slideshow shows it. */
  async function onTheWall({ projector }: Visitor, row: PhotoWithKeys): Promise<FoundPhoto | null> {
    if (!projector || row.slideshow === 0 || !(await store.slideshowSettings(row.event_id))?.shown) return null;
    return ofEvent(projector, row);
  }

  /** The same for the slideshow: without names where the event's switch is off. */
  function onWall(settings: { names: boolean }, visitor: Visitor, event: ShownEvent): (row: ShownPhoto) => Photo {
    const answer = answersFor(visitor, event);
    return settings.names ? answer : (row) => ({ ...answer(row), device: { name: '' } });
  }

  const own = ({ host, deviceId }: Visitor, row: PhotoWithKeys): DescribedPhoto | null => ofEvent(host, row) ?? ofDevice(deviceId, row);

  async function openSlideshow(eventId: string): Promise<{ random: boolean; names: boolean; seq: number }> {
    const settings = await store.slideshowSettings(eventId);
    if (!settings) throw new Refusal('event_not_found');
    if (!settings.shown) throw new Refusal('slideshow_disabled');
    return settings;
  }

  async function make({ row, openKey }: FoundPhoto, variant: Derived): Promise<FoundPhoto | null> {
    const made = await previews.now(sourceOf(row, variant), variant, openKey);
    if (!made) return null;
    const columns = { [`${variant}_type`]: made.type, [`${variant}_size`]: made.size, [`${variant}_attempt`]: made.attempt };
    return { row: { ...row, ...columns }, openKey };
  }

  async function* read({ row, openKey }: FoundPhoto, variant: Variant, size: number, range: ByteRange): AsyncGenerator<Bytes> {
    const key = openKey();
    try {
      const blob = photoBlob(row.event_id, row.id, variant, variant === 'original' ? null : row[`${variant}_attempt`]);
      yield* vault.openBlob(key, { eventId: row.event_id, photoId: row.id, variant }, size, (sealed) => blobs.read(blob, sealed), range);
    } finally {
      key.fill(0);
    }
  }

  return {
    previews,

    async page(event, visitor, { page, per_page, sort }) {
      const { photos, total } = await store.page(event.id, seenBy(event, visitor), {
        offset: (page - 1) * per_page,
        limit: per_page,
        newestFirst: sort === 'newest',
      });
      return {
        photos: photos.map(answersFor(visitor, event)),
        pagination: { page, per_page, total, total_pages: Math.ceil(total / per_page) },
      };
    },

    async after(event, visitor, after, limit) {
      const { photos, total } = await store.after(event.id, seenBy(event, visitor), { after, limit });
      return { photos: photos.map(answersFor(visitor, event)), total, next: photos.at(-1)?.position ?? after };
    },

    async ofDevice(eventId, deviceId) {
      const describe = descriptions.byDevice(deviceId, eventId);
      const photos = await store.ofDevice(eventId, deviceHash(vault, deviceId, eventId));
      return photos.map((row) => photoAnswer(row, describe(row)));
    },

    async known(eventId, deviceId, fingerprints) {
      if (fingerprints.length === 0) return [];
      const describe = descriptions.byDevice(deviceId, eventId);
      const asked = fingerprints.map((fingerprint) => Buffer.from(fingerprint, 'base64url'));
      const rows = await store.byFingerprints(eventId, deviceHash(vault, deviceId, eventId), asked);
      return rows.map((row) => ({
        fingerprint: Buffer.from(row.fingerprint).toString('base64url'),
        photo: photoAnswer(row, describe(row)),
      }));
    },

    async slideshow(event, visitor, since) {
      const settings = await openSlideshow(event.id);
      const seer = seenBy(event, visitor);
      const photos = await store.inSlideshow(event.id, seer, since === null ? 0 : since - SLIDESHOW_OVERLAP_MS);
      const total = since === null ? photos.length : await store.countInSlideshow(event.id, seer);
      return { photos: photos.map(onWall(settings, visitor, event)), random: settings.random, names: settings.names, total };
    },

    async slideshowPage(event, visitor, after, limit) {
      const settings = await openSlideshow(event.id);
      const { random, names, seq } = settings;
      const photos = await store.inSlideshowAfter(event.id, seenBy(event, visitor), { after, limit });
      return {
        photos: photos.map(onWall(settings, visitor, event)),
        random,
        names,
        seq,
        next: photos.length < limit ? null : (photos.at(-1)?.position ?? null),
      };
    },

    async slideshowChanges(event, visitor, since) {
      const settings = await openSlideshow(event.id);
      const { random, names } = settings;
      if (settings.seq === since) return { photos: [], gone: [], random, names, seq: since };
      const read = since > settings.seq ? null : await readChanges(db.kysely, event.id, since);
      if (!read?.changes) return { photos: [], gone: null, random, names, seq: settings.seq };
      const shown = new Map<string, boolean>();
      for (const { kind, photo_id } of read.changes) {
        if (photo_id === null) continue;
        // A poster changes a video that is shown, and says nothing of whether it is.
        shown.set(photo_id, kind === 'poster' ? (shown.get(photo_id) ?? true) : kind === 'came' || kind === 'shown');
      }
      const [came, gone] = [true, false].map((which) => [...shown.keys()].filter((id) => shown.get(id) === which));
      const photos = came?.length ? await store.inSlideshowOf(event.id, seenBy(event, visitor), came) : [];
      return { photos: photos.map(onWall(settings, visitor, event)), gone: gone ?? [], random, names, seq: read.seq };
    },

    async setSlideshow(visitor, photoId, value) {
      const { host } = visitor;
      const row = await mustExist(photoId);
      if (row.demo === 1 && !ofDevice(visitor.deviceId, row)) throw new Refusal(row.sample === 1 ? 'demo_fixed' : 'photo_not_found');
      const flag = await store.setSlideshow(photoId, host.eventId, value);
      if (flag === undefined) throw new Refusal('photo_not_found');
      return flag;
    },

    async find(visitor, photoId) {
      const row = await mustExist(photoId);
      const found = own(visitor, row);
      if (!found) throw new Refusal('photo_not_found');
      return found;
    },

    async findPicture(visitor, photoId) {
      const row = await mustExist(photoId);
      const found = own(visitor, row) ?? (await onTheWall(visitor, row));
      if (!found) throw new Refusal('photo_not_found');
      return found;
    },

    async findVideo(visitor, photoId) {
      const row = await mustExist(photoId);
      const mine = own(visitor, row);
      const found = mine ?? (await onTheWall(visitor, row));
      if (!found || row.codecs === null) throw new Refusal('photo_not_found');
      return { found, clean: mine === null };
    },

    async setPoster(deviceId, photoId, readPicture) {
      const row = await mustExist(photoId);
      const found = ofDevice(deviceId, row);
      if (!found || row.codecs === null) throw new Refusal('photo_not_found');
      if (renditionOf(row, 'preview')) return;
      await previews.poster(row, await readPicture(), found.openKey);
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

    readClean: (found, range) => {
      const { id, event_id: owner, size } = found.row;
      return cleanVideos.read({ id, owner, size, read: (wanted) => read(found, 'original', size, wanted) }, range);
    },

    async remove({ row }, also) {
      if (row.sample === 1) throw new Refusal('demo_fixed');
      const gone = await db.transaction(async (trx) => {
        const removed = await store.remove(trx, row);
        if (!removed) throw new Refusal('photo_not_found');
        await onDeleted(trx, row.event_id, row.created_at);
        await also?.(trx);
        return removed;
      });
      await removeBlobs(
        blobs,
        blobsOf(gone).map(({ key }) => key),
        log,
      );
    },

    makeSample: store.makeSample,
    close: () => previews.close(),
  };
}

/** Removes blobs. What the store refuses now is named by no row any more, and goes with the janitor's next sweep. */
export async function removeBlobs(blobs: BlobStore, keys: string[], log: Log): Promise<void> {
  const removals = await Promise.allSettled(keys.map((key) => blobs.remove(key)));
  for (const removal of removals) {
    // An outage has its own lines, and what it leaves is written down (integrity/orphans.ts).
    if (removal.status === 'rejected' && !(removal.reason instanceof Unavailable))
      log.error({ err: removal.reason }, 'a blob was not removed');
  }
}

/** A photo as the contract shows it. */
export function photoAnswer(row: Omit<ShownPhoto, 'sealed_guest_key'>, { deviceName, filename, takenAt }: PhotoDescription): Photo {
  const path = `/api/photos/${row.id}`;
  // Another address than that of the drawn poster, which a page may still show.
  const poster = row.codecs !== null && row.preview_type !== null ? '?poster' : '';
  return {
    id: row.id,
    thumbnail_url: `${path}/thumbnail${poster}`,
    preview_url: `${path}/preview${poster}`,
    original_url: `${path}/download`,
    width: row.width,
    height: row.height,
    created_at: new Date(row.created_at).toISOString(),
    taken_at: takenAt,
    filename,
    size: row.size,
    slideshow: row.slideshow === 1,
    device: { name: deviceName },
    ...(row.codecs !== null && {
      video: { url: `${path}/video`, type: row.type, codecs: row.codecs, duration_ms: row.duration_ms },
    }),
  };
}
