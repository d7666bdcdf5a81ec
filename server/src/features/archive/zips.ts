import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { PREVIEW_TYPE } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { ByteRange } from '../../http/byte-answer.ts';
import { free } from '../../lib/buffer-handover.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { inGroups } from '../../lib/concurrency/in-groups.ts';
import { Refusal } from '../../lib/errors.ts';
import { createDigest } from '../../lib/stages.ts';
import { previewName } from '../photos/photos.ts';
import { photoBlob, BlobMissing, type Variant } from '../../storage/blob-store.ts';
import { Tampered } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import type { ArchiveStore, ListedPhoto } from './archive.store.ts';
import { zipTime } from './zip-layout.ts';
import { createListOpener, packList, type ManifestEntry, type SealedList } from './zip-list.ts';
import { createZipNames, folderName } from './zip-names.ts';

/** The folder for photos of which only the preview is stored. */
const PREVIEWS_FOLDER = 'nur-vorschau';
/** The text that names damaged photos; lines end as Windows has them. */
const DAMAGED_NAME = 'Beschädigte Fotos.txt';
const DAMAGED_TEXT = [
  'Diese Fotos sind auf dem Server beschädigt. Ihre Originale fehlen in diesem ZIP; wo es eine Vorschau gibt,',
  'liegt sie im Ordner „nur-vorschau“. Fragen Sie den Betreiber, ob er sie in einer Sicherung hat,',
  'oder bitten Sie die Gäste noch einmal darum.',
  '',
  '',
].join('\r\n');
/** Sealed keys per query. */
const KEYS = 100;
/** Concurrent size queries to the photo store. */
export const SIZE_QUERIES = 32;
/** Previews that are read at the same time. */
const PREVIEWS = 16;
/** Interval at which reading a ZIP checks that its host's password is unchanged: a download may take hours. */
const ASK_MS = 5000;

/** A photo whose listed blob is missing, was changed, or cannot be read; the ZIP cannot be read to its end. */
export class EntryDamaged extends Error {
  readonly photoId: string;
  readonly isPreview: boolean;

  constructor(entry: ManifestEntry, cause: unknown) {
    super(`photo ${entry.photoId} is damaged`, { cause });
    this.photoId = entry.photoId;
    this.isPreview = isPreview(entry);
  }
}

/** Returns whether an error says that a blob's bytes are lost, and not only out of reach. */
const isLoss = (error: unknown): boolean => error instanceof BlobMissing || error instanceof Tampered;

/** Returns whether a ZIP has a photo's original: it has the preview of one whose original is missing or unreadable. */
const isOriginal = ({ state }: ListedPhoto): boolean => STATE_RULES[state].handedOut;

interface SealedZip extends SealedList {
  eventId: string;
  /** `Titel.zip`, safe as a file name. */
  filename: string;
}

export type Zips = ReturnType<typeof createZips>;
export type OpenedZip = ReturnType<Zips['open']>;

interface Deps extends Pick<Context, 'blobs' | 'vault' | 'sealedMetadata'> {
  store: Pick<ArchiveStore, 'sealedKeys' | 'hostKey'>;
}

/** Creates ZIPs as lists of photos: makes and seals a list, and reads its ZIP. */
export function createZips({ store, blobs, vault, sealedMetadata }: Deps) {
  const openList = createListOpener(vault);

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
    /** Returns functions that make photos the next entries of one ZIP, with unique names. They throw Tampered for a changed key. */
    entries({ eventId, title, eventKey }: { eventId: string; title: string; eventKey: Bytes }) {
      const nameOf = createZipNames(title);
      const describe = sealedMetadata.byEventKey(() => eventKey);

      /** Reads a blob to its end, with `goOn` after each piece; returns its CRC-32, or null if its bytes are lost. */
      async function crcOf(photo: ListedPhoto, entry: Pick<ManifestEntry, 'photoId' | 'blob' | 'size'>, goOn?: () => Promise<void>) {
        using key = vault.openPhotoKey(eventKey, photo.sealed_for_event, { eventId, photoId: photo.id });
        const measure = createDigest();
        const read = (range: ByteRange) => blobs.read(blobOf(eventId, entry), range);
        const bytes = vault.openBlob(key, { eventId, photoId: photo.id, variant: variantOf(entry) }, entry.size, read);
        try {
          for await (const piece of measure.through(bytes)) {
            free(piece);
            await goOn?.();
          }
        } catch (error) {
          if (isLoss(error)) return null;
          throw error;
        }
        return measure.result().crc32;
      }

      /** Returns the entry of an original; its digest comes from the photo's keys. */
      function originalOf(photo: ListedPhoto): ManifestEntry {
        const { id: photoId, type, size, created_at: receivedAt, original_attempt } = photo;
        using key = vault.openPhotoKey(eventKey, photo.sealed_for_event, { eventId, photoId });
        const { filename, deviceName, takenAt } = describe(photo);
        const { crc32: crc } = vault.openDigest(key, photo.facts, { eventId, photoId });
        const name = nameOf({ filename, type, deviceName, receivedAt });
        const blob = original_attempt && { blob: `${original_attempt}.original` };
        return { photoId, name, size, crc32: crc, time: zipTime(takenAt, receivedAt), ...blob };
      }

      /** Reads a photo's preview; null if there is none, or its bytes are lost. */
      async function readPreview(photo: ListedPhoto) {
        const { id: photoId, preview_attempt, preview_size: size } = photo;
        if (size === null) return null;
        const preview = { photoId, blob: previewOfVersion(preview_attempt), size };
        const crc = await crcOf(photo, preview);
        return crc === null ? null : { ...preview, crc32: crc };
      }

      /** Returns the entry of a preview that was read. */
      function previewOf(photo: ListedPhoto, preview: NonNullable<Awaited<ReturnType<typeof readPreview>>>): ManifestEntry {
        const { created_at: receivedAt } = photo;
        const { filename, deviceName, takenAt } = describe(photo);
        const name = nameOf({ filename: previewName(filename), type: PREVIEW_TYPE, deviceName, receivedAt, folder: PREVIEWS_FOLDER });
        return { ...preview, name, time: zipTime(takenAt, receivedAt) };
      }

      return {
        /**
         * Yields photos with their entries, as their states allow: their originals or their previews; null if that preview is lost. Some
         * previews are read at the same time, as a store may answer late; names are given in the photos' order.
         */
        async *entriesOf(photos: readonly ListedPhoto[]): AsyncGenerator<[ListedPhoto, ManifestEntry | null]> {
          const read = async (photo: ListedPhoto) => (isOriginal(photo) ? null : readPreview(photo));
          for await (const [photo, preview] of inGroups(photos, PREVIEWS, read))
            yield [photo, isOriginal(photo) ? originalOf(photo) : preview && previewOf(photo, preview)];
        },

        /** Reads an original to its end, with `goOn` after each piece; tells whether it is what was uploaded. */
        opens: async (photo: ListedPhoto, entry: ManifestEntry, goOn?: () => Promise<void>): Promise<boolean> =>
          (await crcOf(photo, entry, goOn)) === entry.crc32,

        /** Replaces damaged photos by their previews where there are some, with `goOn` before each, and adds a text that names them. */
        async without(entries: readonly ManifestEntry[], damaged: readonly ListedPhoto[], goOn?: () => Promise<void>) {
          if (damaged.length === 0) return entries;
          const instead = new Map<string, ManifestEntry | null>();
          const lines: string[] = [];
          const read = async (photo: ListedPhoto) => (isOriginal(photo) ? readPreview(photo) : null);
          for await (const [photo, found] of inGroups(damaged, PREVIEWS, read)) {
            await goOn?.();
            const { name } = entries.find(({ photoId }) => photoId === photo.id) ?? originalOf(photo);
            const preview = found && previewOf(photo, found);
            instead.set(photo.id, preview);
            lines.push(preview ? `${name}\r\n    Vorschau: ${preview.name}` : name);
          }
          const kept = entries.flatMap((entry) => instead.get(entry.photoId) ?? (instead.has(entry.photoId) ? [] : [entry]));
          const text = `${DAMAGED_TEXT}${lines.join('\r\n')}\r\n`;
          const size = Buffer.byteLength(text);
          const time = zipTime(null, Math.max(...damaged.map(({ created_at }) => created_at)));
          return [...kept, { photoId: '', name: `${folderName(title)}/${DAMAGED_NAME}`, size, crc32: crc32(text), time, text }];
        },
      };
    },

    /**
     * Seals a list to its event. The same list gives the same ETag, so that an interrupted download can be resumed after the ZIP was made
     * again. Each step takes milliseconds for thousands of photos; other work runs in between.
     */
    async seal(entries: readonly ManifestEntry[], { publicKey, eventKey, info }: { publicKey: Bytes; eventKey: Bytes; info: string }) {
      const list = packList(entries);
      await setImmediate();
      const etag = vault.keyedHash(Buffer.from(eventKey).toString('base64url'), 'archive-etag', list);
      const manifest = vault.seal(publicKey, list, info);
      await setImmediate();
      return { etag: Buffer.from(etag).toString('base64url'), manifest };
    },

    /** Opens a sealed list; returns its entries, the ZIP's size and a reader. */
    open({ eventId, filename, ...sealed }: SealedZip, eventKey: Bytes) {
      // The reader holds the whole list, which others share meanwhile.
      const list = openList(sealed, eventKey);
      const { entries } = list;
      /**
       * Yields bytes [start, end) of headers and decrypted photos, with one segment in memory and one open file at a time. May throw
       * BlobMissing (a photo was deleted), EntryDamaged or Refusal `login_required` after some bytes; then the ZIP is incomplete.
       */
      async function* read(range: ByteRange): AsyncGenerator<Bytes> {
        const keyOf = createKeys(entries);
        for (const piece of list.layout.pieces(range.start, range.end)) {
          if ('bytes' in piece) {
            yield piece.bytes;
            continue;
          }
          const entry = entries[piece.entry] as ManifestEntry;
          const { photoId, size, text } = entry;
          if (text !== undefined) {
            yield Buffer.from(text).subarray(piece.start, piece.end);
            continue;
          }
          const blob = blobOf(eventId, entry);
          const sealed = await keyOf(piece.entry);
          if (!sealed) throw new BlobMissing(blob);
          using key = vault.openPhotoKey(eventKey, sealed, { eventId, photoId });
          try {
            yield* vault.openBlob(key, { eventId, photoId, variant: variantOf(entry) }, size, (part) => blobs.read(blob, part), piece);
          } catch (error) {
            throw isLoss(error) ? new EntryDamaged(entry, error) : error;
          }
        }
      }
      return { entries, size: list.layout.size, etag: sealed.etag, filename, read: (range: ByteRange) => whileHeld(eventId, read(range)) };
    },
  };
}
/** Returns the key of the blob with an entry's bytes. */
export function blobOf(eventId: string, { photoId, blob }: Pick<ManifestEntry, 'photoId' | 'blob'>): string {
  const [attempt = null] = blob?.split('.') ?? [];
  return photoBlob(eventId, photoId, variantOf({ blob }), attempt);
}

/** Returns how a list names the preview of a version. */
export const previewOfVersion = (version: string | null | undefined): string => `${version}.preview`;

const variantOf = ({ blob }: { blob?: string | undefined }): Variant => (blob?.split('.')[1] ?? 'original') as Variant;

/** Returns whether an entry is a preview in place of its photo. */
export const isPreview = ({ blob }: Pick<ManifestEntry, 'blob'>): boolean => blob?.endsWith('.preview') ?? false;

/** Returns whether a list has any photo or preview. */
export const hasPhotos = (entries: readonly ManifestEntry[]): boolean => entries.some(({ text }) => text === undefined);
