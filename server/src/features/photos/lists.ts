import { SLIDESHOW_PHOTOS } from '@feierbild/contract/constants.ts';
import { isGalleryOpen, isWallWaiting } from '@feierbild/contract/gallery.ts';
import { PALETTES } from '@feierbild/contract/palettes.ts';
import type { Photo, PhotosAfter, WaitingChanges, WaitingPage } from '@feierbild/contract/entities.ts';
import { readChanges, type ChangeKind } from '../../database/changes.ts';
import type { EventRow, PhotoRow } from '../../database/rows.ts';
import type { Incoming } from '../../http/bind.ts';
import type { DeviceVisitor, HostVisitor, Visitor } from '../../http/visitor.ts';
import { networkPath } from '../../lib/address.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import type { PhotoDescription, Vault } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import { deviceHash, guestHash } from '../devices/devices.ts';
import { damagedOf } from '../zip-members/zip-members.ts';
import { NOBODY, type GalleryPhoto } from './guest-photos.store.ts';
import { photoAnswer } from './photo-answer.ts';
import type { PhotoStore, ShownPhoto } from './photos.store.ts';
import { iso } from '../../lib/clock.ts';

/** Length of a device's tag, enough to tell the devices of an event apart. */
const TAG_BYTES = 6;
/** Blobs that are looked up at a time. */
const LOOKS = 16;
/** The description for visitors that may not see sender, file name and time of capture. */
const NAMELESS: PhotoDescription = { deviceName: '', filename: '', takenAt: null };

/** Whether a change puts a photo into the slideshow (true) or takes it out (false). */
const PUTS: Partial<Record<ChangeKind, boolean>> = { came: true, shown: true, gone: false, hidden: false };

type GalleryQuery = Pick<Incoming<'GET /api/events/:ref/photos'>['query'], 'after' | 'per_page' | 'seq'>;

/** The columns that decide which photos of an event a visitor sees. */
export type ShownEvent = Pick<EventRow, 'id' | 'demo'>;

interface Deps extends Pick<Context, 'db' | 'blobs' | 'vault' | 'sealedMetadata' | 'clock'> {
  store: PhotoStore;
}

/** Lists the photos of an event that a visitor sees: in the gallery, on a guest's page and in the slideshow. */
export function createPhotoLists({ db, blobs, store, vault, sealedMetadata, clock }: Deps) {
  const looks = createFairSemaphore(LOOKS);

  /** In the demo strangers share one login: each sees the samples and the photos of the own device. Null: everything. */
  function seenBy(event: ShownEvent, { deviceId }: Visitor): Bytes | null {
    if (event.demo === 0) return null;
    return deviceId === null ? NOBODY : deviceHash(vault, deviceId, event.id);
  }

  /** Answers with all data to the host. A locked slideshow gets the names of guests, but no file names and no times of capture. */
  function answersFor({ host, projector }: Visitor, event: ShownEvent): (row: ShownPhoto) => Photo {
    const by = [host, projector].find((one) => one?.eventId === event.id);
    if (!by) return (row) => photoAnswer(row, NAMELESS);
    const describe = sealedMetadata.byEventKey(by.openEventKey);
    if (by === host) return (row) => ({ ...photoAnswer(row, describe(row)), ...ofHost(row) });
    return (row) => photoAnswer(row, { ...NAMELESS, deviceName: describe(row).deviceName });
  }

  /** Returns guests' names as guests of the gallery and the host see them. */
  function nameOf(event: ShownEvent, { gallery, host }: Visitor): (row: GalleryPhoto) => string {
    if (gallery?.eventId === event.id) return sealedMetadata.byGalleryKey(gallery.openGalleryKey);
    const describe = host && sealedMetadata.byEventKey(host.openEventKey);
    return (row) => describe?.(row).deviceName ?? '';
  }

  /** Fields for the host and the helper alone. */
  const ofHost = ({ release_state, hearts }: ShownPhoto & { hearts?: number | null }) => ({
    ...(release_state === 1 && { waiting: true as const }),
    ...(hearts && { hearts: Number(hearts) }),
  });

  /** Reads the changes after `since` and splits the photos into shown and removed ones; null if some changes are forgotten. */
  async function changesSince(eventId: string, since: number, seq: number) {
    const read = since > seq ? null : await readChanges(db.kysely, eventId, since);
    if (!read?.changes) return null;
    const isIn = new Map<string, boolean>();
    for (const { kind, photo_id } of read.changes) {
      if (photo_id === null) continue;
      // The other kinds change the photo, not whether it is in the slideshow.
      isIn.set(photo_id, PUTS[kind] ?? isIn.get(photo_id) ?? true);
    }
    const [came, gone] = [true, false].map((which) => [...isIn.keys()].filter((id) => isIn.get(id) === which)) as [string[], string[]];
    return { came, gone, ids: [...isIn.keys()], seq: read.seq, kinds: new Set(read.changes.map(({ kind }) => kind)) };
  }

  /** The refusal of a gallery that is not open yet, with the time of its opening if that is known, and the number of photos. */
  const closed = ({ gallery_opens_at: at }: Pick<EventRow, 'gallery_opens_at'>, count?: number): Refusal =>
    new Refusal('gallery_closed', {
      closed: { opens_at: iso(at), ...(count !== undefined && { count }) },
    });

  return {
    /** Reads one page of the photos that `seenBy` allows, all of them or those in the slideshow. */
    async page(
      event: ShownEvent,
      visitor: Visitor,
      { page, per_page, sort, view }: Pick<Incoming<'GET /api/events/:ref/photos'>['query'], 'page' | 'per_page' | 'sort' | 'view'>,
    ) {
      const seer = seenBy(event, visitor);
      const slideshow = view === 'shown';
      const [total, photos] = await Promise.all([
        store.count(event.id, seer, slideshow),
        store.page(event.id, seer, { offset: (page - 1) * per_page, limit: per_page, newestFirst: sort === 'newest', slideshow }),
      ]);
      return {
        photos: photos.map(answersFor(visitor, event)),
        pagination: { page, per_page, total, total_pages: Math.ceil(total / per_page) },
      };
    },

    /** Reads up to `per_page` photos behind the position `after`, in the order of storing. */
    async after(
      event: ShownEvent,
      visitor: Visitor,
      { after, per_page: limit, view }: { after: number } & Pick<Incoming<'GET /api/events/:ref/photos'>['query'], 'per_page' | 'view'>,
    ): Promise<PhotosAfter> {
      const seer = seenBy(event, visitor);
      const slideshow = view === 'shown';
      const [total, photos] = await Promise.all([
        store.count(event.id, seer, slideshow),
        store.behind(event.id, seer, { after, limit, slideshow }),
      ]);
      return { photos: photos.map(answersFor(visitor, event)), total, next: photos.at(-1)?.position ?? after };
    },

    closed,
    isOpen: (event: EventRow): boolean => isGalleryOpen(event, clock.now()),

    /**
     * Reads the photos that guests of the gallery see: up to `limit` behind the position `after`, or with `seq` the photos put in and taken
     * out after that change. Names follow the slideshow's setting. Throws Refusal gallery_closed.
     */
    async gallery(event: EventRow, visitor: Visitor, { after = 0, per_page: limit, seq: since }: GalleryQuery) {
      if (!isGalleryOpen(event, clock.now())) throw closed(event, await store.count(event.id, null));
      const { change_seq: seq } = event;
      const device = visitor.deviceId === null ? null : deviceHash(vault, visitor.deviceId, event.id);
      const giver = guestHash(vault, visitor, event.id);
      const names = event.with_slideshow_names === 1 ? nameOf(event, visitor) : () => '';
      const answer = (row: GalleryPhoto): Photo => ({
        ...photoAnswer(row, { ...NAMELESS, deviceName: names(row) }),
        ...(row.heart !== null && { heart: true as const }),
        ...(device && Buffer.compare(row.device_hash, device) === 0 && { own: true as const }),
      });
      const answers = (rows: GalleryPhoto[]): Photo[] => rows.filter(({ key }) => key !== null).map(answer);
      if (since !== undefined) {
        const changes = await changesSince(event.id, since, seq);
        // Keys may come without a change of the photo, and names with a change of the event.
        const known = changes && !changes.kinds.has('event');
        const { photos, total } = await store.inGallery(event.id, giver, { ids: known ? changes.came : [] });
        if (!known) return { photos: [], gone: null, total, seq };
        return { photos: answers(photos), gone: changes.gone, total, seq: changes.seq };
      }
      const { photos, total } = await store.inGallery(event.id, giver, { after, limit });
      return { photos: answers(photos), total, seq, next: photos.length < limit ? null : (photos.at(-1)?.position ?? null) };
    },

    /**
     * Reads photos that wait for their release, in the order of storing: up to `limit` behind `after`, or with `seq` the changes after it.
     */
    async waiting(
      event: EventRow,
      by: HostVisitor,
      { after = 0, per_page: limit, seq: since }: GalleryQuery,
    ): Promise<WaitingPage | WaitingChanges> {
      const { change_seq } = event;
      const changes = since === undefined ? undefined : await changesSince(event.id, since, change_seq);
      const [total, photos, until] = await Promise.all([
        store.countWaiting(event.id),
        store.waiting(event.id, changes === undefined ? { after, limit } : { ids: changes?.ids ?? [] }),
        store.lastWaiting(event.id),
      ]);
      const describe = sealedMetadata.byEventKey(by.openEventKey);
      const answers = photos.map((row) => ({ ...photoAnswer(row, describe(row)), ...ofHost(row) }));
      const answer = { photos: answers, total, until, seq: changes?.seq ?? change_seq };
      if (changes === undefined) return { ...answer, next: photos.at(-1)?.position ?? after };
      const waits = new Set(answers.map(({ id }) => id));
      return { ...answer, gone: changes && changes.ids.filter((id) => !waits.has(id)) };
    },

    /** Reads the photos that a device uploaded to an event, newest first. */
    async ofDevice(eventId: string, deviceId: string): Promise<Photo[]> {
      const describe = sealedMetadata.byDevice(deviceId, eventId);
      const photos = await store.ofDevice(eventId, deviceHash(vault, deviceId, eventId));
      return photos.map((row) => photoAnswer(row, describe(row)));
    },

    /** Finds the device's photos with these fingerprints (base64url) whose original is in the store. */
    async known(
      eventId: string,
      { deviceId, address }: DeviceVisitor,
      fingerprints: string[],
    ): Promise<{ fingerprint: string; photo: Photo }[]> {
      if (fingerprints.length === 0) return [];
      const asker = [eventId, ...networkPath(address), deviceId];
      const describe = sealedMetadata.byDevice(deviceId, eventId);
      const asked = fingerprints.map((fingerprint) => Buffer.from(fingerprint, 'base64url'));
      const rows = await store.byFingerprints(eventId, deviceHash(vault, deviceId, eventId), asked);
      // The ZIP's members are many bytes, and most of what phones ask for is new.
      if (rows.length === 0) return [];
      const there = await Promise.all(rows.map((row) => looks.run(asker, () => hasOriginal({ blobs, vault }, row))));
      // An original that the ZIP has found damaged is taken again.
      const damaged = await damagedOf(db.kysely, eventId);
      return rows
        .filter(({ id }, n) => there[n] && !damaged.has(id))
        .map((row) => ({
          fingerprint: Buffer.from(row.fingerprint).toString('base64url'),
          photo: photoAnswer(row, describe(row)),
        }));
    },

    /**
     * Reads the photos in the slideshow, SLIDESHOW_PHOTOS at most; `total` counts all of them. With `after`: up to `limit` behind that
     * position; changes after the answer's `seq` may be missing. With `seq`: the photos that came and went after that change. Only a host
     * learns names of files and times of capture. Throws Refusal slideshow_disabled, gallery_closed.
     */
    async slideshow(
      event: EventRow,
      visitor: Visitor,
      { after, per_page: limit, seq: since }: Incoming<'GET /api/events/:ref/slideshow'>['query'],
    ) {
      if (event.with_slideshow !== 1) throw new Refusal('slideshow_disabled');
      if (isWallWaiting(event, clock.now())) throw closed(event);
      const { change_seq: seq } = event;
      const names = event.with_slideshow_names === 1;
      const palette = PALETTES.find((name) => name === event.palette);
      const shared = { random: event.with_random_slideshow === 1, names, ...(palette && { palette }) };
      const seer = seenBy(event, visitor);
      const answerOf = answersFor(visitor, event);
      const answers = (rows: ShownPhoto[]): Photo[] =>
        rows.map((row) => {
          const { device, ...answer } = answerOf(row);
          return { ...answer, device: { name: names ? device.name : '', tag: tagOf(row) } };
        });

      if (since !== undefined) {
        if (seq === since) return { photos: [], gone: [], ...shared, seq };
        const changes = await changesSince(event.id, since, seq);
        if (!changes) return { photos: [], gone: null, ...shared, seq };
        const { came, gone } = changes;
        const photos = came.length > 0 ? await store.inSlideshow(event.id, seer, { ids: came }) : [];
        return { photos: answers(photos), gone, ...shared, seq: changes.seq };
      }
      if (after !== undefined) {
        const photos = await store.behind(event.id, seer, { after, limit, slideshow: true });
        return { photos: answers(photos), ...shared, seq, next: photos.length < limit ? null : (photos.at(-1)?.position ?? null) };
      }
      const photos = await store.inSlideshow(event.id, seer, { limit: SLIDESHOW_PHOTOS });
      const total = photos.length < SLIDESHOW_PHOTOS ? photos.length : await store.count(event.id, seer, true);
      return { photos: answers(photos), ...shared, total };
    },
  };
}

/** Tells whether the store has a photo's original in full length. On a yes the phone deletes its own copy. */
export async function hasOriginal(
  { blobs, vault }: { blobs: Pick<BlobStore, 'size'>; vault: Pick<Vault, 'sealedSize'> },
  { id, event_id, size, original_attempt }: Pick<PhotoRow, 'id' | 'event_id' | 'size' | 'original_attempt'>,
): Promise<boolean> {
  return (await blobs.size(photoBlob(event_id, id, 'original', original_attempt))) === vault.sealedSize(size);
}

/** Tells the wall which photos come from one device, so that devices take turns. It proves nothing about a device. */
const tagOf = ({ device_hash }: Pick<PhotoRow, 'device_hash'>): string =>
  Buffer.from(device_hash).subarray(0, TAG_BYTES).toString('base64url');
