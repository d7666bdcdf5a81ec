import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { link, mkdir, open, rename, rm, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createFairSemaphore } from '../lib/concurrency/fair-semaphore.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { Refusal } from '../lib/errors.ts';
import { BlobDamaged, BlobMissing, checkKey, checkPrefix, isKey, Inaccessible, type BlobStore } from './blob-store.ts';
import { isDamage } from './damage.ts';
import { ifMissing } from './if-missing.ts';
import { namesInOrder } from './names-in-order.ts';
import { createReserve } from './reserve.ts';
import { readPieces } from './staged-file.ts';

const TEMPORARY = '.tmp-';
/** The folder of the file system itself in the root of a disk, which only root can read. */
const OF_FILE_SYSTEM = 'lost+found/';
/** Errors of `link`: the file is on another disk, or the file system has no hard links, or too many. */
const NO_LINKS = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Concurrent calls of a list or a removal: ten times faster than one at a time. */
const CALLS_AT_ONCE = 64;
/** How often a blob's folder is created again if a purge removes it in between. */
const PLACE_ATTEMPTS = 3;
/** How often a purge empties a folder again if an upload puts something into it in between. */
const EMPTY_ATTEMPTS = 10;

/**
 * Blobs as files below `folder`, which only this user can read. Opening the store removes files that a crash left incomplete,
 * unless the folder is `shared` with a store that may be writing (commands while the server runs).
 */
export function createFolderStore({ folder: given, shared = false }: { folder: string; shared?: boolean }): BlobStore {
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!shared) for (const name of readdirSync(folder)) if (name.startsWith(TEMPORARY)) rmSync(join(folder, name), { force: true });
  const folders = createDurableFolders(folder);
  const leaveReserve = createReserve(folder);
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
    await folders.sync(home).catch(noErrorIfMissing);
  }

  /** Creates a file under a temporary name, and moves it to a key. After an error nothing is left. */
  async function placeNew(key: string, create: (temporary: string) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const temporary = join(folder, TEMPORARY + randomUUID());
    await consuming(temporary, async () => {
      await create(temporary);
      await place(temporary, path);
    });
  }

  const writeNew = (key: string, fill: (file: FileHandle) => Promise<void>): Promise<void> =>
    placeNew(key, async (temporary) => {
      await leaveReserve();
      await withFile(temporary, 'wx', async (file) => {
        await fill(file);
        await file.sync();
      });
    });

  /**
   * Lists the files below a prefix behind the name `after`, in the order of their names (relative to the store), in batches. Goes on behind
   * a folder that cannot be read, and adds it to `unlisted`.
   */
  async function* walk(prefix: string, after: string, unlisted: Map<string, unknown>): AsyncGenerator<string[]> {
    const rest = after.startsWith(prefix) ? after.slice(prefix.length) : '';
    if (rest === '' && after > prefix) return;
    // A folder's name ends in a slash: the folder that contains `after` comes after this name.
    const [from] = rest.split('/');
    try {
      for await (const names of namesInOrder(join(folder, prefix), from)) {
        let files: string[] = [];
        for (const name of names) {
          if (!name.endsWith('/')) {
            if (prefix + name > after) files.push(prefix + name);
            continue;
          }
          yield files;
          files = [];
          if (prefix + name !== OF_FILE_SYSTEM) yield* walk(prefix + name, after, unlisted);
        }
        yield files;
      }
    } catch (error) {
      if (prefix === '') throw error;
      unlisted.set(prefix, error);
    }
  }

  async function* list(prefix: string, after = ''): AsyncGenerator<{ key: string; size: number; modifiedAt: number }> {
    const unlisted = new Map<string, unknown>();
    const look = (key: string) =>
      stat(join(folder, key))
        .catch(ifMissing(null))
        .catch((error: unknown) => void unlisted.set(key, error));
    for await (const files of walk(checkPrefix(prefix), after, unlisted)) {
      for (const keys of parts(files.filter(isKey))) {
        for (const [i, stats] of (await Promise.all(keys.map(look))).entries()) {
          if (stats) yield { key: keys[i] as string, size: stats.size, modifiedAt: stats.mtimeMs };
        }
      }
    }
    throwGaps(unlisted);
  }

  /** Removes all files and folders in a folder. Goes on behind what cannot be removed, and throws the first error at the end. */
  async function empty(path: string, signal: AbortSignal | undefined): Promise<void> {
    const removed = async (name: string): Promise<void> => {
      if (!name.endsWith('/')) return unlink(join(path, name)).catch(noErrorIfMissing);
      for (let attempt = 1; ; attempt++) {
        await empty(join(path, name), signal);
        try {
          return await rmdir(join(path, name)).catch(noErrorIfMissing);
        } catch (error) {
          if (attempt === EMPTY_ATTEMPTS) throw error;
        }
      }
    };
    signal?.throwIfAborted();
    let failed: PromiseRejectedResult | undefined;
    for await (const names of namesInOrder(path)) {
      for (const part of parts(names)) {
        signal?.throwIfAborted();
        const done = await Promise.allSettled(part.map(removed));
        failed ??= done.find((result) => result.status === 'rejected');
      }
    }
    if (failed) throw failed.reason;
  }

  return {
    async adopt(key, stagedPath) {
      await withFile(stagedPath, 'r+', (file) => file.sync());
      // A hard link to the same bytes; another disk, or a file system without hard links, gets a copy.
      await placeNew(key, (temporary) => link(stagedPath, temporary)).catch(async (error: unknown) => {
        if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
        await writeNew(key, async (to) => {
          await withFile(stagedPath, 'r', async (from) => {
            for await (const piece of readPieces(from)) await to.writeFile(piece);
          });
        });
      });
    },
    put: (key, bytes) => writeNew(key, (file) => file.writeFile(bytes)),
    async *read(key, range) {
      try {
        await using file = await open(pathOf(key), 'r');
        yield* readPieces(file, range?.start, range?.end);
      } catch (error) {
        throw lossOf(key, error) ?? error;
      }
    },
    async size(key) {
      try {
        return (await stat(pathOf(key))).size;
      } catch (error) {
        if (lossOf(key, error)) return null;
        throw error;
      }
    },
    list,
    async *folders(prefix, after) {
      for await (const names of namesInOrder(join(folder, checkPrefix(prefix)), after === '' ? '' : `${after}/`)) {
        yield* names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
      }
    },
    async *strays() {
      const unlisted = new Map<string, unknown>();
      for await (const files of walk('', '', unlisted)) {
        yield* files.filter((name) => !isKey(name) && !name.startsWith(TEMPORARY));
      }
      throwGaps(unlisted);
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async removePrefix(prefix, signal) {
      const path = join(folder, checkPrefix(prefix));
      await empty(path, signal);
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

/** Creates folders that survive a power loss, as do their entries. Only this user can read them. */
function createDurableFolders(root: string) {
  // The map contains folders that are being created, too: nobody may use a folder before its parents are synced.
  const made = createSingleFlight<void>({ successMs: Infinity });
  const waiting = createSingleFlight<void>();
  const syncs = createFairSemaphore(({ length }) => (length === 0 ? Infinity : 1));

  /**
   * Syncs a folder. Callers share a run that has not started yet. A run that has started may miss a caller's change, so later callers get
   * the next run.
   */
  function sync(path: string): Promise<void> {
    return waiting.run(path, () =>
      syncs.run([path], () => {
        waiting.forget(path);
        return withFile(path, 'r', (file) => file.sync());
      }),
    );
  }

  async function makeNow(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    for (let at = path; ; at = dirname(at)) {
      await sync(dirname(at));
      if (at === root) return;
    }
  }

  return {
    /** Creates a folder below the root with its parents; resolves once it survives a power loss. A second call costs nothing. */
    make: (path: string): Promise<void> => made.run(path, () => makeNow(path)),
    /** Forgets that a folder was created, because it may have been removed. */
    forget: (path: string): void => made.forget(path),
    sync,
  };
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  await using file = await open(path, flags, 0o600);
  await work(file);
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

/** Returns the loss that an error of a blob's file means; null if it says nothing about the blob. */
function lossOf(key: string, error: unknown): BlobMissing | null {
  if (codeOf(error) === 'ENOENT') return new BlobMissing(key, error);
  return isDamage(error) ? new BlobDamaged(key, error) : null;
}

function throwGaps(unlisted: Map<string, unknown>): void {
  const [first] = unlisted.values();
  if (unlisted.size > 0) throw new Inaccessible([...unlisted.keys()], first);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

const noErrorIfMissing = ifMissing(undefined);

function* parts(names: string[]): Generator<string[]> {
  for (let at = 0; at < names.length; at += CALLS_AT_ONCE) yield names.slice(at, at + CALLS_AT_ONCE);
}
