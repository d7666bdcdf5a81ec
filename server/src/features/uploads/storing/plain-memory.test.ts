import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { handOver } from '../../../lib/buffer-handover.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { createPlainMemory, type PlainCopy } from './plain-memory.ts';

const BLOCK = 256 * 1024;

async function* cut(bytes: Bytes, size: number): AsyncGenerator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) yield handOver(new Uint8Array(bytes.subarray(at, at + size)));
}

const whole = async (pieces: AsyncIterable<Bytes>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces));

describe('the memory for plain bytes', () => {
  afterEach(() => void vi.useRealTimers());

  it('passes bytes on unchanged in any pieces, and gives them again as often as asked', async () => {
    const memory = createPlainMemory(8 * BLOCK);
    const sizes = fc.oneof(fc.integer({ min: 0, max: 4 * BLOCK }), fc.constantFrom(BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK));
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1000, max: 2 * BLOCK }), async (size, piece) => {
        const bytes = randomBytes(size);
        const copy = memory.reserve(size);
        if (!copy) throw new Error('no room');
        expect((await whole(copy.through(cut(bytes, piece)))).equals(bytes)).toBe(true);
        expect((await whole(copy.read())).equals(bytes)).toBe(true);
        expect((await whole(copy.read())).equals(bytes)).toBe(true);
        copy[Symbol.dispose]();
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the bytes of several uploads apart', async () => {
    const memory = createPlainMemory(12 * BLOCK);
    const all = [1, 2, 3].map((n) => Buffer.alloc(3 * BLOCK + n, n));
    const copies = all.map(({ length }) => memory.reserve(length));
    await Promise.all(copies.map((copy, n) => whole(copy!.through(cut(all[n] as Buffer, 50_000)))));
    for (const [n, copy] of copies.entries()) expect((await whole(copy!.read())).equals(all[n] as Buffer)).toBe(true);
  });

  it('gives no more room than there is, and takes it back once', async () => {
    const memory = createPlainMemory(4 * BLOCK);
    const one = memory.reserve(3 * BLOCK);
    expect(memory.reserve(BLOCK + 1)).toBeNull();
    const two = memory.reserve(BLOCK);
    expect([one, two]).not.toContain(null);
    one?.[Symbol.dispose]();
    one?.[Symbol.dispose]();
    expect(memory.reserve(4 * BLOCK)).toBeNull();
    expect(memory.reserve(3 * BLOCK)).not.toBeNull();
  });

  it('uses the same blocks again', async () => {
    const memory = createPlainMemory(2 * BLOCK);
    const used = new Set<number>();
    for (let n = 0; n < 20; n++) {
      const copy = memory.reserve(2 * BLOCK);
      for await (const piece of copy!.through(cut(Buffer.alloc(2 * BLOCK, n), 99_999))) used.add(piece.byteOffset);
      copy![Symbol.dispose]();
    }
    expect(used.size).toBe(2);
  });

  it('goes back to the system after a minute without uploads, and comes anew with the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const memory = createPlainMemory(2 * BLOCK);
    const bufferOf = async (copy: PlainCopy | null): Promise<ArrayBufferLike | undefined> =>
      (await Array.fromAsync(copy!.through(cut(Buffer.alloc(BLOCK, 7), 99_999))))[0]?.buffer;
    const run = async () => {
      using copy = memory.reserve(BLOCK);
      return await bufferOf(copy);
    };
    const first = await run();
    vi.advanceTimersByTime(59_000);
    expect(await run()).toBe(first);
    vi.advanceTimersByTime(59_000);
    const held = memory.reserve(BLOCK);
    expect(await bufferOf(held)).toBe(first);
    // The pool stays while an upload uses a part of it.
    vi.advanceTimersByTime(120_000);
    expect(await run()).toBe(first);
    expect((await whole(held!.read())).equals(Buffer.alloc(BLOCK, 7))).toBe(true);
    held![Symbol.dispose]();
    vi.advanceTimersByTime(60_000);
    expect(await run()).not.toBe(first);
  });

  it('says so where it is read after it was given back, instead of being empty', async () => {
    const copy = createPlainMemory(4 * BLOCK).reserve(BLOCK);
    await whole(copy!.through(cut(Buffer.alloc(BLOCK), 1000)));
    expect(copy!.isFreed).toBe(false);
    copy![Symbol.dispose]();
    expect(copy!.isFreed).toBe(true);
    await expect(whole(copy!.read())).rejects.toThrow('given back');
  });

  it('refuses more than was reserved', async () => {
    const copy = createPlainMemory(4 * BLOCK).reserve(BLOCK);
    await expect(whole(copy!.through(cut(Buffer.alloc(BLOCK + 1), 1000)))).rejects.toThrow(RangeError);
  });
});
