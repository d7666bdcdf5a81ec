import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../lib/bytes.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { Unavailable } from '../lib/errors.ts';
import { directWorks, writeDirect } from './direct-file.ts';
import { createReserve } from './reserve.ts';
import { writeStaged } from './staged-file.ts';
import type { Staging } from './staging.ts';

/** A file that is written asks after so many bytes whether there still is room: others are written at the same time. */
const CHECKED_BYTES = 1024 * 1024;

/**
 * Staging in a folder of the local disk, which is created at once and which only this user can read. `uncached`: writes without
 * the kernel's file cache where the system supports it, for stores that adopt a file by renaming it. `shared`: the photo store is on
 * the same disk, so that a full disk is the product's; otherwise only this node has no room, and `write` throws Unavailable.
 */
export function createStaging({
  folder,
  uncached = false,
  shared = true,
}: {
  folder: string;
  uncached?: boolean;
  shared?: boolean;
}): Staging {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const writeFile = uncached && directWorks(folder) ? writeDirect : writeStaged;
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
  const write: Staging['write'] = async (path, source) => {
    await leaveReserve();
    await writeFile(path, checked(source));
  };
  return {
    path: () => join(folder, randomUUID()),
    write: shared
      ? write
      : (path, source) =>
          write(path, source).catch((error: unknown) => {
            throw isDiskFull(error) ? new Unavailable('staging', error) : error;
          }),
    discard: (path) => rm(path, { force: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    async clear() {
      for (const name of await readdir(folder)) await rm(join(folder, name), { force: true, recursive: true });
    },
  };
}
