import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Bytes } from '../lib/bytes.ts';
import { Refusal } from '../lib/errors.ts';
import { BlobMissing, type BlobStore } from './blob-store.ts';
import { checkKey, checkPrefix } from './keys.ts';

/** Bytes read at once: fewer calls than small pieces, little memory (measured best around 256 KiB). */
const PIECE = 256 * 1024;
const TEMPORARY = '.tmp-';
/** Files whose size is asked for together in a list. */
const STATS_AT_ONCE = 64;

/** Blobs as files below `folder`, which belongs to this store alone. */
export function createFolderStore({ folder }: { folder: string }): BlobStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const syncFolder = createFolderSync();
  const pathOf = (key: string): string => join(folder, checkKey(key));

  /** Moves a written and synced file to its key, durably. */
  async function place(from: string, key: string): Promise<void> {
    const path = pathOf(key);
    try {
      await rename(from, path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await makeFolder(dirname(path));
      await rename(from, path);
    }
    await syncFolder(dirname(path));
  }

  /** Makes a folder and its parents below the store, each durable in its own parent. */
  async function makeFolder(path: string): Promise<void> {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    for (let at = path; first !== undefined && at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
  }

  async function adopt(key: string, stagedPath: string): Promise<void> {
    await withFile(stagedPath, 'r+', (file) => file.sync());
    try {
      await place(stagedPath, key);
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      // Staging lies on another disk: copy next to the goal first, so that the last step is still a rename.
      const temporary = join(folder, TEMPORARY + randomUUID());
      await orDiskFull(temporary, async () => {
        await copyFile(stagedPath, temporary);
        await withFile(temporary, 'r+', (file) => file.sync());
        await place(temporary, key);
      });
      await rm(stagedPath, { force: true });
    }
  }

  async function* walk(path: string): AsyncGenerator<{ key: string; size: number; modifiedAt: number }> {
    const entries = await readdir(path, { withFileTypes: true }).catch(noneIfMissing);
    const files = entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith(TEMPORARY))
      .map((entry) => join(path, entry.name));
    // Ten times as fast as one after the other.
    for (let at = 0; at < files.length; at += STATS_AT_ONCE) {
      const batch = files.slice(at, at + STATS_AT_ONCE);
      for (const [i, facts] of (await Promise.all(batch.map((file) => stat(file).catch(() => null)))).entries()) {
        const key = relative(folder, batch[i] as string)
          .split(sep)
          .join('/');
        if (facts) yield { key, size: facts.size, modifiedAt: facts.mtimeMs };
      }
    }
    for (const entry of entries) if (entry.isDirectory()) yield* walk(join(path, entry.name));
  }

  return {
    adopt,
    async put(key, bytes) {
      const temporary = join(folder, TEMPORARY + randomUUID());
      await orDiskFull(temporary, async () => {
        await withFile(temporary, 'wx', async (file) => {
          await file.writeFile(bytes);
          await file.sync();
        });
        await place(temporary, key);
      });
    },
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
    list: (prefix) => walk(join(folder, checkPrefix(prefix))),
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async removePrefix(prefix) {
      const path = join(folder, checkPrefix(prefix));
      for (const name of await readdir(path).catch(noneIfMissing)) await rm(join(path, name), { force: true, recursive: true });
      if (prefix !== '') await rmdir(path).catch(() => undefined);
    },
    async check() {
      const temporary = join(folder, TEMPORARY + randomUUID());
      await orDiskFull(temporary, () => withFile(temporary, 'wx', async (file) => void (await file.write(Buffer.from('ok')))));
      await rm(temporary, { force: true });
    },
    close: async () => undefined,
  };
}

async function* readPieces(file: FileHandle, start: number, end: number): AsyncGenerator<Bytes> {
  for (let at = start; at < end;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield bytesRead === piece.length ? piece : piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

/** Runs work that fills a temporary file; where it fails nothing of the file stays, and a full disk is named as such. */
async function orDiskFull(temporary: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await rm(temporary, { force: true });
    throw codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' ? new Refusal('disk_full', { cause: error }) : error;
  }
}

/** fsync of folders: one run serves everyone who asked before it started. */
function createFolderSync(): (path: string) => Promise<void> {
  const waiting = new Map<string, Promise<void>>();
  const running = new Map<string, Promise<void>>();
  const sync = (path: string): Promise<void> => {
    const next = waiting.get(path);
    if (next) return next;
    const before = running.get(path) ?? Promise.resolve();
    const mine = before
      .catch(() => undefined)
      .then(async () => {
        waiting.delete(path);
        running.set(path, mine);
        try {
          await withFile(path, 'r', (file) => file.sync());
        } finally {
          if (running.get(path) === mine) running.delete(path);
        }
      });
    waiting.set(path, mine);
    return mine;
  };
  return sync;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function noneIfMissing(error: unknown): [] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}
