import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../lib/disk-full.ts';
import { Unavailable } from '../lib/errors.ts';
import { directWorks, writeDirect } from './direct-file.ts';
import { writeStaged } from './staged-file.ts';
import type { Staging } from './staging.ts';

/** Photos leave this share of the disk free, and at most so many bytes: logins, deletions, links and a restart need room, too. */
const RESERVED_SHARE = 1 / 20;
const RESERVED_BYTES = 64 * 1024 * 1024;
/** If more than ROOMY reserves are free, the free space is not read again for ROOMY_MS: uploads cannot fill the disk in that time. */
const ROOMY = 16;
const ROOMY_MS = 1000;

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
  let roomyUntil = 0;
  const write: Staging['write'] = async (path, source) => {
    if (performance.now() > roomyUntil && (await reservesFree(folder)) > ROOMY) roomyUntil = performance.now() + ROOMY_MS;
    await writeFile(path, source);
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

/** How many times the reserve is free. Throws ENOSPC where only the reserve is left. */
async function reservesFree(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const reserves = (bavail * bsize) / Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE);
  if (reserves > 1) return reserves;
  throw Object.assign(new Error(`no room in ${folder} but the reserve`), { code: 'ENOSPC' });
}
