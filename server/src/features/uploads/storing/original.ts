import type { ByteRange } from '../../../http/byte-answer.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import type { Key } from '../../../vault/vault.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { createDigest, type Digest } from '../../../lib/stages.ts';
import { readStaged } from '../../../storage/staged-file.ts';
import { newVersion } from '../../photos/photos.ts';
import type { UploadContext } from '../context.ts';
import type { PlainCopy, PlainMemory } from './plain-memory.ts';

/** Largest upload with a plain copy in memory; larger ones are decoded from their sealed file. */
const PLAIN_COPY_MAX_BYTES = 16 * 1024 * 1024;

/** A sealed original on the local disk, not yet verified to be a photo. Disposal removes file, key and memory. */
export interface StagedOriginal extends AsyncDisposable {
  eventId: string;
  photoId: string;
  /** The version in the names of its blobs; null for a form, whose id no other request has. */
  version: string | null;
  key: Bytes;
  path: string;
  filename: string;
  digest: Digest;
  /** Keyed hash of the digest under the device's id, or the secret in its place: a device's same photo has the same fingerprint. */
  fingerprint: Bytes;
  /** Its plain bytes in memory; null if there was no room. */
  plain: PlainCopy | null;
  /** Whether its key is that of a photo which is shown by its preview. */
  isAnnounced: boolean;
}

/** A file before its bytes have come. */
export interface Incoming {
  eventId: string;
  deviceId: string;
  filename: string;
  /** Most bytes of the file; null: not known. */
  mostBytes: number | null;
  /** The upload that is complete now, and the key of the photo that its preview shows; null: a form. */
  upload: { id: string; announcedKey: Key | undefined } | null;
  /** Secret that recognises repeats in place of the device's id. */
  repeatSecret?: string | undefined;
}

/** Holds originals until they are in the photo store: sealed on the local disk, and plain in memory if there is room. */
export function createOriginals({ vault, staging, clock }: UploadContext, memory: PlainMemory) {
  return {
    /** Reads a file to its end and seals it. */
    async stage(
      source: AsyncIterable<Bytes>,
      { eventId, deviceId, filename, mostBytes, upload, repeatSecret = deviceId }: Incoming,
    ): Promise<StagedOriginal> {
      await using owned = new AsyncDisposableStack();
      const announcedKey = upload?.announcedKey;
      const key = owned.use(announcedKey ?? vault.createPhotoKey());
      const photoId = upload?.id ?? uuidv7(clock.now());
      const version = upload && newVersion();
      const path = owned.adopt(staging.path(), staging.discard);
      const plain = owned.use(mostBytes !== null && mostBytes <= PLAIN_COPY_MAX_BYTES ? memory.reserve(mostBytes) : null);
      const measure = createDigest();
      const measured = measure.through(plain ? plain.through(source) : source);
      await staging.write(path, vault.sealBlob(key, { eventId, photoId, variant: 'original' }, measured));
      const digest = measure.result();
      const fingerprint = vault.keyedHash(repeatSecret, `fingerprint:${eventId}`, digest.sha256);
      const kept = owned.move();
      const disposal = { [Symbol.asyncDispose]: () => kept.disposeAsync() };
      return {
        eventId,
        photoId,
        version,
        key,
        path,
        filename,
        digest,
        fingerprint,
        plain,
        isAnnounced: announcedKey !== undefined,
        ...disposal,
      };
    },

    /** Reads its plain bytes or a range of them, from memory or from the sealed file; may be called several times. */
    open({ eventId, photoId, key, path, digest: { size }, plain }: StagedOriginal, part?: ByteRange): AsyncIterable<Bytes> {
      if (plain && !plain.isFreed && !part) return plain.read();
      return vault.openBlob(key, { eventId, photoId, variant: 'original' }, size, (range) => readStaged(path, range), part);
    },
  };
}

export type Originals = ReturnType<typeof createOriginals>;
