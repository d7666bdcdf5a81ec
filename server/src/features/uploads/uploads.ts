import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { Db } from '../../database/open.ts';
import type { EventRow, PhotoRow } from '../../database/schema.ts';
import type { Visitor } from '../../http/visitor.ts';
import { NotAPhoto, type Decoded, type Decoder } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { createGate } from '../../lib/gate.ts';
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
import { takeTurn } from './turn.ts';
import { AlreadyStored, createUploadStore } from './uploads.store.ts';

/** Forms that are open at once; one that waits for its sender holds some 300 KB. Further ones wait with their senders paused. */
const FORMS = 256;
/** Of these, forms whose bytes come fast; each holds up to half a megabyte. */
const STREAMS = 32;
/** A sender who is awaited for so long does not hold up faster ones, ms. */
const SLOW = 500;
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
  /** Forms that wait for their turn. */
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
  const forms = createGate(FORMS);
  const streams = createGate(STREAMS);

  /** The event that takes the upload, as far as that can be told before the file is read. */
  async function admit(code: string, upload: IncomingUpload): Promise<Admission> {
    const { deviceId, address } = upload.visitor;
    const event = await events.guests.find(code, address);
    const device = deviceHash(vault, deviceId, event.id);
    const deviceKnown = await store.hasDevice(event.id, device);
    const who = await events.guests.checkPassword(event, upload.password ?? undefined, { address, deviceKnown });
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

  /** Reads the form to its end: the staged file, and the device's name (the field wins over the header). */
  async function readUpload(upload: IncomingUpload): Promise<{ staged: Staged; deviceName: string; fotobox: boolean }> {
    let { deviceName } = upload;
    let admission = upload.eventCode === null ? null : await admit(upload.eventCode, upload);
    let staged: Staged | null = null;
    const close = await forms.enter();
    const turn = await takeTurn(streams, { patience: SLOW });
    try {
      for await (const part of turn.lending(upload.form)) {
        if (part.kind === 'file') {
          if (!admission) throw new Refusal('event_code_missing');
          staged = await stage(admission.event, part.filename, turn.lending(part.bytes));
        } else if (part.name === 'deviceName') deviceName = part.value;
        else if (part.name === 'eventCode') admission ??= await admit(part.value, upload);
      }
      if (!admission) throw new Refusal('event_code_missing');
      if (!staged) throw new Refusal('file_missing');
      return { staged, deviceName: cutText(cleanText(deviceName), DEVICE_NAME_LENGTH).trim() || ANONYMOUS, fotobox: admission.fotobox };
    } catch (error) {
      if (staged) await discard(staged);
      throw error;
    } finally {
      turn.leave();
      close();
    }
  }

  async function discard({ key, path }: Staged): Promise<void> {
    key.fill(0);
    await staging.discard(path);
  }

  async function decode({ event, photoId, key, path, digest: { size } }: Staged): Promise<Decoded> {
    if (size === 0) throw new Refusal('not_a_photo');
    const blob = { eventId: event.id, photoId, variant: 'original' };
    try {
      return await decoder.decode(() => vault.openBlob(key, blob, size, (range) => readStaged(path, range)), size);
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

  async function keep(staged: Staged, deviceId: string, deviceName: string): Promise<StoredUpload> {
    const { event, photoId, key, digest, filename } = staged;
    const fingerprint = vault.keyedHash(deviceId, `fingerprint:${event.id}`, digest.sha256);
    const first = await store.byFingerprint(event.id, fingerprint);
    if (first) return { status: 200, photo: photoAnswer(first) };

    const { thumbnail, type, width, height, takenAt } = await decode(staged);
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
    waiting: () => forms.waiting() + streams.waiting(),
    async receive(upload) {
      const release = photos.previews.hold();
      try {
        const { staged, deviceName, fotobox } = await readUpload(upload);
        try {
          const stored = await keep(staged, upload.visitor.deviceId, deviceName);
          if (!fotobox) return stored;
          return { ...stored, link: await links.make(await photos.find({ ...upload.visitor, host: null }, stored.photo.id)) };
        } finally {
          await discard(staged);
        }
      } catch (error) {
        throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
      } finally {
        release();
      }
    },
  };
}

/** True where the disk of the server or of its database is full. */
function isDiskFull(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  // SQLITE_FULL, and PostgreSQL's disk_full.
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === 13 || code === '53100';
}
