import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCEPTED_TYPES, PREVIEW_SIZE, THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Bytes } from '../lib/bytes.ts';
import { runsKind, sampled } from '../testing/kinds.ts';
import { createDecoder } from './create-decoder.ts';
import { NotAPhoto, TooManyPixels, type Decoded } from './decoder.ts';
import { encodePng } from './png.ts';

const photos = join(import.meta.dirname, '../../../../shared/fixtures/photos');
const warned: unknown[] = [];
const log = { warn: (line: unknown) => void warned.push(line), error: () => undefined };
const decoder = createDecoder({ processes: 2, log });
afterAll(() => decoder.close());

const decode = (bytes: Bytes) => decoder.decode(() => inPieces(bytes), bytes.length, { owner: '' });
const preview = (bytes: Bytes) => decoder.preview(() => inPieces(bytes), bytes.length, { owner: '', urgent: true });

async function* inPieces(bytes: Bytes) {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

/** Returns raw RGB of a rendition on white, at a size at which coding noise does not matter. */
function pixels(bytes: Bytes): Promise<Buffer> {
  return sharp(bytes).flatten({ background: 'white' }).toColourspace('srgb').resize(64, 64, { fit: 'fill' }).removeAlpha().raw().toBuffer();
}

/** Returns the mean difference of two renditions, 0 to 255. */
async function difference(a: Bytes, b: Bytes): Promise<number> {
  const [left, right] = await Promise.all([pixels(a), pixels(b)]);
  return left.reduce((sum, value, i) => sum + Math.abs(value - (right[i] as number)), 0) / left.length;
}

async function expectClean(bytes: Bytes): Promise<void> {
  const { exif, xmp, iptc, icc, comments } = await sharp(bytes).metadata();
  expect({ exif, xmp, iptc, icc, comments }).toEqual({});
  for (const mark of ['Exif', 'GPS', 'ns.adobe.com', '<?php', '<script']) expect(Buffer.from(bytes).includes(mark)).toBe(false);
}

/** Draws a picture with four different corners. */
function drawn(width: number, height: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#c8643c"/>
    <rect width="50%" height="30%" fill="#284664"/><rect x="70%" y="70%" width="30%" height="30%" fill="#f0e6c8"/></svg>`;
  return sharp(Buffer.from(svg)).flatten();
}

describe('the decoder, with drawn pictures', () => {
  it.each([
    ['image/jpeg', () => drawn(1200, 900).jpeg()],
    ['image/png', () => drawn(1200, 900).png()],
    ['image/webp', () => drawn(1200, 900).webp()],
    ['image/gif', () => drawn(1200, 900).gif()],
    ['image/avif', () => drawn(1200, 900).avif({ effort: 0 })],
  ])('recognises %s and shows it', async (type, draw) => {
    const bytes = await draw().toBuffer();
    const { thumbnail, ...probe } = await decode(bytes);
    expect(probe).toEqual({ type, width: 1200, height: 900, takenAt: null });
    expect([thumbnail.width, thumbnail.height]).toEqual([400, 300]);
    expect(await difference(thumbnail.bytes, await drawn(400, 300).png().toBuffer())).toBeLessThan(4);
  });

  it.each([
    ['TIFF', () => drawn(40, 30).tiff().toBuffer()],
    ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>')],
    ['PDF', async () => Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
    ['text', async () => Buffer.from('Liebe Gäste!')],
    ['nothing', async () => Buffer.alloc(0)],
    ['the first half of a HEIF header', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
  ])('refuses %s', async (_name, make) => {
    await expect(decode(await make())).rejects.toThrow(NotAPhoto);
  });

  it('refuses more than 200 megapixels in a file of any size', async () => {
    const bomb = await drawn(16, 16).gif().toBuffer();
    bomb.writeUInt16LE(20_000, 6);
    bomb.writeUInt16LE(20_000, 8);
    await expect(decode(bomb)).rejects.toThrow(NotAPhoto);
  });

  it('refuses a progressive JPEG of thousands of scans, which would keep it busy for minutes', async () => {
    const honest = await drawn(4000, 4000).jpeg({ progressive: true }).toBuffer();
    const scan = honest.subarray(honest.lastIndexOf(Buffer.from([0xff, 0xda])), honest.length - 2);
    const bomb = Buffer.concat([honest.subarray(0, -2), ...Array<Buffer>(5000).fill(scan), honest.subarray(-2)]);
    expect((await decode(honest)).width).toBe(4000);
    await expect(decode(bomb)).rejects.toThrow(NotAPhoto);
  });

  it('decodes nothing of a picture of more pixels than it is asked to draw at two sizes', async () => {
    const bytes = await drawn(1200, 900).jpeg().toBuffer();
    const both = (maxPixels: number) => decoder.decode(() => inPieces(bytes), bytes.length, { owner: '', withPreview: { maxPixels } });
    expect(await both(1200 * 900)).toMatchObject({ width: 1200, preview: { width: 1200 } });
    await expect(both(1200 * 900 - 1)).rejects.toThrow(TooManyPixels);
  });

  it('never enlarges', async () => {
    const bytes = await drawn(90, 60).jpeg().toBuffer();
    const { thumbnail } = await decode(bytes);
    const large = await preview(bytes);
    expect([thumbnail.width, thumbnail.height, large.width, large.height]).toEqual([90, 60, 90, 60]);
  });

  it('keeps what is transparent, as WebP', async () => {
    const bytes = await sharp({ create: { width: 3000, height: 30, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } } })
      .png()
      .toBuffer();
    const { thumbnail } = await decode(bytes);
    const large = await preview(bytes);
    expect([thumbnail.type, large.type, large.width]).toEqual(['image/webp', 'image/webp', 2048]);
    const [, , , alpha] = await sharp(thumbnail.bytes).raw().toBuffer();
    expect(alpha).toBe(128);
  });

  it('has room for what can not be made small', async () => {
    const noise = { raw: { width: 2048, height: 2048, channels: 4 as const } };
    const large = await preview(
      await sharp(randomBytes(2048 * 2048 * 4), noise)
        .png({ compressionLevel: 0 })
        .toBuffer(),
    );
    expect(large.bytes.length).toBeGreaterThan(8_000_000);
  });

  it('shows the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width: 32, height: 32, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    for (const bytes of [
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    ]) {
      const { width, height, thumbnail } = await decode(bytes);
      expect([width, height]).toEqual([32, 32]);
      const [red = 0, , blue = 255] = await sharp(thumbnail.bytes).flatten().raw().toBuffer();
      expect(red).toBeGreaterThan(240);
      expect(blue).toBeLessThan(20);
    }
  });

  it('converts wide colours to those that every browser shows', async () => {
    const srgb = await drawn(400, 300).png().toBuffer();
    const wide = await sharp(srgb).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
    const { icc } = await sharp(wide).metadata();
    const { data, info } = await sharp(srgb).withIccProfile('p3').raw().toBuffer({ resolveWithObject: true });
    // The HEIC decoder hands pictures on in this form.
    const stored = encodePng(
      { data, width: info.width, height: info.height, channels: 3, stride: 1200 },
      { profile: icc as Buffer, level: 0 },
    );
    for (const bytes of [wide, stored]) {
      const { thumbnail } = await decode(bytes);
      await expectClean(thumbnail.bytes);
      expect(await difference(thumbnail.bytes, srgb)).toBeLessThan(3);
    }
    // Proves the test: without the profile, the same numbers are other colours.
    expect(await difference(encodePng({ data, width: 400, height: 300, channels: 3, stride: 1200 }, { level: 0 }), srgb)).toBeGreaterThan(
      4,
    );
  });

  it.each([
    ['2026:05:17 21:04:00', '2026-05-17T21:04:00'],
    ['2024:02:29 00:00:00', '2024-02-29T00:00:00'],
    ['2026:02:29 12:00:00', null],
    ['0000:00:00 00:00:00', null],
    ['2026:05:17 24:61:00', null],
    ['gestern', null],
  ])('reads the time of the camera %s as %s', async (written, expected) => {
    const bytes = await drawn(40, 30)
      .withExif({ IFD2: { DateTimeOriginal: written } })
      .jpeg()
      .toBuffer();
    const { takenAt, thumbnail } = await decode(bytes);
    expect(takenAt).toBe(expected);
    await expectClean(thumbnail.bytes);
  });

  it('takes the next photo after a refusal', async () => {
    await expect(decode(Buffer.from('kein Bild'))).rejects.toThrow(NotAPhoto);
    expect((await decode(await drawn(40, 30).jpeg().toBuffer())).width).toBe(40);
  });

  it('says once where there is no sandbox', () => {
    expect(warned).toEqual(decoder.isolationFault === null ? [] : ['Decoder nicht isoliert']);
  });
});

interface Fixture {
  name: string;
  verdict: string;
  /** Upright size, `1200x900`. */
  size: string;
  type: string;
}

/** Reads the tabular `path, source, licence, type, size, orientation, gps, bytes, sha256, [verdict] purpose`, without videos. */
function readManifest(): Fixture[] {
  const lines = readFileSync(join(photos, 'manifest.tsv'), 'utf8').trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [name = '', , , type = '', size = '', turned = '', , , , purpose = ''] = line.split('\t');
    const [width, height] = size.split('x');
    const lying = /^[5-8]/.test(turned) || /rot(90|270)/.test(turned);
    const isVideo = type === 'MOV' || type === 'MP4';
    const verdict = isVideo ? 'reject' : (/^\[(\w+)\]/.exec(purpose)?.[1] ?? '');
    return existsSync(join(photos, name)) ? [{ name, verdict, size: lying ? `${height}x${width}` : size, type }] : [];
  });
}

const fixtures = existsSync(photos) ? readManifest() : [];
const load = (name: string) => readFileSync(join(photos, name));
const answers = new Map<string, Promise<Decoded>>();
/** Decodes a photograph, once for all tests: a large one takes seconds. */
const decodeFile = (name: string): Promise<Decoded> => answers.getOrInsertComputed(name, () => decode(load(name)));

describe.skipIf(fixtures.length === 0)('the decoder, with real photographs (skipped without ../shared/fixtures)', () => {
  // A camera's HEIF, which may be refused, takes seconds; the tests of colours decode it, too.
  const asked = fixtures.filter(({ type }) => runsKind('system') || type !== 'HEIF');
  it.each(sampled(asked, ({ type, verdict }) => `${type} ${verdict}`))(
    'gives $name what it deserves: $verdict',
    async ({ name, verdict, size, type }) => {
      const outcome = await decodeFile(name).catch((error: unknown) => error);
      if (verdict === 'reject' || outcome instanceof NotAPhoto) {
        expect(outcome).toBeInstanceOf(NotAPhoto);
        expect(verdict).not.toBe('accept');
        return;
      }
      const photo = outcome as Decoded;
      expect(`${photo.width}x${photo.height}`).toBe(size);
      expect(ACCEPTED_TYPES).toContain(photo.type);
      expect(photo.type).toContain(type.split(' ').at(-1)?.toLowerCase().replace('heif', 'hei'));
      const { thumbnail } = photo;
      const { width, height, format } = await sharp(thumbnail.bytes).metadata();
      expect({ width, height, type: `image/${format}` }).toEqual({
        width: thumbnail.width,
        height: thumbnail.height,
        type: thumbnail.type,
      });
      expect(Math.max(width, height)).toBe(Math.min(THUMBNAIL_SIZE, Math.max(photo.width, photo.height)));
      const scale = Math.max(width, height) / Math.max(photo.width, photo.height);
      expect(Math.abs(Math.min(width, height) - Math.min(photo.width, photo.height) * scale)).toBeLessThanOrEqual(1);
      await expectClean(thumbnail.bytes);
    },
  );

  it.each(['landscape', 'portrait'])('shows %s pictures upright, however the camera was held', async (shape) => {
    const upright = await decodeFile(`orientation/${shape}_1.jpg`);
    for (const n of [2, 3, 4, 5, 6, 7, 8]) {
      const turned = await decodeFile(`orientation/${shape}_${n}.jpg`);
      expect(await difference(turned.thumbnail.bytes, upright.thumbnail.bytes)).toBeLessThan(4);
    }
  });

  it('rotates an iPhone HEIC once: the arrow points up', async () => {
    const { thumbnail } = await decodeFile('heic/apple-iphone-8plus_irot270_p3.heic');
    const { data, info } = await sharp(thumbnail.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    const extents: number[] = [];
    for (let y = 0; y < info.height; y++) {
      const row = data.subarray(y * info.width, (y + 1) * info.width);
      const dark = [...row.keys()].filter((x) => (row[x] as number) < 80);
      if (dark.length > 0) extents.push((dark.at(-1) as number) - (dark[0] as number));
    }
    expect(info.height).toBeGreaterThan(info.width);
    const tenth = Math.floor(extents.length / 10);
    expect(Math.max(...extents.slice(0, tenth))).toBeLessThan(Math.max(...extents.slice(-tenth)) / 2);
  });

  it('shows CMYK in the colours of the original', async () => {
    const [cmyk, rgb] = await Promise.all([
      decodeFile('constructed/formats/cmyk-with-profile.jpg'),
      decodeFile('constructed/suffix/jpeg-named.HEIC'),
    ]);
    // Print can't show all colours. Without its profile the difference is 14.
    expect(await difference(cmyk.thumbnail.bytes, rgb.thumbnail.bytes)).toBeLessThan(10);
  });

  it('shows a HEIC like the JPEG of the same picture', async () => {
    const [heic, jpeg] = await Promise.all([
      decodeFile('constructed/suffix/heic-named.jpg'),
      decodeFile('constructed/suffix/jpeg-named.HEIC'),
    ]);
    expect(await difference(heic.thumbnail.bytes, jpeg.thumbnail.bytes)).toBeLessThan(4);
  });

  it.each(['phones/google-pixel_12mp_gps.jpg', 'heic/apple-iphone-xr_irot270_gps_p3.heic', 'webp-gif/nikon-p7000_orientation-6.webp'])(
    'makes a preview of %s for full screen',
    async (name) => {
      const [large, { thumbnail, width, height }] = await Promise.all([preview(load(name)), decodeFile(name)]);
      expect(large.type).toBe('image/jpeg');
      expect(Math.max(large.width, large.height)).toBe(PREVIEW_SIZE);
      expect(Math.abs(large.width / large.height - width / height)).toBeLessThan(0.002);
      expect(await difference(large.bytes, thumbnail.bytes)).toBeLessThan(4);
      await expectClean(large.bytes);
    },
  );

  it('reads when an iPhone took its HEIC', async () => {
    expect((await decodeFile('heic/apple-iphone-8plus_irot270_p3.heic')).takenAt).toBe('2018-07-31T14:52:07');
  });

  it('knows no time where the camera wrote an impossible one', async () => {
    expect((await decodeFile('constructed/disguised/exif-bad-dates.jpg')).takenAt).toBeNull();
  });

  it('shows a HEIC beyond 64 megapixels by its embedded thumbnail', async () => {
    const { width, height, thumbnail } = await decodeFile('heic/samsung-galaxy-s24-ultra_200mp.heic');
    expect([width, height, thumbnail.width, thumbnail.height]).toEqual([12_240, 16_320, 300, 400]);
  });
});
