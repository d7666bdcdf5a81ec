import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { PhotoRow } from '../../database/schema.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import type { Digest } from '../../lib/stages.ts';
import type { PhotoDescription } from '../../vault/vault.ts';
import { cleanFileName } from '../photos/photos.ts';
import type { FormPart } from './form.ts';
import type { PlainCopy } from './plain-memory.ts';
import type { Proof } from './prove.ts';

/** An upload as it arrives. Texts are decoded, the form streams. */
export interface IncomingUpload {
  visitor: Visitor & { deviceId: string };
  /** From the header; null: the form names it in a field before the file. */
  eventCode: string | null;
  deviceName: string;
  password: string | null;
  /** Bytes of the whole form, where the client announces them. */
  contentLength: number | null;
  form: AsyncIterable<FormPart>;
  /** `gone` aborts when the client has left; decoding that has not begun is then skipped. Null for uploads of our own. */
  connection: Connection | null;
  /**
   * The client's key: under it what arrives before a break is kept, where the file's length is known, and the answer is given again for a
   * day. Null: nothing is.
   */
  resumable: { key: string; length: number | null } | null;
}

export interface Connection {
  gone: AbortSignal;
  hangUp(): void;
}

export interface StoredUpload {
  /** 201 for a new photo, 200 for one that was stored before. */
  status: 200 | 201;
  photo: Photo;
  /** Of the bytes that are stored. */
  sha256: Bytes;
  /** For the Fotobox: where its guest gets the photo. A repeat makes a fresh one. */
  link?: { download_url: string; expires_at: string };
}

/** A sealed original on the local disk, not yet proved to be a photo. Disposal removes file, key and memory. */
export interface StagedOriginal extends AsyncDisposable {
  eventId: string;
  photoId: string;
  key: Bytes;
  path: string;
  filename: string;
  digest: Digest;
  /** Of the digest, under the device's id: the same device's same photo has the same. */
  fingerprint: Bytes;
  /** Its plain bytes in memory, where there was room. */
  plain: PlainCopy | null;
}

/** The row of a photo that is proved and about to be committed. */
export function newPhotoRow(
  original: StagedOriginal,
  proof: Proof,
  guest: { deviceHash: Bytes; deviceName: string; receivedAt: number; seal(description: PhotoDescription): Bytes },
): PhotoRow {
  return {
    id: original.photoId,
    event_id: original.eventId,
    device_hash: guest.deviceHash,
    description: guest.seal({
      deviceName: cutText(cleanText(guest.deviceName), DEVICE_NAME_LENGTH).trim() || ANONYMOUS,
      filename: cleanFileName(original.filename, proof.type),
      takenAt: proof.takenAt,
    }),
    type: proof.type,
    size: original.digest.size,
    width: proof.width,
    height: proof.height,
    duration_ms: proof.video?.durationMs ?? null,
    codecs: proof.video?.codecs ?? null,
    thumbnail_type: proof.thumbnail.type,
    thumbnail_size: proof.thumbnail.bytes.length,
    thumbnail_attempt: null,
    preview_type: null,
    preview_size: null,
    preview_attempt: null,
    created_at: guest.receivedAt,
    slideshow: 1,
    sample: 0,
    fingerprint: original.fingerprint,
  };
}
