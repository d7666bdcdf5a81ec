import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handOver } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';
import { Unavailable } from '../lib/errors.ts';
import { canMount, mountSmallDisk, openFilesBelow } from '../testing/system.ts';
import { directWorks } from './staged-file.ts';
import { createStaging, type Staging } from './staging.ts';

const BLOCK = 4096;
const PIECE = 256 * 1024;
const SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + BLOCK, 2_345_678];
const mountable = canMount('staging on a full disk');

async function* cut(bytes: Bytes, sizes: number[]): AsyncGenerator<Bytes> {
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] as number;
    yield handOver(new Uint8Array(bytes.subarray(at, at + size)));
    at += size;
  }
}

const ways = [false, true].filter((uncached) => {
  const works = !uncached || directWorks(tmpdir());
  if (!works) console.log('skipped: writing past the file cache, which this file system does not know');
  return works;
});

describe.each(ways)('staging, past the cache: %s', (uncached) => {
  let folder: string;
  let staging: Staging;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feierbild-staging-'));
    staging = createStaging({ folder, uncached });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function written(bytes: Bytes, sizes: number[]): Promise<Buffer> {
    const path = staging.path();
    await staging.write(path, cut(bytes, sizes));
    const found = await readFile(path);
    await staging.discard(path);
    return found;
  }

  it.each(SIZES)('writes %i bytes as they are, into a file for this user alone', async (size) => {
    const bytes = randomBytes(size);
    const path = staging.path();
    await staging.write(path, cut(bytes, [65_536]));
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await staging.discard(path);
  });

  it('writes pieces of any lengths in their order', async () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.constantFrom(1, BLOCK, PIECE, 2 * PIECE + 7)), {
      minLength: 1,
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2_500_000 }), lengths, async (size, sizes) => {
        const bytes = randomBytes(size);
        expect((await written(bytes, size > 100_000 ? sizes.map((length) => length + 5000) : sizes)).equals(bytes)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('frees what was handed over as soon as it is written', async () => {
    const path = staging.path();
    const pieces = [300_000, PIECE, 10, 70_000].map((size) => handOver(new Uint8Array(size)));
    async function* source(): AsyncGenerator<Bytes> {
      yield* pieces;
    }
    await staging.write(path, source());
    expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
    await staging.discard(path);
  });

  it('writes many files side by side without mixing them', async () => {
    const all = Array.from({ length: 40 }, (_, n) => Buffer.alloc(600_000 + n, n));
    const found = await Promise.all(all.map((bytes) => written(bytes, [70_001])));
    expect(found.every((bytes, n) => bytes.equals(all[n] as Buffer))).toBe(true);
  });

  it('throws what its source throws, and holds no file open', async () => {
    const path = staging.path();
    async function* broken(): AsyncGenerator<Bytes> {
      yield randomBytes(PIECE + 1);
      throw new Error('hung up');
    }
    await expect(staging.write(path, broken())).rejects.toThrow('hung up');
    expect(openFilesBelow(folder)).toEqual([]);
    await staging.discard(path);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never writes into a file that is there', async () => {
    const path = staging.path();
    await staging.write(path, cut(randomBytes(10), [10]));
    await expect(staging.write(path, cut(randomBytes(10), [10]))).rejects.toMatchObject({ code: 'EEXIST' });
    await staging.discard(path);
  });

  it.runIf(mountable)('leaves the reserve of the disk, however long a file is, and where another is written at the same time', async () => {
    const [sizeMB, fillerMB] = [64, 16];
    const disk = await mountSmallDisk(sizeMB);
    try {
      await writeFile(join(disk.folder, 'filler'), Buffer.alloc(fillerMB * 1024 * 1024));
      const small = createStaging({ folder: join(disk.folder, 'staging'), uncached });
      const left = (sizeMB - fillerMB) * 1024 * 1024;
      for (const files of [1, 2]) {
        const paths = Array.from({ length: files }, () => small.path());
        const written = await Promise.allSettled(
          paths.map((path) => small.write(path, cut(randomBytes((left - 300_000) / files), [65_536]))),
        );
        expect(written).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'ENOSPC' }) });
        await Promise.all(paths.map(small.discard));
      }
    } finally {
      await disk.unmount();
    }
  });

  it.runIf(mountable)('says that the disk is full, and goes on when it is not', async () => {
    const disk = await mountSmallDisk(2);
    try {
      const small = createStaging({ folder: join(disk.folder, 'staging'), uncached });
      const path = small.path();
      await expect(small.write(path, cut(randomBytes(3_000_000), [65_536]))).rejects.toMatchObject({ code: 'ENOSPC' });
      await small.discard(path);
      // Only this one of several nodes has no room: others take the photo.
      const own = createStaging({ folder: join(disk.folder, 'staging'), uncached, shared: false });
      await expect(own.write(path, cut(randomBytes(3_000_000), [65_536]))).rejects.toThrow(Unavailable);
      await own.discard(path);
      const bytes = randomBytes(1_500_001);
      await small.write(path, cut(bytes, [65_536]));
      expect((await readFile(path)).equals(bytes)).toBe(true);
      expect(existsSync(join(disk.folder, 'staging', 'direct-probe'))).toBe(false);
    } finally {
      await disk.unmount();
    }
  });
});
