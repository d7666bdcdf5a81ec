import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { directWorks, writeDirect } from './direct-file.ts';
import { writeStaged } from './staged-file.ts';
import type { Staging } from './staging.ts';

/**
 * Staging in a folder of the local disk; made at once, readable by this user alone. `uncached`: what is written goes past the
 * kernel's file cache where the system can do that, for stores that take a file over as it lies.
 */
export function createStaging({ folder, uncached = false }: { folder: string; uncached?: boolean }): Staging {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    path: () => join(folder, randomUUID()),
    write: uncached && directWorks(folder) ? writeDirect : writeStaged,
    discard: (path) => rm(path, { force: true }),
    async clear() {
      for (const name of await readdir(folder)) await rm(join(folder, name), { force: true, recursive: true });
    },
  };
}
