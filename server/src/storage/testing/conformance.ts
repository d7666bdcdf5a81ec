import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bytes } from '../../lib/bytes.ts';
import { BlobMissing, type BlobStore } from '../blob-store.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

const PIECE = 256 * 1024;
const SIZES = [0, 1, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE + 3];
const MALFORMED = [
  '',
  '/',
  'a.b',
  '../a/b.c',
  'events/../a.b',
  '/events/a.b',
  'events//a.b',
  'events/A.b',
  'events/a',
  'events/a.b\0',
  'events\\a.b',
];

/** A place for blobs; all stores opened from it see the same blobs. */
export interface Place {
  open(): BlobStore;
}

/** Defines the tests that every blob store must pass. `fresh` creates an empty place. */
export function blobStoreConformance(fresh: () => Promise<Place>): void {
  describe('a blob store', () => {
    let place: Place;
    let store: BlobStore;
    let staging: string;

    beforeAll(async () => {
      staging = await mkdtemp(join(RUN_FOLDER, 'feierbild-staged-'));
    });
    afterAll(() => rm(staging, { recursive: true, force: true }));
    beforeEach(async () => {
      await store?.close();
      place = await fresh();
      store = place.open();
    });
    afterAll(() => store?.close());

    async function stage(bytes: Bytes): Promise<string> {
      const path = join(staging, randomBytes(8).toString('hex'));
      await writeFile(path, bytes);
      return path;
    }

    it.each(SIZES)('gives %i bytes back as they were put', async (size) => {
      const bytes = randomBytes(size);
      await store.put('events/a/put.original', bytes);
      expect((await read(store, 'events/a/put.original')).equals(bytes)).toBe(true);
      expect(await store.size('events/a/put.original')).toBe(size);
    });

    it.each(SIZES)('gives %i bytes back as they were staged, and leaves the staged file to its owner', async (size) => {
      const bytes = randomBytes(size);
      const path = await stage(bytes);
      await store.adopt('events/a/staged.original', path);
      expect((await read(store, 'events/a/staged.original')).equals(bytes)).toBe(true);
      expect((await readFile(path)).equals(bytes)).toBe(true);
    });

    it('gives exactly the bytes of a range, and those there are where it ends beyond the blob', async () => {
      const bytes = randomBytes(3 * PIECE + 7);
      await store.put('events/a/b.original', bytes);
      const edges = [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, bytes.length - 1, bytes.length, bytes.length + 5];
      for (const start of edges) {
        for (const end of edges.filter((edge) => edge >= start)) {
          const part = await read(store, 'events/a/b.original', { start, end });
          expect(part.equals(bytes.subarray(start, end)), `${start}-${end}`).toBe(true);
        }
      }
    });

    it('knows nothing of a blob that is not there, and removes it without an error', async () => {
      await expect(read(store, 'events/a/b.original')).rejects.toBeInstanceOf(BlobMissing);
      await expect(read(store, 'events/a/b.original', { start: 0, end: 1 })).rejects.toBeInstanceOf(BlobMissing);
      expect(await store.size('events/a/b.original')).toBeNull();
      await store.remove('events/a/b.original');
      await store.removePrefix('events/a/');
      expect(await keys(store, '')).toEqual([]);
    });

    it('takes no blob for half of one while it is replaced', async () => {
      const versions = [1, 2].map((byte) => Buffer.alloc(4 * PIECE, byte));
      await store.put('events/a/b.preview', versions[0] as Bytes);
      const writes = Array.from({ length: 10 }, (_, n) => store.put('events/a/b.preview', versions[n % 2] as Bytes));
      const reads = await Promise.all(Array.from({ length: 30 }, () => read(store, 'events/a/b.preview')));
      await Promise.all(writes);
      expect(reads.every((seen) => versions.some((version) => version.equals(seen)))).toBe(true);
    });

    it('takes a hundred blobs of a new event at once', async () => {
      const names = Array.from({ length: 100 }, (_, n) => `events/new/photo-${n}.original`);
      await Promise.all(
        names.map(async (name, n) => (n % 2 ? store.put(name, Buffer.from(name)) : store.adopt(name, await stage(Buffer.from(name))))),
      );
      expect(await keys(store, 'events/new/')).toEqual(names.toSorted());
      for (const name of names) expect((await read(store, name)).toString()).toBe(name);
    });

    it('lists what lies below a prefix with sizes and times, and nothing of a neighbour whose name begins alike', async () => {
      const before = Date.now();
      await store.put('events/a/one.original', Buffer.alloc(10));
      await store.put('events/a/one.preview', Buffer.alloc(20));
      await store.put('events/ab/two.original', Buffer.alloc(30));
      const listed = await Array.fromAsync(store.list('events/a/'));
      expect(listed.map(({ key, size }) => `${key} ${size}`).toSorted()).toEqual(['events/a/one.original 10', 'events/a/one.preview 20']);
      // S3 has whole seconds only, and a file system's clock is some ms behind.
      for (const { modifiedAt } of listed) expect(modifiedAt).toBeGreaterThanOrEqual(before - 2000);
      for (const { modifiedAt } of listed) expect(modifiedAt).toBeLessThanOrEqual(Date.now() + 1000);
      expect(await keys(store, '')).toHaveLength(3);
    });

    it('lists in the order of keys, from a key on, across folders', async () => {
      const names = [
        'a/b1.original',
        'a/b1.preview',
        'a/b1-2.preview',
        'a/b2.original',
        'a/uploads/b3.1',
        'a/uploads/b3.2',
        'a-b/b4.original',
      ];
      for (const name of names) await store.put(`events/${name}`, Buffer.alloc(1));
      const sorted = names.map((name) => `events/${name}`).toSorted();
      const behind = (prefix: string, after?: string) => Array.fromAsync(store.list(prefix, after), ({ key }) => key);
      expect(await behind('events/')).toEqual(sorted);
      for (const prefix of ['', 'events/', 'events/a/', 'events/a/uploads/']) {
        // Missing keys before and behind the prefix count, too.
        for (const after of [...sorted, 'a', 'events/a/b1', 'events/a/c', 'events/a/uploads', 'events/a/uploads/', 'events/b', 'z/z.z']) {
          expect([prefix, after, await behind(prefix, after)]).toEqual([
            prefix,
            after,
            sorted.filter((key) => key.startsWith(prefix) && key > after),
          ]);
        }
      }
    });

    it('names the folders below a prefix in order, from a name on, and nothing in them or beside', async () => {
      for (const name of ['b1', 'a1', 'a2', 'c1']) await store.put(`events/${name}/x.original`, Buffer.alloc(1));
      await store.put('events/a1/uploads/x.1', Buffer.alloc(1));
      await store.put('events/a3.original', Buffer.alloc(1));
      const names = (after: string) => Array.fromAsync(store.folders('events/', after));
      expect([await names(''), await names('a1'), await names('b1'), await names('c1')]).toEqual([
        ['a1', 'a2', 'b1', 'c1'],
        ['a2', 'b1', 'c1'],
        ['c1'],
        [],
      ]);
      expect(await Array.fromAsync(store.folders('nothing/', ''))).toEqual([]);
    });

    it('removes one blob and leaves the others', async () => {
      await store.put('events/a/one.original', Buffer.alloc(1));
      await store.put('events/a/one.preview', Buffer.alloc(1));
      await store.remove('events/a/one.original');
      expect(await keys(store, '')).toEqual(['events/a/one.preview']);
    });

    it('lists and removes all of 1,100 blobs of an event, and none of another', { timeout: 120_000 }, async () => {
      await store.put('events/ab/kept.original', Buffer.alloc(1));
      for (let at = 0; at < 1100; at += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, n) => store.put(`events/a/${at + n}.thumbnail`, Buffer.alloc(1))));
      }
      expect(new Set(await keys(store, 'events/a/')).size).toBe(1100);
      await store.removePrefix('events/a/');
      expect(await keys(store, '')).toEqual(['events/ab/kept.original']);
      await store.put('events/a/again.original', Buffer.alloc(1));
      expect(await keys(store, 'events/a/')).toEqual(['events/a/again.original']);
    });

    it('stops removing once that is aborted, and goes on with the next call', { timeout: 120_000 }, async () => {
      const names = Array.from({ length: 1100 }, (_, n) => `events/a/${n}.thumbnail`);
      for (let at = 0; at < names.length; at += 50)
        await Promise.all(names.slice(at, at + 50).map((name) => store.put(name, Buffer.alloc(1))));
      await expect(store.removePrefix('events/a/', AbortSignal.abort(new Error('lost')))).rejects.toThrow('lost');
      expect(await keys(store, '')).toHaveLength(names.length);
      const lost = new AbortController();
      const removing = store.removePrefix('events/a/', lost.signal);
      while ((await keys(store, '')).length === names.length);
      lost.abort(new Error('lost'));
      const stopped = await removing.then(
        () => 'removed all before',
        (error: Error) => error.message,
      );
      const left = await keys(store, '');
      expect(stopped === 'lost' ? left.length : 0).toBe(left.length);
      await store.removePrefix('events/a/');
      expect(await keys(store, '')).toEqual([]);
    });

    it('survives readers that stop in the middle', { timeout: 60_000 }, async () => {
      const bytes = randomBytes(8 * PIECE);
      await store.put('events/a/b.original', bytes);
      for (let round = 0; round < 30; round++) {
        await Promise.all(Array.from({ length: 20 }, () => readFirst(store, 'events/a/b.original')));
      }
      expect((await read(store, 'events/a/b.original')).equals(bytes)).toBe(true);
    });

    it('keeps its blobs when it is closed and opened again', async () => {
      await store.put('events/a/b.original', Buffer.from('kept'));
      await store.close();
      store = place.open();
      expect((await read(store, 'events/a/b.original')).toString()).toBe('kept');
    });

    it('answers a check, and leaves nothing behind by it', async () => {
      await store.check();
      expect(await keys(store, '')).toEqual([]);
    });

    it.each(MALFORMED)('refuses the key %j in every call', async (key) => {
      await expect(store.put(key, Buffer.alloc(1))).rejects.toThrow('malformed');
      await expect(stage(Buffer.alloc(1)).then((path) => store.adopt(key, path))).rejects.toThrow('malformed');
      await expect(read(store, key)).rejects.toThrow('malformed');
      await expect(store.size(key)).rejects.toThrow('malformed');
      await expect(store.remove(key)).rejects.toThrow('malformed');
    });

    it.each(['/', '../', 'events', 'events/../', 'events//', '/events/', 'Events/'])('refuses the prefix %j', async (prefix) => {
      await expect(keys(store, prefix)).rejects.toThrow('malformed');
      await expect(store.removePrefix(prefix)).rejects.toThrow('malformed');
    });
  });
}

/** Reads a blob, or a range of it. */
export async function read(store: BlobStore, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(store.read(key, range)));
}

/** Lists the keys below a prefix, sorted. */
export async function keys(store: BlobStore, prefix: string): Promise<string[]> {
  return (await Array.fromAsync(store.list(prefix), ({ key }) => key)).toSorted();
}

/** Begins to read a blob and stops after the first piece. */
export async function readFirst(store: BlobStore, key: string): Promise<void> {
  for await (const piece of store.read(key)) if (piece.length > 0) return;
}
