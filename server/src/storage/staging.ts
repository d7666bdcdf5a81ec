import type { Bytes } from '../lib/bytes.ts';

/**
 * Temporary files on the local disk, for sealed bytes on their way into the store. They live beside the photo folder, so
 * that adopting one is a rename. What a crash leaves behind is removed at the next start.
 */
export interface Staging {
  /** A new path in the staging folder. The caller writes the file, then has it adopted or discards it. */
  path(): string;
  /** Writes a stream to a path of `path()`. Pulls from the stream only after what it got before is written. */
  write(path: string, source: AsyncIterable<Bytes>): Promise<void>;
  /** Removes one staged file; no error where there is none. */
  discard(path: string): Promise<void>;
  /** Bytes that the disk still has room for. */
  freeBytes(): Promise<number>;
  /** Removes everything (at start, before anything is staged). */
  clear(): Promise<void>;
}
