import { rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../lib/bytes.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { collect } from '../lib/stages.ts';
import type { BlobStore } from './blob-store.ts';
import { createReserve } from './reserve.ts';

/** Of the local disk: some 25,000 thumbnails. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Of memory: those that all guests see first. To read a file takes longer than to open what it holds. */
const MOST_IN_MEMORY_BYTES = 16 * 1024 * 1024;
/** A thumbnail that nobody reads for so long goes: another node may have deleted its event. */
const UNREAD_MS = 24 * 60 * 60 * 1000;

const isThumbnail = (key: string): boolean => key.endsWith('.thumbnail');

/**
 * A remote store whose thumbnails are kept, sealed as they are, on this node's disk, and in memory where they are read again: hundreds of
 * guests look at the same ones. What was not read for longest goes first; nothing is kept where the disk has a reserve left at most, and
 * nothing outlives the process. A thumbnail that another node removes stays here for a day after it was read last, without any key that
 * would open it. `now`: in ms.
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
  /** By key, the least recently read first. */
  const kept = new Map<string, { size: number; readAt: number }>();
  /** The thumbnails in memory, likewise. */
  const inMemory = new Map<string, Bytes>();
  let inMemoryBytes = 0;
  const flight = createSingleFlight<Bytes>();
  let total = 0;
  let writes = 0;
  /** Calls after which an earlier read may be wrong: the store may have lost the blob. */
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

  /** Without it the thumbnail is read from the store again: no error. `since`: the removals before the bytes were read. */
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
        // Removed meanwhile, it does not come back.
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
