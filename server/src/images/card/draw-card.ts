/** Draws the picture that messengers show of a link, in the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import type { CardTask } from '../messages.ts';

/** Margin around the words, pixels. */
const MARGIN = 72;
/** Width of the picture on the right, pixels. */
const PICTURE_WIDTH = 540;
const TITLE_HEIGHT = 270;
const BRAND_HEIGHT = 40;
/** Largest letters of title and brand, and the smallest that are legible in a chat. */
const TITLE_DPI = 160;
const BRAND_DPI = 44;
const SMALLEST_DPI = 30;
const LEAST_EXCESS = 1.05;

/** A font of our own: pictures are the same on every machine. */
const FONT = { font: 'Bricolage Grotesque 96pt ExtraBold, 64', fontfile: join(import.meta.dirname, 'letters.ttf') };
/** The white spark of the product's sign; `npm run pictures` draws it. */
const sign = readFileSync(join(import.meta.dirname, 'sign.png'));
/** Edge of the sign, pixels. */
const SIGN = 84;

/**
 * Draws a JPEG of the sign, the words and, on the right, the middle of `picture`, if there is one. Throws if the picture cannot be read.
 */
export async function drawCard({ title, brand, accent, size }: CardTask, picture: Buffer | null): Promise<Buffer> {
  const width = size.width - 2 * MARGIN - (picture ? PICTURE_WIDTH - MARGIN / 2 : 0);
  const words = await written(title, width, TITLE_HEIGHT, TITLE_DPI);
  const name = brand === title ? null : await written(brand, width, BRAND_HEIGHT, BRAND_DPI);
  const layers: OverlayOptions[] = [
    { input: sign, left: MARGIN, top: MARGIN },
    { ...raw(words), left: MARGIN, top: Math.round((size.height + SIGN - words.info.height) / 2) },
    ...(name ? [{ ...raw(name), left: MARGIN, top: size.height - MARGIN - name.info.height }] : []),
  ];
  if (picture) {
    const beside = sharp(picture, { failOn: 'none' }).autoOrient().flatten({ background: 'white' });
    const shown = beside.resize(PICTURE_WIDTH, size.height, { fit: 'cover' }).raw();
    layers.push({ ...raw(await shown.toBuffer({ resolveWithObject: true })), left: size.width - PICTURE_WIDTH, top: 0 });
  }
  const ground = sharp({ create: { ...size, channels: 3, background: accent } });
  return ground.composite(layers).jpeg({ quality: 84, chromaSubsampling: '4:4:4' }).toBuffer();
}

type Drawn = Awaited<ReturnType<typeof written>>;

/** Draws white letters, as large as the field allows. */
async function written(text: string, width: number, height: number, largestDpi: number) {
  const markup = `<span foreground="white">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</span>`;
  const draw = (size: { height: number } | { dpi: number }) =>
    sharp({ text: { text: markup, ...FONT, width, rgba: true, wrap: 'word-char', ...size } })
      .raw()
      .toBuffer({ resolveWithObject: true });
  const { info } = await draw({ height });
  // libvips fits the lines' height, which letters below the line exceed.
  const dpi = Math.floor(((info.textAutofitDpi ?? SMALLEST_DPI) * Math.min(1, height / info.height)) / LEAST_EXCESS);
  return draw({ dpi: Math.max(SMALLEST_DPI, Math.min(dpi, largestDpi)) });
}

const raw = ({ data, info: { width, height, channels } }: Drawn): OverlayOptions => ({
  input: data,
  raw: { width, height, channels: channels as 3 | 4 },
});
