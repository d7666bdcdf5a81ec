import type { Bytes } from '../lib/bytes.ts';

/**
 * Temporary files on the local disk for sealed bytes that are not in the store yet. They are on the disk of the photo folder, so
 * that adopting a file is a rename. Files that a crash leaves behind are removed at the next start.
 */
export interface Staging {
  /** A new path in the staging folder. The caller writes the file and then adopts or discards it. */
  path(): string;
  /** Writes a stream to a path of `path()`. Reads from the stream only after the bytes before are written. Throws ENOSPC where the disk has a reserve left at most. */
  write(path: string, source: AsyncIterable<Bytes>): Promise<void>;
  /** Removes one staged file; no error if there is none. */
  discard(path: string): Promise<void>;
  /** Free bytes on the disk. */
  freeBytes(): Promise<number>;
  /** Removes everything (at start, before anything is staged). */
  clear(): Promise<void>;
}
