import { rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../lib/bytes.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { collect } from '../lib/stages.ts';
import type { BlobStore } from './blob-store.ts';
import { createReserve } from './reserve.ts';

/** Capacity on the local disk, bytes: some 25,000 thumbnails. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Capacity in memory, bytes: the thumbnails that all guests see first. Reading a file takes longer than decrypting it. */
const MOST_IN_MEMORY_BYTES = 16 * 1024 * 1024;
/** Age since the last read after which a thumbnail is removed: another node may have deleted its event. */
const UNREAD_MS = 24 * 60 * 60 * 1000;

const isThumbnail = (key: string): boolean => key.endsWith('.thumbnail');

/**
 * Caches a remote store's thumbnails, still sealed, on this node's disk, and in memory those that are read again: hundreds of guests look
 * at the same ones. The least recently read are removed first. Nothing is kept if the disk has only its reserve left, or beyond the
 * process. A thumbnail that another node removes stays here up to a day after its last read, without any key that would open it. `now`: in
 * ms.
 */
export function cacheThumbnails(
  store: BlobStore,
  {
    folder,
    mostBytes = MOST_BYTES,
    mostInMemoryBytes = MOST_IN_MEMORY_BYTES,
    now = () => performance.now(),
  }: { folder: string; mostBytes?: number; mostInMemoryBytes?: number; now?: () => number },
): BlobStore {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  const leaveReserve = createReserve(folder);
  /** Thumbnails on disk by key, the least recently read first. */
  const kept = new Map<string, { size: number; readAt: number }>();
  /** Thumbnails in memory by key, the least recently read first. */
  const inMemory = new Map<string, Bytes>();
  let inMemoryBytes = 0;
  const flight = createSingleFlight<Bytes>();
  let total = 0;
  let writes = 0;
  /** Number of removals: reads that began before one may hold a blob that the store has lost. */
  let removals = 0;
  const pathOf = (key: string): string => join(folder, key.replaceAll('/', '_'));

  function forget(key: string): void {
    inMemoryBytes -= inMemory.get(key)?.length ?? 0;
    inMemory.delete(key);
  }

  function remember(key: string, bytes: Bytes): void {
    forget(key);
    inMemory.set(key, bytes);
    inMemoryBytes += bytes.length;
    for (const [oldest] of inMemory) {
      if (inMemoryBytes <= mostInMemoryBytes) break;
      forget(oldest);
    }
  }

  async function drop(key: string): Promise<void> {
    forget(key);
    total -= kept.get(key)?.size ?? 0;
    kept.delete(key);
    await rm(pathOf(key), { force: true });
  }

  /** Keeps a thumbnail; a failure is no error, the next read asks the store. `since`: value of `removals` before the bytes were read. */
  async function keep(key: string, bytes: Bytes, since: number): Promise<void> {
    const path = join(folder, `${(writes += 1)}.new`);
    try {
      await leaveReserve();
      await writeFile(path, bytes, { mode: 0o600 });
      await rename(path, pathOf(key));
    } catch {
      await rm(path, { force: true }).catch(() => undefined);
      return;
    }
    if (removals !== since) return drop(key);
    forget(key);
    total += bytes.length - (kept.get(key)?.size ?? 0);
    kept.set(key, { size: bytes.length, readAt: now() });
    for (const [oldest, { readAt }] of kept) {
      if (total <= mostBytes && now() - readAt < UNREAD_MS) break;
      await drop(oldest);
    }
  }

  async function whole(key: string): Promise<Bytes> {
    const found = kept.get(key);
    if (found) {
      const bytes = inMemory.get(key) ?? (await readFile(pathOf(key)).catch(() => null));
      if (bytes?.length === found.size) {
        // A thumbnail that was removed meanwhile is not remembered again.
        if (kept.get(key) === found) {
          kept.delete(key);
          kept.set(key, { ...found, readAt: now() });
          remember(key, bytes);
        }
        return bytes;
      }
      await drop(key);
    }
    return flight.run(key, async () => {
      const since = removals;
      const bytes = await collect(store.read(key));
      await keep(key, bytes, since);
      return bytes;
    });
  }

  return {
    ...store,
    async *read(key, range) {
      if (isThumbnail(key)) yield (await whole(key)).subarray(range?.start, range?.end);
      else yield* store.read(key, range);
    },
    async put(key, bytes) {
      const since = removals;
      await store.put(key, bytes);
      if (isThumbnail(key)) await keep(key, bytes, since);
    },
    async adopt(key, stagedPath) {
      await store.adopt(key, stagedPath);
      if (isThumbnail(key)) removals += 1;
      if (kept.has(key)) await drop(key);
    },
    async remove(key) {
      if (kept.has(key)) await drop(key);
      await store.remove(key);
      if (isThumbnail(key)) removals += 1;
    },
    async removePrefix(prefix, signal) {
      for (const key of kept.keys()) if (key.startsWith(prefix)) await drop(key);
      await store.removePrefix(prefix, signal);
      removals += 1;
    },
  };
}
