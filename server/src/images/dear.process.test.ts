import { THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Bytes } from '../lib/bytes.ts';
import { createDecoder } from './create-decoder.ts';
import { NotAPhoto } from './decoder.ts';
import { firstFrame, isDear, readHeader } from './headers.ts';
import { animatedGif, animatedWebp, baselineJpeg, drawn, emptyPng, pngChunk, progressiveJpeg, riffChunk, webp } from './testing/bombs.ts';

const decoder = createDecoder({ processes: 1, log: { warn: () => undefined, error: () => undefined } });
afterAll(() => decoder.close());

const decode = (bytes: Bytes) =>
  decoder.decode(
    async function* () {
      yield bytes;
    },
    bytes.length,
    { owner: '' },
  );

describe('what a header says', () => {
  it.each([
    ['a JPEG', async () => drawn(48).jpeg().toBuffer(), { pixels: 48 * 48, isWhole: false, scans: 0 }],
    ['a progressive JPEG', async () => progressiveJpeg(64, 32, 40), { pixels: 64 * 32, isWhole: false, scans: 40 }],
    ['a JPEG of one scan for each component', async () => baselineJpeg(64, 32, 40), { pixels: 64 * 32, isWhole: false, scans: 40 }],
    ['a PNG', async () => emptyPng(30, 20), { pixels: 600, isWhole: false, scans: 1 }],
    ['an interlaced PNG', async () => emptyPng(30, 20, { interlaced: true }), { pixels: 600, isWhole: true, scans: 1 }],
    ['a WebP', async () => drawn(48).webp().toBuffer(), { pixels: 48 * 48, isWhole: false, scans: 1 }],
    ['a lossless WebP', async () => drawn(48).webp({ lossless: true }).toBuffer(), { pixels: 48 * 48, isWhole: false, scans: 1 }],
    ['an animated WebP', async () => animatedWebp(3, { width: 300, height: 200 }), { pixels: 60_000, isWhole: true, scans: 1 }],
    ['a GIF', async () => animatedGif(3, { width: 30, height: 20 }), { pixels: 600, isWhole: true, scans: 1 }],
  ])('is the size of %s, and what is dear in it', async (_name, make, expected) => {
    expect(readHeader(await make())).toEqual(expected);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('Liebe Gäste, wir freuen uns auf das Fest!')],
    ['a WebP cut in its header', Buffer.from('RIFF\0\0\0\0WEBPVP8X', 'latin1')],
  ])('is not read of %s', (_name, bytes) => {
    expect(readHeader(bytes)).toBeNull();
  });

  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55])('is read without a fault wherever a file is cut or changed (%i)', async (seed) => {
    const files = [progressiveJpeg(64, 32, 3), emptyPng(30, 20), await animatedWebp(3), animatedGif(3), await drawn(48).jpeg().toBuffer()];
    for (const file of files) {
      const changed = Buffer.from(file);
      for (let n = 1; n < 40; n++) changed[(seed * 7 + n * n * 3) % file.length] = (n * 37 + seed) & 255;
      for (const bytes of [changed, file.subarray(0, (seed * file.length) / 60), Buffer.concat([file, changed])]) {
        readHeader(bytes);
        expect(firstFrame(bytes).length).toBeLessThanOrEqual(bytes.length + 1);
      }
    }
  });
});

describe('a picture that others need not wait for', () => {
  it.each([
    ['a photo of 50 megapixels', { pixels: 50e6, isWhole: false, scans: 1 }, false],
    ['a photo of 24 megapixels in 14 scans', { pixels: 24e6, isWhole: false, scans: 14 }, false],
    ['a GIF of a phone’s screen', { pixels: 4e6, isWhole: true, scans: 1 }, false],
    ['a panorama', { pixels: 192e6, isWhole: false, scans: 1 }, true],
    ['one of 48 megapixels in 60 scans', { pixels: 48e6, isWhole: false, scans: 60 }, true],
    ['an interlaced PNG of 20 megapixels', { pixels: 20e6, isWhole: true, scans: 1 }, true],
  ])('%s', (_, header, dear) => {
    expect(isDear(header)).toBe(dear);
  });
});

describe('an animation', () => {
  it.each([
    ['WebP', (frames: number) => animatedWebp(frames)],
    ['GIF', async (frames: number) => animatedGif(frames)],
  ])('costs its first frame, however many a %s has', async (_name, make) => {
    expect(firstFrame(await make(100_000))).toEqual(firstFrame(await make(2)));
    expect(firstFrame(await make(1))).toEqual(await make(1));
    expect(await decode(await make(100_000))).toMatchObject(await decode(await make(1)));
  });

  it('keeps profile, time and place of its file in what is read', async () => {
    const [exif, icc] = [riffChunk('EXIF', Buffer.from('Exif')), riffChunk('ICCP', Buffer.from('profile'))];
    const chunks = (await animatedWebp(1)).subarray(12);
    const at = 8 + 10;
    const whole = webp(chunks.subarray(0, at), icc, chunks.subarray(at), chunks.subarray(chunks.indexOf('ANMF')), exif);
    const first = firstFrame(whole).toString('latin1');
    expect(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'EXIF'].map((kind) => first.split(kind).length - 1)).toEqual([1, 1, 1, 1, 1]);
  });

  it('shows the same picture as all of its file', async () => {
    const frames = await Promise.all(
      ['#c8643c', '#284664'].map((background) =>
        sharp({ create: { width: 90, height: 60, channels: 4, background } })
          .png()
          .toBuffer(),
      ),
    );
    for (const type of ['gif', 'webp'] as const) {
      const file = await sharp(frames, { join: { animated: true } })
        .toFormat(type)
        .toBuffer();
      const [whole, first] = await Promise.all([file, firstFrame(file)].map((bytes) => sharp(bytes).raw().toBuffer()));
      expect(firstFrame(file).length).toBeLessThan(file.length);
      expect(first).toEqual(whole);
    }
  });
});

/** Writes another size into the header. */
function resized(png: Buffer, side = 14_000): Buffer {
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  return png;
}

/** Files of less than a megabyte that used to take seconds or a gigabyte, with the child's refusal before a library sees them. */
const DEAR: [name: string, make: () => Promise<Buffer>, says: RegExp][] = [
  ['an interlaced PNG of 196 megapixels', async () => resized(emptyPng(16, 16, { interlaced: true })), /as a whole/],
  ['an animated WebP on a canvas of 192 megapixels', () => animatedWebp(1, { width: 16_000, height: 12_000 }), /as a whole/],
  ['a GIF on a screen of 196 megapixels', async () => animatedGif(1, { width: 14_000, height: 14_000 }), /as a whole/],
  ['a PNG of 1,000 gigapixels', async () => resized(emptyPng(16, 16), 1_000_000), /pixel limit/],
];

describe('what is dear to decode', () => {
  it.each(DEAR)('is refused by its header: %s', async (_name, make, says) => {
    const bytes = await make();
    const error: unknown = await decode(bytes).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotAPhoto);
    expect((error as Error).message).toMatch(says);
    expect(decoder.memory().sharp).toBeLessThan(300_000_000);
  });

  it('is refused for what its scans take, and taken with those that cameras write', async () => {
    for (const make of [progressiveJpeg, baselineJpeg]) {
      await expect(decode(make(16_000, 12_000, 17))).rejects.toThrow('too many scans');
      expect((await decode(make(640, 480, 17))).width).toBe(640);
    }
  });

  it('is read without what else stands in its file', async () => {
    const chunks = Array<Buffer>(20_000).fill(pngChunk('tEXt', Buffer.from('a\0b')));
    expect((await decode(emptyPng(600, 400, { chunks }))).thumbnail.width).toBe(THUMBNAIL_SIZE);
  });
});
