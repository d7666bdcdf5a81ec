/** A decoder process for all formats except HEIC. It runs in the sandbox, which contains only this folder and sharp. */
import sharp, { type Metadata, type Sharp } from 'sharp';
import { captureTimes } from './capture-times.ts';
import { drawCard } from './card/draw-card.ts';
import { serve } from './child-loop.ts';
import { toSrgb, type Colours } from './colours.ts';
import { firstFrame, isDear, readHeader, type Header } from './headers.ts';
import { isPlainJpeg } from './jpeg.ts';
import { readColours } from './read-colours.ts';

/** Edge of the fields whose brightness is compared, pixels. */
const LIKENESS_EDGE = 32;

/** Brands of ISO/IEC 23008-12 (HEIF) for single pictures and sequences. */
const HEIF_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'mif2', 'msf1']);
const MAX_BRANDS = 64;

/** Limit for interlaced PNGs, GIFs and animated WebPs, which are held as a whole: 5 bytes a pixel. */
const MAX_WHOLE_PIXELS = 64_000_000;
/** Limit for AVIF: 20 bytes a pixel. */
const MAX_AVIF_PIXELS = 50_000_000;
/** Pixels of a progressive JPEG, times its scans: each takes 0.5 ms a megapixel. Encoders write 3 to 14 scans. */
const MAX_SCANNED_PIXELS = 3_200_000_000;
/** Full light in samples of 16 bits: sharp shifts 8-bit samples left by 8 bits. */
const MOST_OF_16_BITS = 255 * 256;
const DEAR = { header: { dear: true }, body: new Uint8Array() };
const TOO_LARGE = 'too large to be held in memory as a whole';

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
});
// Each process runs one job at a time on one core; libvips' cache would keep pictures that are never requested again.
sharp.concurrency(1);
sharp.cache(false);

await serve(async (task, file, { tell }) => {
  if (task.card) return { header: { card: true }, body: await drawCard(task.card, task.card.alone ? null : file) };
  const canvas = readHeader(file);
  if (canvas) check(canvas, task.maxPixels);
  const putsOff = task.unlessDear && task.probe !== '';
  if (putsOff && canvas && isDear(canvas)) return DEAR;
  tell({ pixels: canvas?.pixels ?? 0 });
  const photo = firstFrame(file);
  const open = (): Sharp => sharp(photo, { failOn: 'none', limitInputPixels: task.maxPixels });
  const picture = open();
  const metadata = await readMetadata(picture, photo);
  // sharp reads the metadata of a HEIC, but cannot decode its pictures (HEVC).
  if (!metadata || (metadata.format === 'heif' && metadata.compression !== 'av1')) {
    return { header: { heif: true }, body: new Uint8Array() };
  }
  if (metadata.format === 'heif') {
    const pixels = metadata.width * metadata.height;
    if (pixels > MAX_AVIF_PIXELS) throw new Error(TOO_LARGE);
    if (putsOff && isDear({ pixels, isWhole: true, scans: 1 })) return DEAR;
    tell({ pixels });
  }
  const colours = coloursOf(photo, metadata);
  /** Opens the picture for drawing: sharp converts 16-bit samples with a profile to P3 and leaves them there. */
  const toDraw = (): Sharp => (metadata.space === 'rgb16' && metadata.hasProfile ? open().pipelineColourspace('srgb') : open());
  if (task.share) return share(toDraw(), { metadata, colours, photo });
  const probe = {
    type: metadata.format === 'heif' ? 'image/avif' : `image/${metadata.format}`,
    width: metadata.autoOrient.width,
    height: metadata.autoOrient.height,
    takenAt: captureTimes(metadata.exif, metadata.xmp),
  };
  if (task.probe !== undefined) {
    const difference = task.probe ? await differenceOf(picture, task.probe) : undefined;
    return { header: { ...probe, difference }, body: new Uint8Array() };
  }
  const drawn = { metadata, colours };
  if (task.second === undefined) {
    const { data, rendition } = await render(toDraw(), { ...drawn, edge: task.edge });
    return { header: { ...probe, rendition }, body: data };
  }
  const isLarger = Math.max(probe.width, probe.height) > task.second;
  const of = isLarger ? await decodedOnce(toDraw(), { ...drawn, edge: task.second }) : toDraw;
  const plainly = isLarger ? { metadata, colours: null } : drawn;
  const { data, rendition } = await render(of(), { ...plainly, edge: task.edge });
  const second = await render(of(), { ...plainly, edge: task.second });
  const header = { ...probe, rendition, second: { ...second.rendition, size: second.data.length } };
  return { header, body: Buffer.concat([data, second.data]) };
});

/** Returns the mean difference of two pictures' brightness, each on a field of LIKENESS_EDGE px. */
async function differenceOf(picture: Sharp, likeness: string): Promise<number> {
  const [one, other] = await Promise.all([picture, sharp(Buffer.from(likeness, 'base64'))].map(brightness));
  return one!.reduce((sum, value, n) => sum + Math.abs(value - other![n]!), 0) / one!.length;
}

/** Reduces a picture to its brightness. Transparent parts are white, as on the canvas on which a phone draws. */
function brightness(picture: Sharp): Promise<Buffer> {
  const field = picture.autoOrient().flatten({ background: 'white' }).resize(LIKENESS_EDGE, LIKENESS_EDGE, { fit: 'fill' });
  return field.toColourspace('b-w').raw().toBuffer();
}

interface Drawn {
  metadata: Metadata;
  /** Null: libvips knows the colours, by a profile or as sRGB. */
  colours: Colours | null;
}

function coloursOf(photo: Buffer, { format, hasProfile }: Metadata): Colours | null {
  if (hasProfile || (format !== 'heif' && format !== 'png')) return null;
  return readColours(photo, format === 'heif' ? 'avif' : 'png');
}

/** Converts the picture to sRGB. */
async function inSrgb(picture: Sharp, colours: Colours | null): Promise<Sharp> {
  if (!colours) return picture;
  const { data, info } = await picture.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const channels = info.channels as 3 | 4;
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  return sharp(toSrgb({ data: samples, channels, most: MOST_OF_16_BITS }, colours), { raw: { width, height, channels } });
}

/** Makes an upright JPEG in full size, transparent parts on white, without metadata except the colour profile. */
async function share(
  picture: Sharp,
  { metadata, colours, photo }: Drawn & { photo: Buffer },
): Promise<{ header: object; body: Uint8Array }> {
  if (metadata.format === 'jpeg' && isPlainJpeg(photo)) return { header: { as_is: true }, body: new Uint8Array() };
  const jpeg = (await inSrgb(picture.autoOrient(), colours)).flatten({ background: 'white' }).keepIccProfile().jpeg({ quality: 92 });
  return { header: { shared: true }, body: await jpeg.toBuffer() };
}

/** Refuses pictures that would take minutes or gigabytes. libvips checks only a GIF's first frame, which may be smaller than its screen. */
function check({ pixels, isWhole, scans }: Header, maxPixels: number): void {
  if (pixels > maxPixels) throw new Error('the header exceeds pixel limit');
  if (isWhole && pixels > MAX_WHOLE_PIXELS) throw new Error(TOO_LARGE);
  if (pixels * scans > MAX_SCANNED_PIXELS) throw new Error('too many scans');
}

/** Reads the metadata; null: a HEIF that sharp cannot read, whose libheif has tighter limits than the HEIC decoder. */
async function readMetadata(picture: Sharp, photo: Buffer): Promise<Metadata | null> {
  try {
    return await picture.metadata();
  } catch (error) {
    if (isHeif(photo)) return null;
    throw error;
  }
}

/** Tells whether the file declares itself a HEIF. A video in the same container does not. */
function isHeif(file: Buffer): boolean {
  if (file.length < 16 || file.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(file.readUInt32BE(0), file.length, 16 + 4 * MAX_BRANDS);
  for (let offset = 8; offset + 4 <= end; offset += 4) {
    if (offset !== 12 && HEIF_BRANDS.has(file.toString('latin1', offset, offset + 4))) return true;
  }
  return false;
}

function within(edge: number) {
  return { width: edge, height: edge, fit: 'inside', withoutEnlargement: true } as const;
}

/**
 * Decodes the picture once at `edge` px and opens copies of it. Decoding is most of the work: both pictures of 12 megapixels take a third
 * less this way. A small file is cheaper to decode twice, as the smaller picture is decoded at a quarter.
 */
async function decodedOnce(picture: Sharp, { colours, edge }: Drawn & { edge: number }): Promise<() => Sharp> {
  const resized = picture.autoOrient().resize({ ...within(edge), kernel: 'cubic' });
  const { data, info } = await (await inSrgb(resized, colours)).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return () => sharp(data, { raw: { width, height, channels } });
}

/**
 * Renders a picture upright, never enlarged, in sRGB, without metadata (sharp's default). JPEG is cheaper than WebP, but has no alpha;
 * without a second pass for its Huffman tables a preview takes 10 ms less and is 9 % larger. `picture` must not be shared: sharp's `clone`
 * copies the photo, with all of the memory in which it lies.
 */
async function render(picture: Sharp, { metadata, colours, edge }: Drawn & { edge: number }) {
  const scaled = await inSrgb(picture.autoOrient().resize(within(edge)), colours);
  const encoded = metadata.hasAlpha ? scaled.webp({ quality: 80, effort: 2 }) : scaled.jpeg({ quality: 80, optimiseCoding: false });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { data, rendition: { type: `image/${info.format}`, width: info.width, height: info.height } };
}
