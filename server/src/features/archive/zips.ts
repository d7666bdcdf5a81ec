import { setImmediate } from 'node:timers/promises';
import { PREVIEW_TYPE } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { ByteRange } from '../../http/byte-answer.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { createDigest } from '../../lib/stages.ts';
import { previewName } from '../photos/photos.ts';
import { photoBlob, BlobMissing, type Variant } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';
import type { ArchiveStore, ListedPhoto } from './archive.store.ts';
import { layoutZip, zipTime, type ZipEntry } from './zip-layout.ts';
import { createZipNames } from './zip-names.ts';

/** The folder for photos of which only the preview is stored. */
const PREVIEWS_FOLDER = 'nur-vorschau';
/** Sealed keys per query. */
const KEYS = 100;
/** Interval at which reading a ZIP checks that its host's password is unchanged: a download may take hours. */
const ASK_MS = 5000;

/** An entry of a ZIP's list, with the photo that it contains. All sizes are known, so every byte's place can be computed. */
export interface ManifestEntry extends ZipEntry {
  photoId: string;
  /** The blob with the entry's bytes, `version.variant`; absent for an original without a version. */
  blob?: string;
}
type Packed = [photoId: string, name: string, size: number, crc32: number, dos: number, seconds: number, blob?: string];

/** A list as it is stored: sealed to the event, with `info` as context. */
interface SealedZip {
  eventId: string;
  manifest: Bytes;
  info: string;
  /** Strong validator, without quotes. */
  etag: string;
  /** `Titel.zip`, safe as a file name. */
  filename: string;
}

export type OpenedZip = ReturnType<ReturnType<typeof createZips>['open']>;

interface Deps extends Pick<Context, 'blobs' | 'vault' | 'sealedMetadata'> {
  store: Pick<ArchiveStore, 'sealedKeys' | 'hostKey'>;
}

/** Creates ZIPs as lists of photos: makes and seals a list, and reads its ZIP. */
export function createZips({ store, blobs, vault, sealedMetadata }: Deps) {
  /** Returns a function that reads the sealed key of an entry, in groups ahead. */
  function createKeys(entries: readonly ManifestEntry[]): (entry: number) => Promise<Bytes | undefined> {
    let [first, end] = [0, 0];
    let keys = new Map<string, Bytes>();
    return async (entry) => {
      if (entry < first || entry >= end) {
        [first, end] = [entry, entry + KEYS];
        keys = await store.sealedKeys(entries.slice(first, end).map(({ photoId }) => photoId));
      }
      return keys.get((entries[entry] as ManifestEntry).photoId);
    };
  }

  /**
   * Yields the pieces while the host's password is the one that opened the ZIP. A logout does not end a download. If the database is
   * unreachable, the next interval asks again. Throws Refusal `login_required`.
   */
  async function* whileHeld(eventId: string, pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
    const held = await store.hostKey(eventId);
    let askedAt = performance.now();
    let isHeld = true;
    for await (const piece of pieces) {
      if (!isHeld) throw new Refusal('login_required');
      yield piece;
      if (performance.now() - askedAt < ASK_MS) continue;
      askedAt = performance.now();
      void store.hostKey(eventId).then(
        (key) => (isHeld = Buffer.compare(key, held) === 0),
        () => undefined,
      );
    }
  }

  return {
    /** Returns a function that makes a photo the next entry of one ZIP, with a unique name. Throws Tampered. */
    entries({ eventId, title, eventKey }: { eventId: string; title: string; eventKey: Bytes }) {
      const nameOf = createZipNames(title);
      const describe = sealedMetadata.byEventKey(() => eventKey);
      return async (photo: ListedPhoto): Promise<ManifestEntry> => {
        const { id: photoId, type, size, created_at: receivedAt, original_attempt, preview_attempt } = photo;
        const context = { eventId, photoId };
        using key = vault.openPhotoKey(eventKey, photo.sealed_for_event, context);
        const { filename, deviceName, takenAt } = describe(photo);
        const time = zipTime(takenAt, receivedAt);
        if (STATE_RULES[photo.state].handedOut) {
          const { crc32 } = vault.openDigest(key, photo.facts, context);
          const name = nameOf({ filename, type, deviceName, receivedAt });
          return { photoId, name, size, crc32, time, ...(original_attempt && { blob: `${original_attempt}.original` }) };
        }
        const preview = { photoId, blob: `${preview_attempt}.preview`, size: photo.preview_size as number };
        const read = (range: ByteRange) => blobs.read(blobOf(eventId, preview), range);
        const measure = createDigest();
        const bytes = vault.openBlob(key, { ...context, variant: 'preview' }, preview.size, read);
        for await (const piece of measure.through(bytes)) void piece;
        const name = nameOf({ filename: previewName(filename), type: PREVIEW_TYPE, deviceName, receivedAt, folder: PREVIEWS_FOLDER });
        return { ...preview, name, crc32: measure.result().crc32, time };
      };
    },

    /**
     * Seals a list to its event. The same list gives the same ETag, so that an interrupted download can be resumed after the ZIP was made
     * again. Each step takes milliseconds for thousands of photos; other work runs in between.
     */
    async seal(entries: readonly ManifestEntry[], { publicKey, eventKey, info }: { publicKey: Bytes; eventKey: Bytes; info: string }) {
      const packed = entries.map(({ photoId, name, size, crc32, time, blob }): Packed => {
        const entry = [photoId, name, size, crc32, time.dos, time.seconds] as const;
        return blob ? [...entry, blob] : [...entry];
      });
      const list = Buffer.from(JSON.stringify(packed));
      await setImmediate();
      const etag = vault.keyedHash(Buffer.from(eventKey).toString('base64url'), 'archive-etag', list);
      const manifest = vault.seal(publicKey, list, info);
      await setImmediate();
      return { etag: Buffer.from(etag).toString('base64url'), manifest };
    },

    /** Opens a sealed list; returns its entries, the ZIP's size and a reader. */
    open({ eventId, manifest, info, etag, filename }: SealedZip, eventKey: Bytes) {
      // The bytes need no further check: the vault has authenticated them.
      const packed = JSON.parse(Buffer.from(vault.open(eventKey, manifest, info)).toString()) as Packed[];
      const entries: readonly ManifestEntry[] = packed.map(([photoId, name, size, crc32, dos, seconds, blob]) => ({
        photoId,
        name,
        size,
        crc32,
        time: { dos, seconds },
        ...(blob && { blob }),
      }));
      const layout = layoutZip(entries);
      /**
       * Yields bytes [start, end) of headers and decrypted photos, with one segment in memory and one open file at a time. May throw
       * BlobMissing (a photo was deleted), Tampered or Refusal `login_required` after some bytes; then the ZIP is incomplete.
       */
      async function* read(range: ByteRange): AsyncGenerator<Bytes> {
        const keyOf = createKeys(entries);
        for (const piece of layout.pieces(range.start, range.end)) {
          if ('bytes' in piece) {
            yield piece.bytes;
            continue;
          }
          const entry = entries[piece.entry] as ManifestEntry;
          const { photoId, size } = entry;
          const variant = entry.blob?.split('.')[1] ?? 'original';
          const blob = blobOf(eventId, entry);
          const sealed = await keyOf(piece.entry);
          if (!sealed) throw new BlobMissing(blob);
          using key = vault.openPhotoKey(eventKey, sealed, { eventId, photoId });
          yield* vault.openBlob(key, { eventId, photoId, variant }, size, (part) => blobs.read(blob, part), piece);
        }
      }
      return { entries, size: layout.size, etag, filename, read: (range: ByteRange) => whileHeld(eventId, read(range)) };
    },
  };
}
/** Returns the key of the blob with an entry's bytes. */
export function blobOf(eventId: string, { photoId, blob }: Pick<ManifestEntry, 'photoId' | 'blob'>): string {
  const [attempt = null, variant = 'original'] = blob?.split('.') ?? [];
  return photoBlob(eventId, photoId, variant as Variant, attempt);
}

/** Returns whether an entry is a preview in place of its photo. */
export const isPreview = ({ blob }: Pick<ManifestEntry, 'blob'>): boolean => blob?.endsWith('.preview') ?? false;
