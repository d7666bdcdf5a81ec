import { SLIDESHOW_PHOTOS } from '@feierbild/contract/constants.ts';
import type { Photo, PhotosAfter, SlideshowChanges, SlideshowPage } from '@feierbild/contract/entities.ts';
import { readChanges } from '../../database/changes.ts';
import type { Db } from '../../database/open.ts';
import type { EventRow, PhotoRow } from '../../database/schema.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import type { PhotoDescription, Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import { deviceHash } from '../devices/devices.ts';
import type { PhotoStore, ShownPhoto } from './photos.store.ts';

/** Blobs that are looked for at a time. */
const LOOKS = 16;
/** No device has this hash. */
const NOBODY: Bytes = Buffer.alloc(0);

/** The data of a photo for visitors that may not see its sender, its file name and its time. */
const NAMELESS: PhotoDescription = { deviceName: '', filename: '', takenAt: null };

/** What decides who sees which photos of an event. */
export type ShownEvent = Pick<EventRow, 'id' | 'demo'>;

export interface PhotoList {
  photos: Photo[];
  pagination: { page: number; per_page: number; total: number; total_pages: number };
}

export interface PhotoLists {
  /** What the visitor sees of an event: a host everything, in the demo the samples and the own photos. */
  page(event: ShownEvent, visitor: Visitor, query: { page: number; per_page: number; sort: 'oldest' | 'newest' }): Promise<PhotoList>;
  /** The same, up to `limit` photos stored after the position `after`, in the order in which they were stored. */
  after(event: ShownEvent, visitor: Visitor, after: number, limit: number): Promise<PhotosAfter>;
  /** What a device uploaded to an event, newest first. */
  ofDevice(eventId: string, deviceId: string): Promise<Photo[]>;
  /** Those of them that have one of these fingerprints (base64url) and whose originals are there. */
  known(eventId: string, deviceId: string, fingerprints: string[]): Promise<{ fingerprint: string; photo: Photo }[]>;
  /**
   * The photos in the slideshow, SLIDESHOW_PHOTOS at most; `total` counts all in it. Only a host learns names and times of capture.
   * Throws Refusal slideshow_disabled or event_not_found.
   */
  slideshow(event: ShownEvent, visitor: Visitor): Promise<{ photos: Photo[]; random: boolean; names: boolean; total: number }>;
  /** The same, page by page: up to `limit` photos behind the position `after`. Changes after `seq` may not be in it. */
  slideshowPage(event: ShownEvent, visitor: Visitor, after: number, limit: number): Promise<SlideshowPage>;
  /** What was put into the slideshow and what was taken out after the change `seq`. */
  slideshowChanges(event: ShownEvent, visitor: Visitor, seq: number): Promise<SlideshowChanges>;
}

interface Parts {
  db: Pick<Db, 'kysely'>;
  blobs: Pick<BlobStore, 'size'>;
  store: PhotoStore;
  vault: Vault;
  descriptions: Descriptions;
}

/** Which photos of an event a visitor sees, in the gallery, on a guest's page and in the slideshow. */
export function createPhotoLists({ db, blobs, store, vault, descriptions }: Parts): PhotoLists {
  const looks = createFairSemaphore(LOOKS);

  /** In the demo visitors who do not know each other share one login: each sees the samples, and beside them this device's photos. Null: everything. */
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

  /** The same for the slideshow: without names where the event's switch is off. */
  function slideshowAnswersFor(settings: { names: boolean }, visitor: Visitor, event: ShownEvent): (row: ShownPhoto) => Photo {
    const answer = answersFor(visitor, event);
    return settings.names ? answer : (row) => ({ ...answer(row), device: { name: '' } });
  }

  async function openSlideshow(eventId: string): Promise<{ random: boolean; names: boolean; seq: number }> {
    const settings = await store.slideshowSettings(eventId);
    if (!settings) throw new Refusal('event_not_found');
    if (!settings.shown) throw new Refusal('slideshow_disabled');
    return settings;
  }

  return {
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
      const there = await Promise.all(rows.map((row) => looks.run([], () => hasOriginal({ blobs, vault }, row))));
      return rows
        .filter((_, n) => there[n])
        .map((row) => ({
          fingerprint: Buffer.from(row.fingerprint).toString('base64url'),
          photo: photoAnswer(row, describe(row)),
        }));
    },

    async slideshow(event, visitor) {
      const settings = await openSlideshow(event.id);
      const seer = seenBy(event, visitor);
      const photos = await store.inSlideshow(event.id, seer, SLIDESHOW_PHOTOS);
      const total = photos.length < SLIDESHOW_PHOTOS ? photos.length : await store.countInSlideshow(event.id, seer);
      return { photos: photos.map(slideshowAnswersFor(settings, visitor, event)), random: settings.random, names: settings.names, total };
    },

    async slideshowPage(event, visitor, after, limit) {
      const settings = await openSlideshow(event.id);
      const { random, names, seq } = settings;
      const photos = await store.inSlideshowAfter(event.id, seenBy(event, visitor), { after, limit });
      return {
        photos: photos.map(slideshowAnswersFor(settings, visitor, event)),
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
        // A new poster changes the video, not whether it is in the slideshow.
        shown.set(photo_id, kind === 'poster' ? (shown.get(photo_id) ?? true) : kind === 'came' || kind === 'shown');
      }
      const [came, gone] = [true, false].map((which) => [...shown.keys()].filter((id) => shown.get(id) === which));
      const photos = came?.length ? await store.inSlideshowOf(event.id, seenBy(event, visitor), came) : [];
      return { photos: photos.map(slideshowAnswersFor(settings, visitor, event)), gone: gone ?? [], random, names, seq: read.seq };
    },
  };
}

/** Whether a photo's original lies in the store, as long as it was. A phone that is told so lets its own copy go. */
export async function hasOriginal(
  { blobs, vault }: { blobs: Pick<BlobStore, 'size'>; vault: Pick<Vault, 'sealedSize'> },
  { id, event_id, size }: Pick<PhotoRow, 'id' | 'event_id' | 'size'>,
): Promise<boolean> {
  return (await blobs.size(photoBlob(event_id, id, 'original'))) === vault.sealedSize(size);
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
