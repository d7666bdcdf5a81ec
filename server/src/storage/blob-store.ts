import { STATE_RULES, type PhotoState } from '@feierbild/contract/photo-states.ts';
import type { Bytes } from '../lib/bytes.ts';

/**
 * Stores sealed bytes. Keys are `events/{eventId}/{photoId}.{variant}`, `events/{eventId}/{photoId}-{version}.{variant}` or, of
 * uploads that are not complete, `events/{eventId}/uploads/{uploadId}.{n}`: lower-case letters, digits, `-`, `.`, `/`.
 * Every adapter passes the same suite of tests (`testing/conformance.ts`).
 */
export interface BlobStore {
  /**
   * Makes a blob of a staged file (see staging.ts), durably and atomically: the blob is complete or does not exist. The staged file
   * stays: its owner needs it again where the blob's rows cannot be written. Throws `Refusal('disk_full')` if there is no space; then
   * nothing of the blob stays.
   */
  adopt(key: string, stagedPath: string): Promise<void>;
  /** The same for bytes in memory, of what is made of a photo. In a folder there also is no space where the disk has a reserve left at most. */
  put(key: string, bytes: Bytes): Promise<void>;
  /** Bytes [start, end) of a blob, in pieces. Throws BlobMissing. Stops reading when the consumer stops. */
  read(key: string, range?: { start: number; end: number }): AsyncIterable<Bytes>;
  /** Size in bytes, or null where there is no such blob. */
  size(key: string): Promise<number | null>;
  /** All blobs below a prefix that ends in `/` (all blobs for ''), in the order of their keys, those behind the key `after`. */
  list(prefix: string, after?: string): AsyncIterable<{ key: string; size: number; modifiedAt: number }>;
  /** Names of the folders directly below a prefix that ends in `/`, those behind the name `after`; in order where all are equally long. */
  folders(prefix: string, after: string): AsyncIterable<string>;
  /** Names, relative to the store, of files in it that cannot be blobs, without the temporary files of running writes. */
  strays(): AsyncIterable<string>;
  /** Removes one blob; no error if there is none. */
  remove(key: string): Promise<void>;
  /** Removes all blobs below a prefix that ends in `/`. Stops and throws the signal's reason once that is aborted. */
  removePrefix(prefix: string, signal?: AbortSignal): Promise<void>;
  /** Resolves if the store answers and can be written to. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  constructor(key: string, cause?: unknown) {
    super(`no blob ${key}`, { cause });
  }
}

/** Whether a text is a key of a blob. */
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

/** Variants that are made from the original and can be made again. */
export type Derived = 'preview' | 'thumbnail' | 'large';
/** The variants of a photo that are stored. */
export type Variant = 'original' | Derived;

const UUID_LENGTH = 36;
/** The folders of all events lie here. */
export const EVENTS_PREFIX = 'events/';

export function eventPrefix(eventId: string): string {
  return `${EVENTS_PREFIX}${eventId}/`;
}

/** The key of part `n` of an upload that is not complete. */
export function partBlob(eventId: string, uploadId: string, n: number): string {
  return `${eventPrefix(eventId)}uploads/${uploadId}.${n}`;
}

/** The upload and the number of its part that a key names; null for keys of photos. */
export function partOf(key: string): { uploadId: string; n: number } | null {
  const found = /^events\/[^/]+\/uploads\/([0-9a-f-]{36})\.(\d+)$/.exec(key);
  return found ? { uploadId: found[1] as string, n: Number(found[2]) } : null;
}

/** The photo's id in a key (or the upload's); '' if there is none. */
export function photoOf(key: string): string {
  return key.split('/').at(-1)?.slice(0, UUID_LENGTH) ?? '';
}

/** The key of a photo's blob. `version` names one of several versions; null for the first thumbnail, and for an original that came at once. */
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

/** The blobs that a photo's row names, with their plain sizes. */
export function blobsOf(photo: PhotoBlobs): { variant: Variant; key: string; size: number }[] {
  const blob = (variant: Variant, size: number, version: string | null) => ({
    variant,
    key: photoBlob(photo.event_id, photo.id, variant, version),
    size,
  });
  const original = STATE_RULES[photo.state].original ? [blob('original', photo.size, photo.original_attempt)] : [];
  const preview = photo.preview_size === null ? [] : [blob('preview', photo.preview_size, photo.preview_attempt)];
  // Rows of a backup of an older version do not have it.
  const large = photo.large_size ? [blob('large', photo.large_size, photo.large_attempt)] : [];
  return [...original, blob('thumbnail', photo.thumbnail_size, photo.thumbnail_attempt), ...preview, ...large];
}
