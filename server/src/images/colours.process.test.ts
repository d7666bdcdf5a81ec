import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Bytes } from '../lib/bytes.ts';
import { isOther, toSrgb, type Colours } from './colours.ts';
import { createDecoder } from './create-decoder.ts';
import { readColours } from './read-colours.ts';
import { emptyPng, pngChunk } from './testing/bombs.ts';

const decoder = createDecoder({ processes: 1, log: { warn: () => undefined, error: () => undefined } });
afterAll(() => decoder.close());

const P3 = 12;
const BT2020 = 9;
const SRGB = 13;
const PQ = 16;
const HLG = 18;

const asOne = (bytes: Bytes) =>
  async function* () {
    yield bytes;
  };
const decode = (bytes: Bytes) => decoder.decode(asOne(bytes), bytes.length, { owner: '' });

/** Returns red, green and blue of the middle. */
async function middle(bytes: Bytes): Promise<number[]> {
  const { data, info } = await sharp(bytes).toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = 3 * (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2));
  return [...data.subarray(at, at + 3)];
}

const shown = async (bytes: Bytes): Promise<number[]> => middle((await decode(bytes)).thumbnail.bytes);

function expectNear(found: number[], expected: number[], tolerance = 4): void {
  expect(
    found.map((value, n) => Math.abs(value - (expected[n] as number)) <= tolerance),
    `${found.join()} for ${expected.join()}`,
  ).toEqual([true, true, true]);
}

const plain = (red: number, green: number, blue: number, side = 64): Sharp =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: red, g: green, b: blue } } });

/** Makes an AVIF whose header declares these colours. */
async function avif(rgb: [number, number, number], { primaries, transfer }: { primaries: number; transfer: number }): Promise<Buffer> {
  const bytes = await plain(...rgb)
    .avif({ lossless: true, effort: 0 })
    .toBuffer();
  const at = bytes.indexOf('nclx') + 4;
  bytes.writeUInt16BE(primaries, at);
  bytes.writeUInt16BE(transfer, at + 2);
  return bytes;
}

/** Converts the same numbers with P3's profile by lcms. */
async function twinOf(rgb: [number, number, number]): Promise<number[]> {
  const profiled = await plain(0, 0, 0).withIccProfile('p3').png().toBuffer();
  const icc = (await sharp(profiled).metadata()).icc as Buffer;
  const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('p3\0\0', 'latin1'), (await import('node:zlib')).deflateSync(icc)]));
  const png = await plain(...rgb)
    .png()
    .toBuffer();
  return middle(
    await sharp(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]))
      .png()
      .toBuffer(),
  );
}

describe('an AVIF without a profile', () => {
  it.each([[[230, 60, 60]], [[100, 90, 80]], [[30, 200, 90]], [[255, 255, 255]], [[8, 8, 8]]] as [[number, number, number]][])(
    'shows %j in P3 as its twin with a profile',
    async (rgb) => {
      expectNear(await shown(await avif(rgb, { primaries: P3, transfer: SRGB })), await twinOf(rgb));
    },
  );

  it('shows what it says to be sRGB, television or nothing as the numbers are', async () => {
    for (const [primaries, transfer] of [
      [1, SRGB],
      [1, 1],
      [2, 2],
      [6, 6],
      [1, 4],
    ] as const) {
      expectNear(await shown(await avif([230, 60, 60], { primaries, transfer })), [230, 60, 60]);
    }
  });

  it('is brighter in the middle, and no brighter than white, where it is HDR', async () => {
    // 203 cd/m² in PQ and HLG: white of a picture of ordinary range.
    const white = {
      pq: await shown(await avif([148, 148, 148], { primaries: BT2020, transfer: PQ })),
      hlg: await shown(await avif([191, 191, 191], { primaries: BT2020, transfer: HLG })),
    };
    for (const found of Object.values(white)) {
      for (const value of found) expect(value).toBeGreaterThan(220);
      for (const value of found) expect(value).toBeLessThan(250);
    }
    // 18 % grey stays the same grey as without HDR.
    expectNear(await shown(await avif([104, 104, 104], { primaries: BT2020, transfer: PQ })), [118, 118, 118], 8);
    expectNear(await shown(await avif([0, 0, 0], { primaries: BT2020, transfer: PQ })), [0, 0, 0]);
    expectNear(await shown(await avif([255, 255, 255], { primaries: BT2020, transfer: PQ })), [255, 255, 255], 6);
    const [red = 0, green = 0, blue = 0] = await shown(await avif([150, 60, 60], { primaries: BT2020, transfer: PQ }));
    expect(red).toBeGreaterThan(200);
    expect([green, blue].every((value) => value < 100)).toBe(true);
  });

  it('keeps what is transparent', async () => {
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background: { r: 230, g: 60, b: 60, alpha: 0.5 } } })
      .avif({ lossless: true, effort: 0 })
      .toBuffer();
    for (let at = bytes.indexOf('nclx'); at >= 0; at = bytes.indexOf('nclx', at + 4)) bytes.writeUInt16BE(P3, at + 4);
    const { thumbnail } = await decode(bytes);
    expect(thumbnail.type).toBe('image/webp');
    const [red = 0, green = 255, , alpha] = await sharp(thumbnail.bytes).raw().toBuffer();
    expect([red > 240, green < 50, alpha]).toEqual([true, true, 128]);
  });

  it('is shared in the colours that it is shown in', async () => {
    const bytes = await avif([230, 60, 60], { primaries: P3, transfer: SRGB });
    const jpeg = await decoder.share(asOne(bytes), bytes.length, { owner: '' });
    expectNear(await middle(jpeg as Bytes), await twinOf([230, 60, 60]), 6);
  });

  it('is shown as sRGB where its boxes are broken', async () => {
    const bytes = await avif([230, 60, 60], { primaries: P3, transfer: SRGB });
    expect(readColours(bytes, 'avif')).toEqual({ primaries: P3, transfer: SRGB });
    for (let cut = 0; cut < bytes.length; cut++) readColours(bytes.subarray(0, cut), 'avif');
    const changed = Buffer.from(bytes);
    for (let at = 0; at < bytes.length; at++) {
      changed[at] = 0xff;
      readColours(changed, 'avif');
      changed[at] = bytes[at] as number;
    }
  });
});

const HEIF = join(import.meta.dirname, '../../../../shared/fixtures/photos/heic/sony-a7s3_10bit_422.hif');

it.skipIf(!existsSync(HEIF))('a HEIC that says BT.2020 is shown in it (skipped without ../shared/fixtures)', async () => {
  const file = readFileSync(HEIF);
  // The field is so small that the coding of thumbnails does not count.
  const field = async () =>
    new Uint8Array(
      await sharp((await decode(file)).thumbnail.bytes)
        .resize(12, 8)
        .raw()
        .toBuffer(),
    );
  const plainly = await field();
  file.writeUInt16BE(BT2020, file.indexOf('nclx') + 4);
  const found = await field();
  const expected = toSrgb({ data: plainly, channels: 3, most: 255 }, { primaries: BT2020, transfer: SRGB });
  const differenceTo = (other: Uint8Array): number =>
    found.reduce((sum, value, n) => sum + Math.abs(value - (other[n] as number)), 0) / found.length;
  expect(differenceTo(expected)).toBeLessThan(1);
  expect(differenceTo(plainly)).toBeGreaterThan(2 * differenceTo(expected));
});

describe('a PNG without a profile', () => {
  const named = async (...chunks: Buffer[]): Promise<Buffer> => {
    const png = await plain(230, 60, 60).png().toBuffer();
    return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
  };
  const gamma = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return pngChunk('gAMA', bytes);
  };
  const cicp = (primaries: number, transfer: number): Buffer => pngChunk('cICP', Buffer.from([primaries, transfer, 0, 1]));

  it.each([
    ['cICP of P3', [cicp(P3, SRGB)], null],
    ['cICP of sRGB', [cicp(1, SRGB)], [230, 60, 60]],
    ['sRGB’s gamma', [gamma(45_455)], [230, 60, 60]],
    ['a gamma of 1', [gamma(100_000)], [244, 133, 133]],
    ['a gamma of nothing', [gamma(0)], [230, 60, 60]],
    ['a gamma, and sRGB', [pngChunk('sRGB', Buffer.from([0])), gamma(100_000)], [230, 60, 60]],
  ])('is shown by %s', async (_name, chunks, expected) => {
    expectNear(await shown(await named(...chunks)), expected ?? (await twinOf([230, 60, 60])));
  });

  it('is not searched for its colours for long', () => {
    const many = emptyPng(8, 8, { chunks: [...Array<Buffer>(2000).fill(pngChunk('tEXt', Buffer.from('a\0b'))), cicp(P3, SRGB)] });
    expect(readColours(many, 'png')).toBeNull();
  });
});

/** Files as other programs and cameras write them, each with the colours that browsers show. */
describe('a picture', () => {
  const red: [number, number, number] = [230, 60, 60];
  const profiled = (name: string) => plain(...red).withIccProfile(name);
  it.each([
    ['a CMYK JPEG', async () => profiled('cmyk').jpeg({ quality: 100 }).toBuffer(), red, 20],
    ['a CMYK JPEG without its profile', async () => withoutProfile(await profiled('cmyk').jpeg({ quality: 100 }).toBuffer()), red, 40],
    ['grey with alpha', async () => plain(90, 90, 90).ensureAlpha(0.5).toColourspace('b-w').png().toBuffer(), [173, 173, 173], 4],
    ['grey of 16 bits', async () => plain(90, 90, 90).toColourspace('grey16').png().toBuffer(), [90, 90, 90], 3],
    [
      'RGB of 16 bits',
      async () =>
        plain(...red)
          .toColourspace('rgb16')
          .png()
          .toBuffer(),
      red,
      3,
    ],
    [
      'a palette',
      async () =>
        plain(...red)
          .png({ palette: true })
          .toBuffer(),
      red,
      3,
    ],
    ['P3 in a WebP', async () => profiled('p3').webp({ lossless: true }).toBuffer(), red, 4],
    ['P3 in a PNG of 16 bits', async () => profiled('p3').toColourspace('rgb16').png().toBuffer(), red, 4],
    ['P3 in an AVIF of 10 bits', async () => profiled('p3').avif({ bitdepth: 10, lossless: true }).toBuffer(), red, 4],
    ['a broken profile', async () => withProfile(Buffer.from('no profile')), red, 4],
    ['a profile cut short', async () => withProfile((await p3()).subarray(0, 200)), red, 4],
    ['a profile for another number of channels', async () => withProfile(await cmykProfile()), red, 4],
  ] as [string, () => Promise<Buffer>, number[], number][])('is shown right: %s', async (_name, make, expected, tolerance) => {
    const { thumbnail } = await decode(await make());
    expectNear(await middle(await sharp(thumbnail.bytes).flatten({ background: 'white' }).png().toBuffer()), expected, tolerance);
  });

  it.each([5, 6, 7, 8])('is upright before its colours are turned (orientation %i)', async (orientation) => {
    const lying = sharp({ create: { width: 90, height: 60, channels: 3, background: 'white' } }).composite([
      {
        input: await plain(...red, 30)
          .png()
          .toBuffer(),
        left: 0,
        top: 0,
      },
    ]);
    const file = await lying.avif({ lossless: true }).withMetadata({ orientation }).toBuffer();
    const { width, height, thumbnail } = await decode(file);
    const upright = await sharp(file).autoOrient().png().toBuffer({ resolveWithObject: true });
    expect([width, height]).toEqual([upright.info.width, upright.info.height]);
    const [found, expected] = await Promise.all(
      [thumbnail.bytes, upright.data].map((bytes) => sharp(bytes).flatten().resize(6, 6, { fit: 'fill' }).raw().toBuffer()),
    );
    expect(Math.max(...found!.map((value, n) => Math.abs(value - (expected as Buffer)[n]!)))).toBeLessThan(30);
  });

  const p3 = async (): Promise<Buffer> => (await sharp(await profiled('p3').jpeg().toBuffer()).metadata()).icc as Buffer;
  const cmykProfile = async (): Promise<Buffer> => (await sharp(await profiled('cmyk').jpeg().toBuffer()).metadata()).icc as Buffer;

  async function withProfile(icc: Buffer): Promise<Buffer> {
    const jpeg = await plain(...red)
      .jpeg({ quality: 100 })
      .toBuffer();
    const parts: Buffer[] = [];
    const pieces = Math.ceil(icc.length / 65_000);
    for (let n = 0; n < pieces; n++) {
      const body = Buffer.concat([
        Buffer.from('ICC_PROFILE\0', 'latin1'),
        Buffer.from([n + 1, pieces]),
        icc.subarray(n * 65_000, (n + 1) * 65_000),
      ]);
      parts.push(Buffer.from([0xff, 0xe2, (body.length + 2) >> 8, (body.length + 2) & 255]), body);
    }
    return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]);
  }

  function withoutProfile(jpeg: Buffer): Buffer {
    let rest = jpeg;
    for (let at = rest.indexOf('ICC_PROFILE\0'); at >= 0; at = rest.indexOf('ICC_PROFILE\0')) {
      rest = Buffer.concat([rest.subarray(0, at - 4), rest.subarray(at - 2 + rest.readUInt16BE(at - 2))]);
    }
    return rest;
  }
});

describe('colours', () => {
  it.each([
    [{ primaries: 1, transfer: SRGB }, false],
    [{ primaries: 2, transfer: 2 }, false],
    [{ primaries: 255, transfer: 255 }, false],
    [{ primaries: P3, transfer: SRGB }, true],
    [{ primaries: BT2020, transfer: 14 }, true],
    [{ primaries: 1, transfer: PQ }, true],
    [{ primaries: 1, transfer: 8 }, true],
  ] as [Colours, boolean][])('%j are others than sRGB: %s', (colours, expected) => {
    expect(isOther(colours)).toBe(expected);
  });

  it('keep white, black and the order of greys in every curve', () => {
    for (const transfer of [1, 4, 5, 8, SRGB, PQ, HLG]) {
      const greys = Uint8Array.from({ length: 3 * 256 }, (_, n) => Math.floor(n / 3));
      const found = toSrgb({ data: greys, channels: 3, most: 255 }, { primaries: BT2020, transfer });
      for (let n = 3; n < found.length; n++) expect(found[n]).toBeGreaterThanOrEqual((found[n - 3] as number) - 1);
      expect([found[0], (found.at(-1) as number) >= 252]).toEqual([0, true]);
    }
  });
});
