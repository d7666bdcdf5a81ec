import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp, { type JpegOptions } from 'sharp';

export const FIXTURES = join(import.meta.dirname, '../../../shared/fixtures/photos');
export const hasFixtures = existsSync(join(FIXTURES, 'manifest.tsv'));

export interface Fixture {
  path: string;
  name: string;
  type: string;
  /** The required handling by the product. */
  expected: 'accept' | 'reject' | 'either';
  video: boolean;
  bytes(): Buffer;
}

/** Reads the real and hostile files from their manifest; none if the folder is missing. */
export function fixtures(): Fixture[] {
  if (!hasFixtures) return [];
  const [, ...rows] = readFileSync(join(FIXTURES, 'manifest.tsv'), 'utf8').trim().split('\n');
  return rows.flatMap((row) => {
    const columns = row.split('\t');
    const [path = '', , , type = ''] = columns;
    const expected = /\[(accept|reject|either)\]/.exec(columns.at(-1) ?? '')?.[1] as Fixture['expected'] | undefined;
    const file = join(FIXTURES, path);
    if (!expected || path.endsWith('.jsonl') || !existsSync(file)) return [];
    return [{ path, name: basename(path), type, expected, video: /^(MP4|MOV)$/.test(type), bytes: () => readFileSync(file) }];
  });
}

/** Draws a photo: coloured noise on a gradient, different for each seed; about `width` × `height` × 0.2 bytes. */
export function drawPhoto(seed: number, width = 1200, height = 900): Promise<Buffer> {
  return draw(seed, width, height, 20, { quality: 88 });
}

/** Draws a grainy photo as phones take it at night: some 2 bytes a pixel, so that few, quickly drawn pixels are many bytes. */
export function drawGrainy(seed: number, width: number, height: number): Promise<Buffer> {
  return draw(seed, width, height, 80, { quality: 96, chromaSubsampling: '4:4:4' });
}

async function draw(seed: number, width: number, height: number, sigma: number, jpeg: JpegOptions): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g"><stop stop-color="hsl(${(seed * 47) % 360},60%,50%)"/><stop offset="1" stop-color="hsl(${(seed * 91) % 360},60%,40%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="${(seed * 131) % width}" cy="${(seed * 71) % height}" r="${height / 5}" fill="#fff8"/></svg>`;
  const noise = await noiseOf(sigma, width * height * CHANNELS);
  return sharp(Buffer.from(svg))
    .composite([{ input: noise, raw: { width, height, channels: CHANNELS }, blend: 'soft-light' }])
    .jpeg(jpeg)
    .toBuffer();
}

const CHANNELS = 3;
/** Number of places at which a picture's noise may begin within the shared noise, bytes: no two pictures are the same. */
const STARTS = 1024 * 1024;
const drawnNoise = new Map<number, { bytes: number; drawn: Promise<Buffer> }>();

/** Returns `bytes` of noise, cut from shared noise: drawing it anew took more than half of a picture's time. */
async function noiseOf(sigma: number, bytes: number): Promise<Buffer> {
  let noise = drawnNoise.get(sigma);
  if (!noise || noise.bytes < bytes) {
    noise = { bytes, drawn: drawNoise(sigma, bytes + STARTS) };
    drawnNoise.set(sigma, noise);
  }
  const start = randomInt(STARTS);
  return (await noise.drawn).subarray(start, start + bytes);
}

function drawNoise(sigma: number, bytes: number): Promise<Buffer> {
  const [width, height] = [1024, Math.ceil(bytes / CHANNELS / 1024)];
  return sharp({
    create: { width, height, channels: CHANNELS, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma } },
  })
    .raw()
    .toBuffer();
}
