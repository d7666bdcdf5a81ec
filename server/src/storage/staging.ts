import type { Bytes } from '../lib/bytes.ts';

/**
 * Temporary files on the local disk, for sealed bytes on their way into the store. They live beside the photo folder, so
 * that adopting one is a rename. What a crash leaves behind is removed at the next start.
 */
export interface Staging {
  /** A fresh path below the staging folder, with its folder made. The caller writes the file and hands it on or removes it. */
  path(): string;
  /** Writes a stream to a fresh path, taking more only when what it took is written. For what is not read again soon. */
  write(path: string, source: AsyncIterable<Bytes>): Promise<void>;
  /** Removes one staged file; no error where there is none. */
  discard(path: string): Promise<void>;
  /** Removes everything (at start, before anything is staged). */
  clear(): Promise<void>;
}
