import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { EventRow } from '../../database/schema.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createDigest, type Digest } from '../../lib/stages.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Events } from '../events/events.ts';
import { deviceHash } from '../devices/devices.ts';
import { FORM_OVERHEAD, type FormPart } from './form.ts';
import type { Kept, KeptBytes } from './kept-bytes.ts';
import { createPlaces } from './places.ts';
import type { UploadStore } from './uploads.store.ts';

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

interface Admission {
  event: EventRow;
  /** By the Fotobox's password. */
  fotobox: boolean;
}

/** A sealed original on the local disk, not yet known to be a photo. */
export interface Staged {
  event: EventRow;
  photoId: string;
  key: Bytes;
  path: string;
  filename: string;
  digest: Digest;
  /** Its plain bytes, where there was room for them. */
  kept: Kept | null;
}

/** An upload's form, read to its end. */
export interface Received {
  staged: Staged;
  /** The field wins over the header. */
  deviceName: string;
  fotobox: boolean;
}

export interface Reception {
  /**
   * Takes a form in when it is its turn. `held` gets what leaves its place: to be called after the answer. Throws Refusal; then
   * nothing is staged.
   */
  receive(upload: IncomingUpload, held: (() => void)[]): Promise<Received>;
  /** Forgets a staged file and its key; no error where it has become a blob. */
  discard(staged: Staged): Promise<void>;
  /** Uploads that wait for their turn. */
  waiting(): number;
}

interface Parts {
  store: Pick<UploadStore, 'hasPhotoOfSize'>;
  staging: Staging;
  memory: KeptBytes;
  vault: Vault;
  events: Pick<Events, 'guests'>;
  clock: Clock;
  /** Of a single file. */
  maxBytes: number;
}

/** A single upload's share of the kept bytes at most. */
const KEPT_OF_ONE = 16 * 1024 * 1024;

/** Says who may upload what, and brings it sealed to the local disk. */
export function createReception({ store, staging, memory, vault, events, clock, maxBytes }: Parts): Reception {
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

  async function stage(
    event: EventRow,
    { filename, bytes, most }: { filename: string; bytes: AsyncIterable<Bytes>; most: number | null },
  ): Promise<Staged> {
    const path = staging.path();
    const key = vault.createPhotoKey();
    const photoId = uuidv7(clock.now());
    const digest = createDigest();
    const kept = most !== null && most <= KEPT_OF_ONE ? memory.keep(most) : null;
    try {
      const measured = digest.through(kept ? kept.through(bytes) : bytes);
      await staging.write(path, vault.sealBlob(key, { eventId: event.id, photoId, variant: 'original' }, measured));
      return { event, photoId, key, path, filename, digest: digest.result(), kept };
    } catch (error) {
      kept?.release();
      key.fill(0);
      await staging.discard(path);
      throw error;
    }
  }

  async function receive(upload: IncomingUpload, held: (() => void)[]): Promise<Received> {
    const { deviceId } = upload.visitor;
    let { deviceName } = upload;
    let admission = upload.eventCode === null ? null : await admit(upload.eventCode, upload);
    let staged: Staged | null = null;
    let leave = admission ? await places.upload(admission.event, deviceId) : await places.stranger();
    held.push(() => leave());
    // Reading a form takes memory from its first byte on, not only where its file begins.
    let turn = admission && (await places.stream(admission.event));
    try {
      for await (const part of turn ? turn.lending(upload.form, () => 0) : upload.form) {
        if (part.kind === 'file') {
          if (!admission) throw new Refusal('event_code_missing');
          turn ??= await places.stream(admission.event);
          const bytes = turn.lending(part.bytes, ({ length }) => length);
          staged = await stage(admission.event, { filename: part.filename, bytes, most: upload.contentLength });
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
    } finally {
      turn?.leave();
    }
  }

  async function discard({ key, path, kept }: Staged): Promise<void> {
    kept?.release();
    key.fill(0);
    await staging.discard(path);
  }

  return { receive, discard, waiting: places.waiting };
}
