import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, type Dirent } from 'node:fs';
import { open, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isDiskFull } from '../lib/disk-full.ts';
import { Refusal } from '../lib/errors.ts';
import { BlobMissing, type BlobStore } from './blob-store.ts';
import { createDurableFolders } from './durable-folders.ts';
import { checkKey, checkPrefix, isKey } from './keys.ts';
import { readPieces } from './read-pieces.ts';

const TEMPORARY = '.tmp-';
/** Concurrent stat calls of a list. */
const STATS_AT_ONCE = 64;
/** How often a blob's folder is created again when a purge removes it in between. */
const PLACE_ATTEMPTS = 3;
/** A purge empties a folder again when an upload puts something into it in between. */
const EMPTIED = { force: true, recursive: true, maxRetries: 10, retryDelay: 5 };

/**
 * Blobs as files below `folder`, which only this user can read. Opening the store removes files that a crash left incomplete,
 * unless the folder is `shared` with a store that may be writing (commands while the server runs).
 */
export function createFolderStore({ folder: given, shared = false }: { folder: string; shared?: boolean }): BlobStore {
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!shared) for (const name of readdirSync(folder)) if (name.startsWith(TEMPORARY)) rmSync(join(folder, name), { force: true });
  const folders = createDurableFolders(folder);
  const pathOf = (key: string): string => join(folder, checkKey(key));

  /** Moves a written and synced file to its path, durably. */
  async function place(from: string, path: string): Promise<void> {
    const home = dirname(path);
    for (let attempt = 1; ; attempt++) {
      try {
        await folders.make(home);
        await rename(from, path);
        break;
      } catch (error) {
        // A purge may have removed the folder just now.
        if (codeOf(error) !== 'ENOENT' || attempt === PLACE_ATTEMPTS) throw error;
        folders.forget(home);
      }
    }
    // A purge may have removed the folder with the file.
    await folders.sync(home).catch(noneIfMissing);
  }

  /** Creates a file, fills it by `fill` and moves it to a key. After an error nothing of it stays. */
  async function placeNew(key: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const temporary = join(folder, TEMPORARY + randomUUID());
    await consuming(temporary, async () => {
      await withFile(temporary, 'wx', async (file) => {
        await fill(file);
        await file.sync();
      });
      await place(temporary, path);
    });
  }

  /** The files of a folder and of the folders in it, as one array per folder: names relative to the store, with `/`. */
  async function* walk(path: string): AsyncGenerator<string[]> {
    const entries = await readdir(path, { withFileTypes: true }).catch(noneIfMissing);
    const nameOf = (entry: Dirent): string => relative(folder, join(path, entry.name)).split(sep).join('/');
    yield entries.filter((entry) => !entry.isDirectory()).map(nameOf);
    for (const entry of entries) if (entry.isDirectory()) yield* walk(join(path, entry.name));
  }

  async function* list(prefix: string): AsyncGenerator<{ key: string; size: number; modifiedAt: number }> {
    for await (const files of walk(join(folder, checkPrefix(prefix)))) {
      const keys = files.filter(isKey);
      // Ten times faster than one after the other.
      for (let at = 0; at < keys.length; at += STATS_AT_ONCE) {
        const batch = keys.slice(at, at + STATS_AT_ONCE);
        for (const [i, facts] of (await Promise.all(batch.map((key) => stat(join(folder, key)).catch(() => null)))).entries()) {
          if (facts) yield { key: batch[i] as string, size: facts.size, modifiedAt: facts.mtimeMs };
        }
      }
    }
  }

  return {
    adopt: (key, stagedPath) =>
      consuming(stagedPath, async () => {
        const path = pathOf(key);
        await withFile(stagedPath, 'r+', (file) => file.sync());
        try {
          await place(stagedPath, path);
        } catch (error) {
          if (codeOf(error) !== 'EXDEV') throw error;
          // Staging is on another disk: the file is copied next to its target first, so that the last step is still a rename.
          await placeNew(key, async (to) => {
            await withFile(stagedPath, 'r', async (from) => {
              for await (const piece of readPieces(from, 0, Number.POSITIVE_INFINITY)) await to.writeFile(piece);
            });
          });
          await rm(stagedPath, { force: true });
        }
      }),
    put: (key, bytes) => placeNew(key, (file) => file.writeFile(bytes)),
    async *read(key, range) {
      const file = await open(pathOf(key), 'r').catch((error) => {
        throw codeOf(error) === 'ENOENT' ? new BlobMissing(key, error) : error;
      });
      try {
        yield* readPieces(file, range?.start ?? 0, range?.end ?? Number.POSITIVE_INFINITY);
      } finally {
        await file.close();
      }
    },
    async size(key) {
      const facts = await stat(pathOf(key)).catch((error) => {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      });
      return facts?.size ?? null;
    },
    list,
    async *folders(prefix, after) {
      const entries = await readdir(join(folder, checkPrefix(prefix)), { withFileTypes: true }).catch(noneIfMissing);
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      yield* names.filter((name) => name > after).toSorted();
    },
    async *strays() {
      for await (const files of walk(folder)) {
        yield* files.filter((name) => !isKey(name) && !name.startsWith(TEMPORARY));
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async removePrefix(prefix) {
      const path = join(folder, checkPrefix(prefix));
      for (const name of await readdir(path).catch(noneIfMissing)) await rm(join(path, name), EMPTIED);
      if (prefix !== '') await rmdir(path).catch(() => undefined);
    },
    async check() {
      const temporary = join(folder, TEMPORARY + randomUUID());
      await consuming(temporary, () => withFile(temporary, 'wx', (file) => file.writeFile('ok')));
      await rm(temporary, { force: true });
    },
    close: async () => undefined,
  };
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

/** Runs work that moves a file to its place. After an error the file is removed, and a full disk becomes `Refusal('disk_full')`. */
async function consuming(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await rm(path, { force: true });
    throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function noneIfMissing(error: unknown): [] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}
