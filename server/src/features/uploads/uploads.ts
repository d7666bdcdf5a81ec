import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { Db } from '../../database/open.ts';
import type { EventRow, PhotoRow } from '../../database/schema.ts';
import type { Visitor } from '../../http/visitor.ts';
import { NotAPhoto, type Decoded, type Decoder } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { collect, createDigest, single, type Digest } from '../../lib/stages.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { readStaged, writeStaged } from '../../storage/staged-file.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Events } from '../events/events.ts';
import type { Links } from '../links/links.ts';
import { cleanFileName, deviceHash, photoAnswer, removeBlobs, type Photos } from '../photos/photos.ts';
import { FORM_OVERHEAD, type FormPart } from './form.ts';
import { createPlaces } from './places.ts';
import { AlreadyStored, createUploadStore } from './uploads.store.ts';

/** A sender who sends nothing for so long loses the connection, so that those who wait get a form, ms. */
const STALL = 20_000;

/** An upload as it arrives; texts are decoded, `form` streams. */
export interface IncomingUpload {
  visitor: Visitor & { deviceId: string };
  /** From the header; else the form's eventCode, which then comes before the file. */
  eventCode: string | null;
  deviceName: string;
  password: string | null;
  /** Bytes of the whole form where the client says it. */
  contentLength: number | null;
  /** Aborted when the client is gone; then what has not begun to be decoded is not. */
  gone?: AbortSignal;
  form: AsyncIterable<FormPart>;
}

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
}

interface Admission {
  event: EventRow;
  /** By the Fotobox's password. */
  fotobox: boolean;
}

/** A sealed original on the local disk, not yet known to be a photo. */
interface Staged {
  event: EventRow;
  photoId: string;
  key: Bytes;
  path: string;
  filename: string;
  digest: Digest;
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
}: Parts): Uploads {
  const store = createUploadStore(db);
  const places = createPlaces();

  /** The event that takes the upload, as far as that can be told before the file is read. */
  async function admit(code: string, upload: IncomingUpload): Promise<Admission> {
    const { deviceId, address } = upload.visitor;
    const event = await events.guests.find(code, address);
    const device = deviceHash(vault, deviceId, event.id);
    const who = await events.guests.checkPassword(event, upload.password ?? undefined, upload.visitor);
    if (who === 'guest' && event.with_user_upload === 0) throw new Refusal('upload_disabled');
    if (upload.contentLength !== null) await refuseWhatCannotFit(event, upload.contentLength, device);
    return { event, fotobox: who === 'fotobox' };
  }

  async function refuseWhatCannotFit(event: EventRow, contentLength: number, device: Bytes): Promise<void> {
    const least = contentLength - FORM_OVERHEAD;
    if (least > maxBytes) throw new Refusal('too_large');
    if (event.storage_limit === null) return;
    const room = event.storage_limit - event.used_bytes;
    if (room > 0 && least <= room) return;
    // A repeat of what is there already needs no room.
    if (!(await store.hasPhotoOfSize(event.id, device, Math.max(0, least), contentLength))) throw new Refusal('storage_full');
  }

  async function stage(event: EventRow, filename: string, bytes: AsyncIterable<Bytes>): Promise<Staged> {
    const path = staging.path();
    const key = vault.createPhotoKey();
    const photoId = uuidv7(clock.now());
    const digest = createDigest();
    try {
      await writeStaged(path, vault.sealBlob(key, { eventId: event.id, photoId, variant: 'original' }, digest.through(bytes)));
      return { event, photoId, key, path, filename, digest: digest.result() };
    } catch (error) {
      key.fill(0);
      await staging.discard(path);
      throw error;
    }
  }

  /** Takes a file in as its sender sends it, when it is its turn. */
  async function receiveFile(event: EventRow, { filename, bytes }: Extract<FormPart, { kind: 'file' }>): Promise<Staged> {
    const turn = await places.stream(event);
    try {
      return await stage(event, filename, turn.lending(bytes));
    } finally {
      turn.leave();
    }
  }

  /** Reads the form to its end: the staged file, and the device's name (the field wins over the header). `held` gets what leaves its place. */
  async function readUpload(
    upload: IncomingUpload,
    held: (() => void)[],
  ): Promise<{ staged: Staged; deviceName: string; fotobox: boolean }> {
    const { deviceId } = upload.visitor;
    let { deviceName } = upload;
    let admission = upload.eventCode === null ? null : await admit(upload.eventCode, upload);
    let staged: Staged | null = null;
    let leave = admission ? await places.upload(admission.event, deviceId) : await places.stranger();
    held.push(() => leave());
    try {
      for await (const part of upload.form) {
        if (part.kind === 'file') {
          if (!admission) throw new Refusal('event_code_missing');
          staged = await receiveFile(admission.event, part);
        } else if (part.name === 'deviceName') deviceName = part.value;
        else if (part.name === 'eventCode' && !admission) {
          admission = await admit(part.value, upload);
          leave();
          leave = await places.upload(admission.event, deviceId);
        }
      }
      if (!admission) throw new Refusal('event_code_missing');
      if (!staged) throw new Refusal('file_missing');
      return { staged, deviceName: cutText(cleanText(deviceName), DEVICE_NAME_LENGTH).trim() || ANONYMOUS, fotobox: admission.fotobox };
    } catch (error) {
      if (staged) await discard(staged);
      throw error;
    }
  }

  async function discard({ key, path }: Staged): Promise<void> {
    key.fill(0);
    await staging.discard(path);
  }

  async function decode({ event, photoId, key, path, digest: { size } }: Staged, gone?: AbortSignal): Promise<Decoded> {
    if (size === 0) throw new Refusal('not_a_photo');
    const blob = { eventId: event.id, photoId, variant: 'original' };
    try {
      const source = () => vault.openBlob(key, blob, size, (range) => readStaged(path, range));
      return await decoder.decode(source, size, { lane: event.id, signal: gone });
    } catch (error) {
      throw error instanceof NotAPhoto ? new Refusal('not_a_photo', { cause: error }) : error;
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
    waiting: places.waiting,
    async receive(upload) {
      const held = [photos.previews.hold()];
      try {
        const { staged, deviceName, fotobox } = await readUpload(upload, held);
        try {
          const stored = await keep(staged, upload, deviceName);
          if (!fotobox) return stored;
          return { ...stored, link: await links.make(await photos.find({ ...upload.visitor, host: null }, stored.photo.id)) };
        } finally {
          await discard(staged);
        }
      } catch (error) {
        throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
      } finally {
        for (const leave of held) leave();
      }
    },
  };
}
