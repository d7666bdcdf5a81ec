import { HOUR } from '@feierbild/contract/constants.ts';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { createFolderStore } from './folder-store.ts';
import { blobStoreConformance, keys, read } from './testing/conformance.ts';
import { cacheThumbnails } from './thumbnail-cache.ts';
import { RUN_FOLDER } from '../testing/run-folder.ts';

const folders: string[] = [];
async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-cache-'));
  folders.push(folder);
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe('with a cache of thumbnails', () => {
  blobStoreConformance(async () => {
    const folder = await freshFolder();
    let opened = 0;
    return {
      open: () =>
        cacheThumbnails(createFolderStore({ folder: join(folder, 'photos') }), { folder: join(folder, `cache-${(opened += 1)}`) }),
    };
  });
});

describe('a cache of thumbnails', () => {
  let store: BlobStore;
  let cached: BlobStore;
  let cache: string;
  /** Keys that the store itself was asked for. */
  let asked: string[];
  let now: number;
  /** Holds back the store's answers. */
  let reading: Promise<void>;
  const key = (n: number): string => `events/a/photo-${n}.thumbnail`;
  const put = async (n: number, size = 1000): Promise<Buffer> => {
    const bytes = randomBytes(size);
    await store.put(key(n), bytes);
    return bytes;
  };
  beforeEach(async () => {
    const folder = await freshFolder();
    store = createFolderStore({ folder: join(folder, 'photos') });
    asked = [];
    const counted: BlobStore = {
      ...store,
      async *read(name, range) {
        asked.push(name);
        const bytes = await Array.fromAsync(store.read(name, range));
        await reading;
        yield* bytes;
      },
    };
    cache = join(folder, 'thumbnails');
    now = 0;
    reading = Promise.resolve();
    cached = cacheThumbnails(counted, { folder: cache, mostBytes: 3000, mostInMemoryBytes: 2000, now: () => now });
  });

  it('reads a thumbnail from the store once for all simultaneous callers, and any part of it afterwards', async () => {
    const bytes = await put(1);
    const all = await Promise.all(Array.from({ length: 20 }, () => read(cached, key(1))));
    for (const one of all) expect(one.equals(bytes)).toBe(true);
    const part = Buffer.concat(await Array.fromAsync(cached.read(key(1), { start: 10, end: 20 })));
    expect(part.equals(bytes.subarray(10, 20))).toBe(true);
    expect(asked).toEqual([key(1)]);
  });

  it('keeps nothing but thumbnails, those that were read last, and no more than it may', async () => {
    await store.put('events/a/photo-1.original', randomBytes(10));
    await read(cached, 'events/a/photo-1.original');
    expect(await readdir(cache)).toEqual([]);
    for (const n of [1, 2, 3]) await put(n);
    for (const n of [1, 2, 3, 1]) await read(cached, key(n));
    await cached.put(key(4), randomBytes(1000));
    expect((await readdir(cache)).toSorted()).toEqual([1, 3, 4].map((n) => key(n).replaceAll('/', '_')));
    asked = [];
    for (const n of [1, 3, 4, 2]) await read(cached, key(n));
    expect(asked).toEqual([key(2)]);
  });

  it('needs no file of what was read again, as long as its memory has room for it', async () => {
    for (const n of [1, 2, 3]) await put(n);
    for (const n of [1, 1, 2, 2, 3, 3]) await read(cached, key(n));
    asked = [];
    await rm(cache, { recursive: true });
    for (const n of [3, 2, 1]) await read(cached, key(n));
    expect(asked).toEqual([key(1)]);
  });

  it('gives out nothing that was removed, alone or with its event', async () => {
    for (const n of [1, 2]) await put(n);
    for (const n of [1, 1, 2, 2]) await read(cached, key(n));
    await cached.remove(key(1));
    await expect(read(cached, key(1))).rejects.toThrow('no blob');
    await cached.removePrefix('events/a/');
    await expect(read(cached, key(2))).rejects.toThrow('no blob');
    expect(await readdir(cache)).toEqual([]);
    expect(await keys(cached, 'events/a/')).toEqual([]);
  });

  it('keeps nothing that is removed while it is read', async () => {
    for (const remove of [() => cached.remove(key(1)), () => cached.removePrefix('events/a/')]) {
      await put(1);
      const { promise, resolve } = Promise.withResolvers<void>();
      reading = promise;
      asked = [];
      const reads = read(cached, key(1));
      await expect.poll(() => asked).toEqual([key(1)]);
      await remove();
      resolve();
      await reads;
      expect(await readdir(cache)).toEqual([]);
      await expect(read(cached, key(1))).rejects.toThrow('no blob');
    }
  });

  it('lets go of what nobody has read for a day, which another node may have removed', async () => {
    for (const n of [1, 2]) await put(n);
    for (const n of [1, 2]) await read(cached, key(n));
    now += 13 * HOUR;
    await read(cached, key(2));
    now += 12 * HOUR;
    await cached.put(key(3), randomBytes(100));
    expect((await readdir(cache)).toSorted()).toEqual([2, 3].map((n) => key(n).replaceAll('/', '_')));
  });

  it('reads from the store what its own file lost, and begins empty', async () => {
    const bytes = await put(1);
    await read(cached, key(1));
    await writeFile(join(cache, key(1).replaceAll('/', '_')), 'short');
    expect((await read(cached, key(1))).equals(bytes)).toBe(true);
    await rm(cache, { recursive: true });
    expect((await read(cached, key(1))).equals(bytes)).toBe(true);
    await writeFile(join(await freshFolder(), 'other'), '');
    cacheThumbnails(store, { folder: cache });
    expect(await readdir(cache)).toEqual([]);
  });
});
