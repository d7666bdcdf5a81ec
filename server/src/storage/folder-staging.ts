import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Staging } from './staging.ts';

/** Staging in a folder of the local disk; made at once, readable by this user alone. */
export function createStaging({ folder }: { folder: string }): Staging {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    path: () => join(folder, randomUUID()),
    discard: (path) => rm(path, { force: true }),
    async clear() {
      for (const name of await readdir(folder)) await rm(join(folder, name), { force: true, recursive: true });
    },
  };
}
