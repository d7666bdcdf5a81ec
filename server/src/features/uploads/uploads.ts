import type { Photo } from '@feierbild/contract/entities.ts';
import type { Db } from '../../database/open.ts';
import type { PhotoRow } from '../../database/schema.ts';
import { NotAPhoto, type Decoded, type Decoder } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { collect, single, type Digest } from '../../lib/stages.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { readStaged } from '../../storage/staged-file.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Events } from '../events/events.ts';
import type { Links } from '../links/links.ts';
import { deviceHash } from '../devices/devices.ts';
import { cleanFileName, photoAnswer, removeBlobs, type Photos } from '../photos/photos.ts';
import { createKeptBytes, type KeptBytes } from './kept-bytes.ts';
import { createReception, type IncomingUpload, type Staged } from './reception.ts';
import { AlreadyStored, createUploadStore } from './uploads.store.ts';

/** Plain bytes that wait in memory for a decoder, in all: some twenty phones' photos. */
const KEPT = 80 * 1024 * 1024;
/** A sender who sends nothing for so long loses the connection, so that those who wait get a form, ms. */
const STALL = 20_000;

export interface StoredUpload {
  /** 201 for a new photo, 200 for one that was there. */
  status: 200 | 201;
  photo: Photo;
  /** For the Fotobox: where its guest gets the photo. A repeat makes a fresh one. */
  link?: { download_url: string; expires_at: string };
}

export interface Uploads {
  maxBytes: number;
  /** ms. */
  stall: number;
  /** Uploads that wait for their turn. */
  waiting(): number;
  /** Takes one photo in, durably. Throws Refusal as the contract lists them; then nothing of it stays. */
  receive(upload: IncomingUpload): Promise<StoredUpload>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  decoder: Decoder;
  events: Pick<Events, 'guests'>;
  photos: Pick<Photos, 'previews' | 'find'>;
  links: Pick<Links, 'make'>;
  /** A photo came to the event. */
  onStored(eventId: string): void;
  clock: Clock;
  log: Log;
  /** Of a single file. */
  maxBytes: number;
  /** Another STALL, for tests. */
  stall?: number;
  /** Other memory than KEPT, for tests. */
  memory?: KeptBytes;
}

/** Takes photos in (docs/architecture.md, „A photo's way in“): after the answer a photo is stored whole, or nothing of it is. */
export function createUploads({
  db,
  blobs,
  staging,
  vault,
  decoder,
  events,
  photos,
  links,
  onStored,
  clock,
  log,
  maxBytes,
  stall = STALL,
  memory = createKeptBytes(KEPT),
}: Parts): Uploads {
  const store = createUploadStore(db);
  const reception = createReception({ store, staging, memory, vault, events, clock, maxBytes });

  async function decode({ event, photoId, key, path, digest: { size }, kept }: Staged, gone?: AbortSignal): Promise<Decoded> {
    if (size === 0) throw new Refusal('not_a_photo');
    const blob = { eventId: event.id, photoId, variant: 'original' };
    try {
      const source = () => kept?.read() ?? vault.openBlob(key, blob, size, (range) => readStaged(path, range));
      return await decoder.decode(source, size, { lane: event.id, signal: gone });
    } catch (error) {
      throw error instanceof NotAPhoto ? new Refusal('not_a_photo', { cause: error }) : error;
    } finally {
      // The next may have its memory while this one goes to the disk.
      kept?.release();
    }
  }

  /** Makes original and thumbnail blobs; both or none. */
  async function placeBlobs({ event, photoId, key, path }: Staged, thumbnail: Bytes): Promise<void> {
    const sealed = await collect(vault.sealBlob(key, { eventId: event.id, photoId, variant: 'thumbnail' }, single(thumbnail)));
    const results = await Promise.allSettled([
      blobs.adopt(photoBlob(event.id, photoId, 'original'), path),
      blobs.put(photoBlob(event.id, photoId, 'thumbnail'), sealed),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return;
    await removeBlobs(blobs, event.id, photoId, log);
    throw failed.reason;
  }

  /** Commits the row of a photo whose blobs are in place; the photo that is there instead where it is a repeat. */
  async function commit(photo: PhotoRow, key: Bytes, deviceId: string, digest: Digest): Promise<PhotoRow> {
    const context = { eventId: photo.event_id, photoId: photo.id };
    const publicKey = await store.publicKey(photo.event_id);
    if (!publicKey) throw new Refusal('event_not_found');
    const keys = {
      sealed_for_event: vault.sealPhotoKey(publicKey, key, context),
      wrapped_for_device: vault.wrapForDevice(key, deviceId, context),
      facts: vault.sealFacts(key, digest, context),
    };
    for (let attempt = 1; ; attempt++) {
      try {
        await db.transaction((trx) => store.add(trx, photo, keys));
        return photo;
      } catch (error) {
        if (!(error instanceof AlreadyStored)) throw error;
        const first = await store.byFingerprint(photo.event_id, photo.fingerprint);
        if (first) return first;
        // The first was deleted in between: then this one is new after all.
        if (attempt === 2) throw new Refusal('unavailable');
      }
    }
  }

  async function keep(staged: Staged, { visitor: { deviceId }, gone }: IncomingUpload, deviceName: string): Promise<StoredUpload> {
    const { event, photoId, key, digest, filename } = staged;
    const fingerprint = vault.keyedHash(deviceId, `fingerprint:${event.id}`, digest.sha256);
    const first = await store.byFingerprint(event.id, fingerprint);
    if (first) return { status: 200, photo: photoAnswer(first) };

    const { thumbnail, type, width, height, takenAt } = await decode(staged, gone);
    await placeBlobs(staged, thumbnail.bytes);
    const photo: PhotoRow = {
      id: photoId,
      event_id: event.id,
      device_hash: deviceHash(vault, deviceId, event.id),
      device_name: deviceName,
      filename: cleanFileName(filename, type),
      type,
      size: digest.size,
      width,
      height,
      thumbnail_type: thumbnail.type,
      thumbnail_size: thumbnail.bytes.length,
      preview_type: null,
      preview_size: null,
      created_at: clock.now(),
      taken_at: takenAt,
      slideshow: 1,
      sample: 0,
      fingerprint,
    };
    const kept = await commit(photo, key, deviceId, digest).catch(async (error: unknown) => {
      // A connection that broke during the commit leaves open whether the row is there: blobs go only without a row.
      const row = error instanceof Refusal ? undefined : await store.byId(photoId);
      if (row) return row;
      await removeBlobs(blobs, event.id, photoId, log);
      throw error;
    });
    if (kept.id !== photoId) {
      await removeBlobs(blobs, event.id, photoId, log);
      return { status: 200, photo: photoAnswer(kept) };
    }
    photos.previews.later({ id: photoId, eventId: event.id, size: digest.size }, Buffer.from(key));
    onStored(event.id);
    return { status: 201, photo: photoAnswer(kept) };
  }

  return {
    maxBytes,
    stall,
    waiting: reception.waiting,
    async receive(upload) {
      const held = [photos.previews.hold()];
      try {
        const { staged, deviceName, fotobox } = await reception.receive(upload, held);
        try {
          const stored = await keep(staged, upload, deviceName);
          if (!fotobox) return stored;
          return { ...stored, link: await links.make(await photos.find({ ...upload.visitor, host: null }, stored.photo.id)) };
        } finally {
          await reception.discard(staged);
        }
      } catch (error) {
        throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
      } finally {
        for (const leave of held) leave();
      }
    },
  };
}
