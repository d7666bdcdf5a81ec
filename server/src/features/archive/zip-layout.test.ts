import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { centralEntries, nameOf, zipEnd } from './testing/read-zip.ts';
import { layoutZip, type ZipEntry, type ZipLayout } from './zip-layout.ts';

const TIME = { dos: ((46 << 25) | (5 << 21) | (17 << 16) | (21 << 11) | (4 << 5)) >>> 0, seconds: 1_779_044_640 };
const content = (index: number, size: number): Buffer => Buffer.alloc(size, index + 65);

/** Assembles the bytes that a layout describes, with made-up contents. */
function bytesOf(layout: ZipLayout, start = 0, end = layout.size): Buffer {
  const parts: Uint8Array[] = [];
  for (const piece of layout.pieces(start, end)) parts.push('bytes' in piece ? piece.bytes : content(piece.entry, piece.end - piece.start));
  return Buffer.concat(parts);
}

const entries = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 30 }), fc.nat(3000)), { maxLength: 12 }).map((list) =>
  list.map(([name, size], i): ZipEntry => {
    const safe = name.toWellFormed();
    return { name: `Größe/${i}-${safe}`, size, crc32: crc32(content(i, size)), time: TIME };
  }),
);

/** Describes an entry of this size without having its bytes. */
const large = (name: string, size: number): ZipEntry => ({ name, size, crc32: 1, time: TIME });

/** Returns the end of an archive: all bytes after its contents. */
function directoryOf(list: ZipEntry[]): { layout: ZipLayout; tail: Buffer; tailAt: number } {
  const layout = layoutZip(list);
  const tailAt = list.reduce(
    (sum, entry) => sum + entry.size + 30 + Buffer.byteLength(entry.name) + 9 + (entry.size >= 0xffff_ffff ? 20 : 0),
    0,
  );
  return { layout, tail: bytesOf(layout, tailAt), tailAt };
}

describe('the layout of a ZIP', () => {
  it('yields exactly as many bytes as it says, and any range is that part of the whole', () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.nat(), (list, a, b) => {
        const layout = layoutZip(list);
        const whole = bytesOf(layout);
        expect(whole.length).toBe(layout.size);
        const [start, end] = [a % (layout.size + 1), b % (layout.size + 1)].toSorted((x, y) => x - y) as [number, number];
        expect(bytesOf(layout, start, end).equals(whole.subarray(start, end))).toBe(true);
      }),
    );
  });

  it('has a central directory that finds each local header and its content', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const whole = bytesOf(layoutZip(list));
        const found = centralEntries(whole, 0);
        expect(found.map(({ name, size, crc }) => ({ name, size, crc }))).toEqual(
          list.map(({ name, size, crc32: crc }) => ({ name, size, crc })),
        );
        for (const [i, { offset, name, size }] of found.entries()) {
          expect(whole.readUInt32LE(offset)).toBe(0x0403_4b50);
          const [nameLength, extraLength] = [whole.readUInt16LE(offset + 26), whole.readUInt16LE(offset + 28)];
          expect(nameOf(whole.subarray(offset + 30, offset + 30 + nameLength), whole.readUInt16LE(offset + 6))).toBe(name);
          const at = offset + 30 + nameLength + extraLength;
          expect(whole.subarray(at, at + size).equals(content(i, size))).toBe(true);
        }
      }),
    );
  });

  it('uses no ZIP64 up to 65,534 entries and 4 GB, and all of it beyond', () => {
    const some = (count: number) => Array.from({ length: count }, (_, i) => large(`${i}`, 1));
    const small = directoryOf(some(65_534));
    expect(zipEnd(small.tail, small.tailAt)).toMatchObject({ zip64: false, count: 65_534 });
    for (const count of [65_535, 70_000]) {
      const { tail, tailAt, layout } = directoryOf(some(count));
      expect(zipEnd(tail, tailAt)).toMatchObject({ zip64: true, count, directoryAt: tailAt });
      expect(tailAt + tail.length).toBe(layout.size);
      if (count === 65_535) expect(centralEntries(tail, tailAt)).toHaveLength(count);
    }
  });

  it('finds entries that lie beyond 4 GB, and entries that are larger', () => {
    const list = [large('a', 3_000_000_000), large('b', 2_000_000_000), large('c', 5_000_000_000), large('d', 7)];
    const { tail, tailAt } = directoryOf(list);
    const found = centralEntries(tail, tailAt);
    expect(found.map(({ size }) => size)).toEqual(list.map(({ size }) => size));
    expect(found[0]?.offset).toBe(0);
    expect(found[2]?.offset).toBe(5_000_000_000 + 2 * 40);
    expect(found[3]?.offset).toBe(10_000_000_000 + 3 * 40 + 20);
    expect(zipEnd(tail, tailAt)).toMatchObject({ zip64: true, count: 4, directoryAt: tailAt });
    const third = [...layoutZip(list).pieces(5_000_000_080, 5_000_000_080 + 60 + 10)];
    expect(third[1]).toEqual({ entry: 2, start: 0, end: 10 });
    const header = Buffer.from((third[0] as { bytes: Uint8Array }).bytes);
    expect(header.readUInt32LE(22)).toBe(0xffff_ffff);
    expect([header.readBigUInt64LE(30 + 1 + 9 + 4), header.readBigUInt64LE(30 + 1 + 9 + 12)]).toEqual([5_000_000_000n, 5_000_000_000n]);
  });

  it('of nothing is an empty archive', () => {
    expect(bytesOf(layoutZip([])).length).toBe(22);
  });
});
