import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isPlainJpeg } from './jpeg.ts';

const PLACE = '52.5163 N 13.3777 E';
const drawn = (progressive = false) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: '#336699' } }).jpeg({ progressive, quality: 80 });

/** Inserts a segment behind the start of the image. */
function withSegment(jpeg: Buffer, marker: number, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, bytes, jpeg.subarray(2)]);
}

/** Builds big-endian Exif: a first directory whose entries have a tag and a number. */
function exif(
  entries: [tag: number, value: number][],
  { next = 0, rest = Buffer.alloc(0) }: { next?: number; rest?: Buffer } = {},
): Buffer {
  const body = Buffer.alloc(2 + 12 * entries.length + 4);
  body.writeUInt16BE(entries.length, 0);
  for (const [n, [tag, value]] of entries.entries()) {
    body.writeUInt16BE(tag, 2 + 12 * n);
    body.writeUInt16BE(4, 4 + 12 * n);
    body.writeUInt32BE(1, 6 + 12 * n);
    body.writeUInt32BE(value, 10 + 12 * n);
  }
  body.writeUInt32BE(next, 2 + 12 * entries.length);
  return Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'), body, rest]);
}
const ORIENTATION = 0x0112;

describe('a JPEG that may go out as it is', () => {
  it('has its picture, its colours, and Exif about camera and exposure', async () => {
    const jpeg = await drawn().toBuffer();
    expect(isPlainJpeg(jpeg)).toBe(true);
    expect(isPlainJpeg(await drawn(true).toBuffer())).toBe(true);
    expect(isPlainJpeg(await drawn().withIccProfile('p3').toBuffer())).toBe(true);
    expect(isPlainJpeg(withSegment(jpeg, 0xe1, exif([[ORIENTATION, 1]])))).toBe(true);
    const inner = exif([[0x9209, 0]]).subarray(14);
    expect(isPlainJpeg(withSegment(jpeg, 0xe1, exif([[0x8769, 26]], { rest: inner })))).toBe(true);
  });

  it('has no other segment of any name', async () => {
    const jpeg = await drawn().toBuffer();
    const markers = [...Array.from({ length: 16 }, (_, n) => 0xe0 + n), 0xfe, 0xc8, 0xcc, 0xdc, 0xde, 0xdf, 0xf0, 0xfd, 0x02];
    for (const marker of markers) expect([marker, isPlainJpeg(withSegment(jpeg, marker, PLACE))]).toEqual([marker, false]);
    const named: [number, string][] = [
      [0xe0, `JFIF\0${PLACE}`],
      [0xe0, `JFXX\0${PLACE}`],
      [0xe1, `http://ns.adobe.com/xap/1.0/\0${PLACE}`],
      [0xe2, `MPF\0${PLACE}`],
      [0xeb, `JP${PLACE}`],
      [0xed, `Photoshop 3.0\0${PLACE}`],
      [0xee, `Adobe${PLACE}`],
    ];
    for (const [marker, body] of named) expect([body, isPlainJpeg(withSegment(jpeg, marker, body))]).toEqual([body, false]);
    // sharp looks for no segments between the scans.
    const progressive = await drawn(true).toBuffer();
    const second = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
    const late = withSegment(Buffer.concat([progressive.subarray(0, 2), progressive.subarray(second)]), 0xfe, PLACE).subarray(2);
    expect(isPlainJpeg(Buffer.concat([progressive.subarray(0, second), late]))).toBe(false);
  });

  it('has no Exif with a place, a maker’s note, words, another picture or what cannot be read', async () => {
    const jpeg = await drawn().toBuffer();
    const plain = exif([[ORIENTATION, 1]]);
    const tags = [0x8825, 0x927c, 0x9286, 0x010e, 0x013b, 0x02bc, 0x83bb, 0x8649, 0x014a, 0x9c9b, 0xa420, 0xa005];
    for (const tag of tags) {
      expect([tag, isPlainJpeg(withSegment(jpeg, 0xe1, exif([[tag, 0]])))]).toEqual([tag, false]);
      const nested = exif([[0x8769, 26]], { rest: exif([[tag, 0]]).subarray(14) });
      expect([tag, isPlainJpeg(withSegment(jpeg, 0xe1, nested))]).toEqual([tag, false]);
    }
    const broken = [exif([[0x8769, 8]]), exif([[0x8769, 999_999]]), exif([], { next: 8 }), plain.subarray(0, 20), Buffer.from('Exif\0\0')];
    for (const block of broken) expect(isPlainJpeg(withSegment(jpeg, 0xe1, block))).toBe(false);
    expect(isPlainJpeg(withSegment(withSegment(jpeg, 0xe1, plain), 0xe1, plain))).toBe(false);
  });

  it('ends with its picture, and is whole', async () => {
    const jpeg = await drawn().toBuffer();
    expect(isPlainJpeg(Buffer.concat([jpeg, Buffer.from(PLACE)]))).toBe(false);
    expect(isPlainJpeg(Buffer.concat([jpeg, jpeg]))).toBe(false);
    for (let length = 0; length < jpeg.length; length++) expect(isPlainJpeg(jpeg.subarray(0, length))).toBe(false);
  });
});
