import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bytes } from '../../lib/bytes.ts';
import { createKeptBytes } from './kept-bytes.ts';

const SLAB = 256 * 1024;

async function* cut(bytes: Bytes, size: number): AsyncGenerator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const whole = async (pieces: AsyncIterable<Bytes>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces));

describe('kept bytes', () => {
  it('pass on unchanged, whatever the pieces, and are there again as often as asked', async () => {
    const memory = createKeptBytes(8 * SLAB);
    const sizes = fc.oneof(fc.integer({ min: 0, max: 4 * SLAB }), fc.constantFrom(SLAB - 1, SLAB, SLAB + 1, 2 * SLAB));
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1000, max: 2 * SLAB }), async (size, piece) => {
        const bytes = randomBytes(size);
        const kept = memory.keep(size);
        if (!kept) throw new Error('no room');
        expect((await whole(kept.through(cut(bytes, piece)))).equals(bytes)).toBe(true);
        expect((await whole(kept.read())).equals(bytes)).toBe(true);
        expect((await whole(kept.read())).equals(bytes)).toBe(true);
        kept.release();
      }),
      { numRuns: 60 },
    );
  });

  it('of several uploads at once stay apart', async () => {
    const memory = createKeptBytes(12 * SLAB);
    const all = [1, 2, 3].map((n) => Buffer.alloc(3 * SLAB + n, n));
    const keeps = all.map(({ length }) => memory.keep(length));
    await Promise.all(keeps.map((kept, n) => whole(kept!.through(cut(all[n] as Buffer, 50_000)))));
    for (const [n, kept] of keeps.entries()) expect((await whole(kept!.read())).equals(all[n] as Buffer)).toBe(true);
  });

  it('take no more room than there is, and give it back once', async () => {
    const memory = createKeptBytes(4 * SLAB);
    const one = memory.keep(3 * SLAB);
    expect(memory.keep(SLAB + 1)).toBeNull();
    const two = memory.keep(SLAB);
    expect([one, two]).not.toContain(null);
    one?.release();
    one?.release();
    expect(memory.keep(4 * SLAB)).toBeNull();
    expect(memory.keep(3 * SLAB)).not.toBeNull();
  });

  it('use the same memory again', async () => {
    const memory = createKeptBytes(2 * SLAB);
    const used = new Set<ArrayBufferLike>();
    for (let n = 0; n < 20; n++) {
      const kept = memory.keep(2 * SLAB);
      for await (const piece of kept!.through(cut(Buffer.alloc(2 * SLAB, n), 99_999))) used.add(piece.buffer);
      kept!.release();
    }
    expect(used.size).toBe(2);
  });

  it('refuse more than was promised', async () => {
    const kept = createKeptBytes(4 * SLAB).keep(SLAB);
    await expect(whole(kept!.through(cut(Buffer.alloc(SLAB + 1), 1000)))).rejects.toThrow(RangeError);
  });
});
