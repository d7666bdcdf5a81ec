import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_PLAIN, HEADER_LENGTH, openSegments, PLAIN, sealedSize, sealSegments, SEGMENT_BYTES } from './segments.ts';
import { collect, inPieces, pattern, reader } from './testing/bytes.ts';
import { Tampered } from './contexts.ts';
import { handOver } from '../lib/buffer-handover.ts';
import { flipped } from './testing/flipped.ts';

const KEY = pattern(32);
const BLOB = { eventId: 'event', photoId: 'photo', variant: 'original' };
const THREE = FIRST_PLAIN + PLAIN + 1000;

const seal = (content: Buffer, blob = BLOB, key = KEY, ...pieces: number[]) =>
  collect(sealSegments(key, blob, inPieces(content, ...(pieces.length > 0 ? pieces : [65_536]))));
const open = (sealed: Buffer, size: number, range?: { start: number; end: number }, blob = BLOB, key = KEY, piece?: number) =>
  collect(openSegments(key, blob, size, reader(sealed, piece), range));

/** Sizes close to where a segment begins or ends. */
const sizes = fc
  .tuple(fc.constantFrom(0, FIRST_PLAIN, FIRST_PLAIN + PLAIN, FIRST_PLAIN + 2 * PLAIN), fc.integer({ min: -3, max: 3 }))
  .map(([size, off]) => Math.max(0, size + off));

describe('sealed blobs', () => {
  it('open to what was sealed, at any size and in any cuts of the stream', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1000, max: 700_000 }), fc.integer({ min: 1000, max: 700_000 }), async (size, a, b) => {
        const content = pattern(size);
        const sealed = await seal(content, BLOB, KEY, a, b);
        expect(sealed.length).toBe(sealedSize(size));
        expect((await open(sealed, size, undefined, BLOB, KEY, b)).equals(content)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('open any range alone', async () => {
    const content = pattern(THREE);
    const sealed = await seal(content);
    const edge = fc
      .tuple(fc.constantFrom(0, FIRST_PLAIN, FIRST_PLAIN + PLAIN, THREE), fc.integer({ min: -300, max: 300 }))
      .map(([at, off]) => Math.min(THREE, Math.max(0, at + off)));
    await fc.assert(
      fc.asyncProperty(edge, edge, async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        expect((await open(sealed, THREE, { start, end })).equals(content.subarray(start, end))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('are read only where a range needs them', async () => {
    const sealed = await seal(pattern(THREE));
    const asked: number[][] = [];
    const read = (range: { start: number; end: number }) => {
      asked.push([range.start, range.end]);
      return reader(sealed)(range);
    };
    await collect(openSegments(KEY, BLOB, THREE, read, { start: FIRST_PLAIN, end: FIRST_PLAIN + 1 }));
    expect(asked.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
      [0, HEADER_LENGTH],
      [SEGMENT_BYTES, 2 * SEGMENT_BYTES],
    ]);
    asked.length = 0;
    await collect(openSegments(KEY, BLOB, THREE, read));
    expect(asked).toHaveLength(1);
  });

  it('free what was handed over as soon as it is opened, however it is cut', async () => {
    const content = pattern(THREE);
    const sealed = await seal(content);
    for (const length of [SEGMENT_BYTES, 1000, SEGMENT_BYTES + 1, 100_000]) {
      const pieces: Buffer[] = [];
      let mostHeld = 0;
      async function* read({ start, end }: { start: number; end: number }) {
        for (let at = start; at < Math.min(end, sealed.length); at += length) {
          mostHeld = Math.max(mostHeld, pieces.filter((each) => each.length > 0).length);
          const piece = handOver(Buffer.from(Uint8Array.from(sealed.subarray(at, Math.min(end, at + length))).buffer));
          pieces.push(piece);
          yield piece;
        }
      }
      expect((await collect(openSegments(KEY, BLOB, THREE, read))).equals(content)).toBe(true);
      expect(mostHeld).toBeLessThanOrEqual(2 + Math.ceil(SEGMENT_BYTES / length));
    }
  });

  it('are closed when their reader stops early', async () => {
    const sealed = await seal(pattern(THREE));
    let closed = false;
    async function* read({ start, end }: { start: number; end: number }) {
      try {
        yield* reader(sealed, 1000)({ start, end });
      } finally {
        closed = true;
      }
    }
    for await (const piece of openSegments(KEY, BLOB, THREE, read)) {
      expect(piece.length).toBe(FIRST_PLAIN);
      break;
    }
    expect(closed).toBe(true);
  });

  it('look different each time', async () => {
    const content = pattern(100);
    expect((await seal(content)).equals(await seal(content))).toBe(false);
  });

  it('refuse ranges outside of their content', async () => {
    const sealed = await seal(pattern(10));
    for (const range of [
      { start: 0, end: 11 },
      { start: -1, end: 2 },
      { start: 5, end: 4 },
      { start: 0.5, end: 2 },
    ]) {
      await expect(open(sealed, 10, range)).rejects.toThrow(RangeError);
    }
  });
});

describe('a changed blob', () => {
  it('is refused where any byte of the header is flipped', async () => {
    const sealed = await seal(pattern(1000));
    for (let at = 0; at < HEADER_LENGTH; at += 1) {
      await expect(open(flipped(sealed, at), 1000), `byte ${at}`).rejects.toThrow(Tampered);
    }
  });

  it('is refused where the beginning, middle, end or tag of any segment is flipped, before a byte of it is given out', async () => {
    const content = pattern(THREE);
    const sealed = await seal(content);
    for (const [index, from] of [HEADER_LENGTH, SEGMENT_BYTES, 2 * SEGMENT_BYTES].entries()) {
      const end = Math.min((index + 1) * SEGMENT_BYTES, sealed.length);
      for (const at of [from, Math.floor((from + end) / 2), end - 17, end - 16, end - 8, end - 1]) {
        const given: Buffer[] = [];
        const run = async () => {
          for await (const piece of openSegments(KEY, BLOB, THREE, reader(flipped(sealed, at)))) given.push(Buffer.from(piece));
        };
        await expect(run(), `segment ${index}, byte ${at}`).rejects.toThrow(Tampered);
        expect(Buffer.concat(given).equals(content.subarray(0, [0, FIRST_PLAIN, FIRST_PLAIN + PLAIN][index]))).toBe(true);
      }
    }
  });

  it('is refused where it is cut, at any place', async () => {
    const sealed = await seal(pattern(THREE));
    for (const length of [
      0,
      1,
      HEADER_LENGTH - 1,
      HEADER_LENGTH,
      SEGMENT_BYTES - 1,
      SEGMENT_BYTES,
      SEGMENT_BYTES + 1,
      2 * SEGMENT_BYTES,
      sealed.length - 1,
    ]) {
      await expect(open(sealed.subarray(0, length), THREE), `${length} bytes`).rejects.toThrow(Tampered);
    }
  });

  it('is refused where it is cut at a segment and the size says so too', async () => {
    const sealed = await seal(pattern(THREE));
    await expect(open(sealed.subarray(0, SEGMENT_BYTES), FIRST_PLAIN)).rejects.toThrow(Tampered);
    await expect(open(sealed.subarray(0, 2 * SEGMENT_BYTES), FIRST_PLAIN + PLAIN)).rejects.toThrow(Tampered);
  });

  it('is refused where bytes follow its end', async () => {
    for (const size of [0, 10, FIRST_PLAIN, THREE]) {
      const sealed = await seal(pattern(size));
      await expect(open(Buffer.concat([sealed, Buffer.alloc(1)]), size), `${size}`).rejects.toThrow(Tampered);
      await expect(open(Buffer.concat([sealed, Buffer.alloc(SEGMENT_BYTES)]), size), `${size}`).rejects.toThrow(Tampered);
    }
  });

  it('is refused where segments change places', async () => {
    const size = FIRST_PLAIN + 3 * PLAIN;
    const sealed = await seal(pattern(size));
    const part = (index: number) => sealed.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES);
    await expect(open(Buffer.concat([part(0), part(2), part(1), part(3)]), size)).rejects.toThrow(Tampered);
    await expect(open(Buffer.concat([part(0), part(1), part(1), part(3)]), size)).rejects.toThrow(Tampered);
    await expect(open(Buffer.concat([part(0), part(1), part(3)]), size - PLAIN)).rejects.toThrow(Tampered);
  });

  it('is refused where segments of another blob under the same key stand in', async () => {
    const size = FIRST_PLAIN + 2 * PLAIN;
    const [a, b] = [await seal(pattern(size)), await seal(pattern(size))];
    await expect(open(Buffer.concat([a.subarray(0, SEGMENT_BYTES), b.subarray(SEGMENT_BYTES)]), size)).rejects.toThrow(Tampered);
  });

  it('is refused in the place of another photo, variant or event, or under another key', async () => {
    const sealed = await seal(pattern(10));
    for (const other of [{ photoId: 'other' }, { variant: 'thumbnail' }, { eventId: 'other' }]) {
      await expect(open(sealed, 10, undefined, { ...BLOB, ...other })).rejects.toThrow(Tampered);
    }
    await expect(open(sealed, 10, undefined, { ...BLOB, eventId: 'eventp', photoId: 'hoto' })).rejects.toThrow(Tampered);
    await expect(open(sealed, 10, undefined, BLOB, pattern(33).subarray(1))).rejects.toThrow(Tampered);
  });
});
