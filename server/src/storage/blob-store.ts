import { STATE_RULES, type PhotoState } from '@feierbild/contract/photo-states.ts';
import type { Bytes } from '../lib/bytes.ts';

/**
 * Stores sealed bytes. Keys are `events/{eventId}/{photoId}.{variant}`, `events/{eventId}/{photoId}-{version}.{variant}` or, for incomplete
 * uploads, `events/{eventId}/uploads/{uploadId}.{n}`: lower-case letters, digits, `-`, `.`, `/`.
 * Every adapter passes the same suite of tests (`testing/conformance.ts`).
 */
export interface BlobStore {
  /**
   * Makes a blob from a staged file (see staging.ts), durably and atomically: the blob is complete or does not exist. The staged file
   * stays: its owner needs it again if the blob's rows cannot be written. Throws `Refusal('disk_full')` if there is no space; then nothing
   * of the blob is left.
   */
  adopt(key: string, stagedPath: string): Promise<void>;
  /** Makes a blob from bytes in memory, for pictures made from a photo. In a folder the disk must have more free space than its reserve. */
  put(key: string, bytes: Bytes): Promise<void>;
  /** Reads bytes [start, end) of a blob, in pieces. Throws BlobMissing, BlobDamaged. Stops reading when the consumer stops. */
  read(key: string, range?: { start: number; end: number }): AsyncIterable<Bytes>;
  /** Returns the size in bytes, or null if there is no such blob, or one whose size the medium does not give. */
  size(key: string): Promise<number | null>;
  /**
   * Lists all blobs below a prefix that ends in `/` (all blobs for ''), in the order of their keys, behind the key `after`. Goes on behind
   * what the medium does not list, and throws Inaccessible at the end.
   */
  list(prefix: string, after?: string): AsyncIterable<{ key: string; size: number; modifiedAt: number }>;
  /**
   * Lists the folders directly below a prefix that ends in `/`, by name, behind the name `after`; in order if all names are equally long.
   */
  folders(prefix: string, after: string): AsyncIterable<string>;
  /**
   * Lists files in the store that cannot be blobs, by their relative names, without the temporary files of running writes. Throws Inaccessible
   * at the end, as `list` does.
   */
  strays(): AsyncIterable<string>;
  /** Removes one blob; no error if there is none. */
  remove(key: string): Promise<void>;
  /**
   * Removes all blobs below a prefix that ends in `/`. Goes on behind a blob that cannot be removed, and throws the first such error at the
   * end. Stops and throws the signal's reason once that is aborted.
   */
  removePrefix(prefix: string, signal?: AbortSignal): Promise<void>;
  /** Resolves if the store answers and can be written to. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  constructor(key: string, cause?: unknown, what = 'no') {
    super(`${what} blob ${key}`, { cause });
  }
}

/** A blob whose bytes the medium does not give any more: to all who need them, it is as good as missing. */
export class BlobDamaged extends BlobMissing {
  constructor(key: string, cause: unknown) {
    super(key, cause, 'unreadable');
  }
}

/** What the medium does not list, or does not remove. Nobody knows what is in such a folder, so it is not empty. */
export class Inaccessible extends Error {
  /** Keys of blobs, and names of folders, which end in `/`. */
  readonly names: readonly string[];

  constructor(names: readonly string[], cause: unknown) {
    super(`inaccessible in the store: ${names.join(', ')}`, { cause });
    this.names = names;
  }
}

/** Passes a list on; passes what it throws as Inaccessible to `note`. */
export async function* withGaps<T>(list: AsyncIterable<T>, note: (gap: Inaccessible) => unknown): AsyncGenerator<T> {
  try {
    yield* list;
  } catch (error) {
    if (!(error instanceof Inaccessible)) throw error;
    note(error);
  }
}

/** Tells whether a text is a blob's key. */
export function isKey(text: string): boolean {
  return /^[a-z0-9-]+(\/[a-z0-9-]+)*\/[a-z0-9-]+\.[a-z0-9]+$/.test(text);
}

/** Returns a valid key and throws on any other text, so that no key can point outside of the store. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error('malformed blob key');
  return key;
}

/** Returns a valid prefix, which ends in `/` or is '' (everything), and throws on any other text. */
export function checkPrefix(prefix: string): string {
  if (prefix !== '' && !/^([a-z0-9-]+\/)+$/.test(prefix)) throw new Error('malformed blob prefix');
  return prefix;
}

/** Variants that can be made again from the original. */
export type Derived = 'preview' | 'thumbnail' | 'large';
export type Variant = 'original' | Derived;

const UUID_LENGTH = 36;
/** Prefix of all events' folders. */
export const EVENTS_PREFIX = 'events/';
/** The blob that names the database to which a photo store belongs. */
export const OWNER_BLOB = 'installation/owner.proof';

export function eventPrefix(eventId: string): string {
  return `${EVENTS_PREFIX}${eventId}/`;
}

/** Makes the key of part `n` of an incomplete upload. */
export function partBlob(eventId: string, uploadId: string, n: number): string {
  return `${eventPrefix(eventId)}uploads/${uploadId}.${n}`;
}

/** Parses the upload and the number of its part from a key; null for keys of photos. */
export function partOf(key: string): { uploadId: string; n: number } | null {
  const found = /^events\/[^/]+\/uploads\/([0-9a-f-]{36})\.(\d+)$/.exec(key);
  return found ? { uploadId: found[1] as string, n: Number(found[2]) } : null;
}

/** Returns the id of the photo (or of the upload) in a key; '' if there is none. */
export function photoOf(key: string): string {
  return key.split('/').at(-1)?.slice(0, UUID_LENGTH) ?? '';
}

/**
 * Makes the key of a photo's blob. `version` is null for the first thumbnail, and for an original that came without a preview before it.
 */
export function photoBlob(eventId: string, photoId: string, variant: Variant, version: string | null = null): string {
  return `${eventPrefix(eventId)}${photoId}${version === null ? '' : `-${version}`}.${variant}`;
}

/** The columns of a photo's row that describe its blobs; sizes are of the plain bytes. */
export interface PhotoBlobs {
  id: string;
  event_id: string;
  state: PhotoState;
  original_attempt: string | null;
  size: number;
  thumbnail_size: number;
  thumbnail_attempt: string | null;
  /** Null until the preview is made. */
  preview_size: number | null;
  preview_attempt: string | null;
  /** Null until a wall needs it. */
  large_size: number | null;
  large_attempt: string | null;
}

/** Lists the blobs in a photo's row, with their plain sizes. */
export function blobsOf(photo: PhotoBlobs): { variant: Variant; key: string; size: number }[] {
  const blob = (variant: Variant, size: number, version: string | null) => ({
    variant,
    key: photoBlob(photo.event_id, photo.id, variant, version),
    size,
  });
  const original = STATE_RULES[photo.state].original ? [blob('original', photo.size, photo.original_attempt)] : [];
  const preview = photo.preview_size === null ? [] : [blob('preview', photo.preview_size, photo.preview_attempt)];
  // Rows in a backup of an older version lack this column.
  const large = photo.large_size ? [blob('large', photo.large_size, photo.large_attempt)] : [];
  return [...original, blob('thumbnail', photo.thumbnail_size, photo.thumbnail_attempt), ...preview, ...large];
}
