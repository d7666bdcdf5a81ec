import { ANONYMOUS, DEVICE_NAME_LENGTH, FIRST_PREVIEW_SIZE } from '@feierbild/contract/constants.ts';
import type { PhotoRow, UploadRow } from '../../../database/rows.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { NotAPhoto, type Asker, type Probe, type Rendition } from '../../../images/decoder.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { cleanText, cutText } from '../../../lib/clean-text.ts';
import { collect, createDigest, first, single, type Digest } from '../../../lib/stages.ts';
import { photoBlob } from '../../../storage/blob-store.ts';
import type { Key } from '../../../vault/vault.ts';
import { deviceHash } from '../../devices/devices.ts';
import { cleanFileName, isSameShape, newVersion, type Redrawn } from '../../photos/photos.ts';
import type { UploadContext } from '../context.ts';
import type { Answered } from './answering.ts';
import { askerOf } from './asker.ts';
import type { Originals, StagedOriginal } from './original.ts';
import type { Completion } from './photo-rows.store.ts';
import { createOriginalDecoder, type DecodedOriginal } from './decoding.ts';
import type { Admitted } from './room.ts';
import type { UploadTarget } from './upload-target.store.ts';

/** The sender of a photo. */
export interface Sent {
  visitor: DeviceVisitor;
  deviceName: string;
}

/** The sender of an original, and the terms of its upload. */
export interface From extends Sent, Answered, Admitted {
  /** Aborted when the client has left: decoding that has not begun is then skipped. */
  gone: AbortSignal | undefined;
  /** Notes that the upload became the photo, together with the photo's rows or once the photo is found. */
  completion: Completion | null;
}

/** A preview that a phone has drawn. */
export interface NewPreview extends Sent, Required<Admitted> {
  drawn: Redrawn;
  /** The upload that the preview begins; the photo will have its id. */
  upload: Pick<UploadRow, 'id' | 'key_hash' | 'event_id' | 'device_hash' | 'length'>;
  filename: string;
}

/** A photo's row to be written, and its key, digest and blobs. */
export interface Placed {
  photo: PhotoRow;
  key: Bytes;
  digest: Digest;
  /** Writers of its blobs, by their names. */
  blobs: Record<string, (name: string) => Promise<void>>;
  /** A preview made with the upload; it may be lost. */
  preview?: Rendition | undefined;
}

/** Bytes at a JPEG's beginning that contain its header, with the time of capture. */
const JPEG_HEADER_BYTES = 512 * 1024;
/** Type of an original whose header says nothing. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** Tells whether the original gives a larger preview than the one made with its upload. */
const isLarger = ({ preview, width, height }: DecodedOriginal): boolean =>
  preview !== undefined && Math.max(width, height) > FIRST_PREVIEW_SIZE;

/** Returns a guest's name as others read it. */
export const shownName = (typed: string): string => cutText(cleanText(typed), DEVICE_NAME_LENGTH).trim() || ANONYMOUS;

/** Makes a photo's row and its blobs from an arrived file. Nothing is written yet. */
export function createPreparing(context: UploadContext, originals: Originals) {
  const { blobs, vault, decoder, clock } = context;
  const decode = createOriginalDecoder(context, originals);

  /** Seals the names of guest and file for the guest. */
  function describe(
    photo: { eventId: string; photoId: string },
    { visitor, deviceName }: Sent,
    { type, takenAt }: { type: string; takenAt: string | null },
    filename: string,
  ): Bytes {
    using guestKey = vault.guestKey(visitor.deviceId, photo.eventId);
    return vault.sealDescription(guestKey, { deviceName: shownName(deviceName), filename: cleanFileName(filename, type), takenAt }, photo);
  }

  /** Prepares an original that no preview announced: decodes it. Throws Refusal. */
  async function stored(original: StagedOriginal, from: From, target: UploadTarget): Promise<Placed> {
    const { eventId, photoId, key, path, digest, version } = original;
    const decoded = await decode(original, target, from);
    const photo: PhotoRow = {
      ...rowOf(original, decoded, describe(original, from, decoded, original.filename), from),
      original_attempt: version,
      thumbnail_attempt: version,
      drawn_by: isLarger(decoded) ? 'upload' : 'server',
    };
    const thumbnail = await collect(vault.sealBlob(key, { eventId, photoId, variant: 'thumbnail' }, single(decoded.thumbnail.bytes)));
    return {
      photo,
      key,
      digest,
      preview: decoded.preview,
      blobs: {
        [photoBlob(eventId, photoId, 'original', version)]: (name) => blobs.adopt(name, path),
        [photoBlob(eventId, photoId, 'thumbnail', version)]: (name) => blobs.put(name, thumbnail),
      },
    };
  }

  /**
   * Prepares the original of an announced photo: it is stored now and decoded later, when the server is idle. Until then its header is
   * believed.
   */
  async function received(original: StagedOriginal, from: From, announced: PhotoRow): Promise<Placed> {
    const { digest, fingerprint, key, path, photoId, eventId, version } = original;
    const { type, width, height, takenAt } = await headerOf(announced, original, askerOf(eventId, from.visitor));
    const photo: PhotoRow = {
      ...announced,
      type,
      width,
      height,
      fingerprint,
      state: 'received',
      original_attempt: version,
      drawn_by: isSameShape(announced, { width, height }) ? announced.drawn_by : 'replaced',
      size: digest.size,
      description: describe(original, from, { type, takenAt }, original.filename),
    };
    return { photo, key, digest, blobs: { [photoBlob(eventId, photoId, 'original', version)]: (name) => blobs.adopt(name, path) } };
  }

  /** Probes an original's header; if that says no measures, those of its preview count. */
  async function headerOf({ width, height }: PhotoRow, original: StagedOriginal, asker: Asker): Promise<Probe> {
    using _plain = original.plain;
    const { size } = original.digest;
    const probeOf = (bytes: number): Promise<Probe | null> =>
      decoder
        .probe(() => first(originals.open(original), bytes), bytes, asker)
        .catch((error: unknown) => {
          if (error instanceof NotAPhoto) return null;
          throw error;
        });
    const header = await probeOf(Math.min(size, JPEG_HEADER_BYTES));
    const probe = header?.type === 'image/jpeg' || size <= JPEG_HEADER_BYTES ? header : await probeOf(size);
    return probe ?? { type: UNKNOWN_TYPE, width, height, takenAt: null };
  }

  /** Makes the row of a decoded photo. */
  function rowOf(
    {
      photoId,
      eventId,
      digest,
      fingerprint,
    }: Pick<StagedOriginal, 'photoId' | 'eventId' | 'fingerprint'> & { digest: Pick<Digest, 'size'> },
    { type, width, height, video, thumbnail }: DecodedOriginal,
    description: Bytes,
    { visitor }: Pick<Sent, 'visitor'>,
  ): PhotoRow {
    return {
      id: photoId,
      event_id: eventId,
      device_hash: deviceHash(vault, visitor.deviceId, eventId),
      description,
      created_at: clock.now(),
      state: 'stored',
      drawn_by: 'server',
      type,
      size: digest.size,
      original_attempt: null,
      width,
      height,
      duration_ms: video?.durationMs ?? null,
      codecs: video?.codecs ?? null,
      thumbnail_type: thumbnail.type,
      thumbnail_size: thumbnail.bytes.length,
      thumbnail_attempt: null,
      preview_type: null,
      preview_size: null,
      preview_attempt: null,
      large_type: null,
      large_size: null,
      large_attempt: null,
      told: 1,
      slideshow: 1,
      release_state: 0,
      release_at: null,
      sample: 0,
      fingerprint,
    };
  }

  /** Prepares a photo that is shown by its phone's preview until its original comes. */
  async function preview(
    { drawn, upload, filename }: Pick<NewPreview, 'drawn' | 'upload' | 'filename'>,
    from: Sent,
    key: Key,
  ): Promise<Placed> {
    const { id: photoId, key_hash: fingerprint, event_id: eventId } = upload;
    const version = newVersion();
    const measure = createDigest();
    const { thumbnail, preview } = drawn;
    const pictures = { thumbnail: single(thumbnail.bytes), preview: measure.through(single(preview.bytes)) };
    const placed: Placed['blobs'] = {};
    for (const variant of ['thumbnail', 'preview'] as const) {
      const sealed = await collect(vault.sealBlob(key, { eventId, photoId, variant }, pictures[variant]));
      placed[photoBlob(eventId, photoId, variant, version)] = (name) => blobs.put(name, sealed);
    }
    const about = { photoId, eventId, fingerprint, digest: { size: upload.length } };
    const photo: PhotoRow = {
      ...rowOf(about, { ...drawn, video: null }, describe(about, from, drawn, filename), from),
      state: 'announced',
      drawn_by: 'phone',
      thumbnail_attempt: version,
      preview_type: preview.type,
      preview_size: preview.bytes.length,
      preview_attempt: version,
    };
    return { photo, key, digest: measure.result(), blobs: placed };
  }

  return { stored, received, preview };
}
