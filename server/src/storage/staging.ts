import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../lib/bytes.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { Unavailable } from '../lib/errors.ts';
import { ifMissing } from './if-missing.ts';
import { createReserve } from './reserve.ts';
import { directWorks, writeStaged } from './staged-file.ts';

/** Bytes after which a write checks again whether there is room: other files are written at the same time. */
const CHECKED_BYTES = 1024 * 1024;

/** Temporary files on the local disk for sealed bytes that are not in the store yet. */
export type Staging = ReturnType<typeof createStaging>;

/**
 * Staging in a folder of the local disk, which is created at once and which only this user can read. It is on the photo folder's disk, so
 * that a hard link adopts a file. Files that a crash leaves behind are removed at the next start. `uncached`: writes bypass the kernel's
 * file cache if the system supports it, for stores that adopt a file without reading it. `shared`: the photo store is on the same disk, so
 * that it is full, too; otherwise only this node has no room, and `write` throws Unavailable.
 */
export function createStaging({ folder, uncached = false, shared = true }: { folder: string; uncached?: boolean; shared?: boolean }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const direct = uncached && directWorks(folder);
  const leaveReserve = createReserve(folder);
  async function* checked(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
    let unchecked = 0;
    for await (const piece of source) {
      unchecked += piece.length;
      if (unchecked >= CHECKED_BYTES) {
        await leaveReserve();
        unchecked = 0;
      }
      yield piece;
    }
  }
  return {
    /** Returns a new path in the staging folder. The caller writes the file, and discards it in the end. */
    path: (): string => join(folder, randomUUID()),
    /**
     * Writes a stream to a path of `path()`, reading on only after the previous bytes are written. Throws ENOSPC if only the reserve is
     * free.
     */
    async write(path: string, source: AsyncIterable<Bytes>): Promise<void> {
      try {
        await leaveReserve();
        await writeStaged(path, checked(source), direct);
      } catch (error) {
        throw !shared && isDiskFull(error) ? new Unavailable('staging', error) : error;
      }
    },
    /** Removes one staged file; no error if there is none. */
    discard: (path: string): Promise<void> => unlink(path).catch(ifMissing(undefined)),
    /** Returns the free bytes on the disk. */
    async freeBytes(): Promise<number> {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    /** Removes everything (at start, before anything is staged). */
    async clear(): Promise<void> {
      for (const name of await readdir(folder)) await rm(join(folder, name), { force: true, recursive: true });
    },
  };
}
