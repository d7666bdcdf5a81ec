import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const WIDTH = 4032;
const HEIGHT = 3024;
/** Bytes of a phone's 12 MP photo. */
const SMALLEST_BYTES = 4_000_000;
const LARGEST_BYTES = 5_000_000;

/**
 * Returns JPEGs as phones make them, 12 MP and 4 to 5 MB each: those of the folder `BENCH_PHOTOS` (repeated if they are too few), else
 * drawn ones: soft shapes under fine sensor noise.
 */
export async function benchPhotos(count: number): Promise<Buffer[]> {
  const folder = process.env['BENCH_PHOTOS'];
  if (!folder) {
    const drawn: Buffer[] = [];
    while (drawn.length < count) drawn.push(await drawPhoto());
    return drawn;
  }
  const names = readdirSync(folder)
    .filter((name) => /\.jpe?g$/i.test(name))
    .toSorted();
  if (names.length === 0) throw new Error(`no JPEGs in ${folder}`);
  const files = names.slice(0, count).map((name) => readFileSync(join(folder, name)));
  return Array.from({ length: count }, (_, n) => files[n % files.length] as Buffer);
}

async function drawPhoto(): Promise<Buffer> {
  const shapes = await noise(32, 24, 70).png().toBuffer();
  const grain = await noise(WIDTH, HEIGHT, 10).raw().toBuffer({ resolveWithObject: true });
  const pixels = await sharp(shapes)
    .resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'cubic' })
    .composite([{ input: grain.data, raw: grain.info, blend: 'overlay' }])
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (let quality = 97; quality > 60; quality -= 2) {
    const photo = await sharp(pixels.data, { raw: pixels.info }).jpeg({ quality }).toBuffer();
    if (photo.length > LARGEST_BYTES) continue;
    if (photo.length < SMALLEST_BYTES) break;
    return photo;
  }
  throw new Error('no quality gives a photo of 4 to 5 MB');
}

function noise(width: number, height: number, sigma: number) {
  return sharp({ create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma } } });
}
