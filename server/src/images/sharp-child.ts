/** A decoder process for all formats but HEIC. Runs in the sandbox, which holds only this folder and sharp. */
import sharp, { type Metadata, type Sharp } from 'sharp';
import { serve } from './child-loop.ts';
import { takenAt } from './exif.ts';
import { isPlainJpeg } from './jpeg.ts';

/** Pixels. */
const LIKENESS_EDGE = 32;

/** Brands of ISO/IEC 23008-12 (HEIF) for single pictures and sequences. */
const HEIF_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'mif2', 'msf1']);
const MAX_BRANDS = 64;

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
});
// One job at a time on one core; libvips' cache would keep what is never asked for again.
sharp.concurrency(1);
sharp.cache(false);

await serve(async (task, photo) => {
  if (gifScreen(photo) > task.maxPixels) throw new Error('GIF screen exceeds pixel limit');
  const open = (): Sharp => sharp(photo, { failOn: 'none', limitInputPixels: task.maxPixels });
  const picture = open();
  const metadata = await readMetadata(picture, photo);
  // sharp reads the metadata of a HEIC, but cannot decode its pictures (HEVC).
  if (!metadata || (metadata.format === 'heif' && metadata.compression !== 'av1')) {
    return { header: { heif: true }, body: new Uint8Array() };
  }
  if (task.share) return share(picture, metadata, photo);
  const facts = {
    type: metadata.format === 'heif' ? 'image/avif' : `image/${metadata.format}`,
    width: metadata.autoOrient.width,
    height: metadata.autoOrient.height,
    takenAt: takenAt(metadata.exif),
  };
  if (task.facts !== undefined) {
    const difference = task.facts ? await differenceOf(picture, task.facts) : undefined;
    return { header: { ...facts, difference }, body: new Uint8Array() };
  }
  const { data, rendition } = await render(open(), metadata, task.edge);
  if (task.second === undefined) return { header: { ...facts, rendition }, body: data };
  const second = await render(open(), metadata, task.second);
  const header = { ...facts, rendition, second: { ...second.rendition, size: second.data.length } };
  return { header, body: Buffer.concat([data, second.data]) };
});

/** The mean difference of two pictures' brightness, each on a field of LIKENESS_EDGE px. */
async function differenceOf(picture: Sharp, likeness: string): Promise<number> {
  const [one, other] = await Promise.all([picture, sharp(Buffer.from(likeness, 'base64'))].map(brightness));
  return one!.reduce((sum, value, n) => sum + Math.abs(value - other![n]!), 0) / one!.length;
}

/** Transparent parts are white, as on a canvas on which a phone draws. */
function brightness(picture: Sharp): Promise<Buffer> {
  const field = picture.autoOrient().flatten({ background: 'white' }).resize(LIKENESS_EDGE, LIKENESS_EDGE, { fit: 'fill' });
  return field.toColourspace('b-w').raw().toBuffer();
}

/** A JPEG in full size, upright, transparent parts on white, without metadata but the colour profile. */
async function share(picture: Sharp, metadata: Metadata, photo: Buffer): Promise<{ header: object; body: Uint8Array }> {
  if (metadata.format === 'jpeg' && isPlainJpeg(photo)) return { header: { as_is: true }, body: new Uint8Array() };
  const jpeg = picture.autoOrient().flatten({ background: 'white' }).keepIccProfile().jpeg({ quality: 92 });
  return { header: { shared: true }, body: await jpeg.toBuffer() };
}

/** Pixels of a GIF's screen, 0 for other files. libvips checks only the first frame, which may be smaller. */
function gifScreen(photo: Buffer): number {
  return photo.length >= 10 && photo.toString('latin1', 0, 3) === 'GIF' ? photo.readUInt16LE(6) * photo.readUInt16LE(8) : 0;
}

/** Null for a HEIF that sharp cannot read: its libheif has tighter limits than the HEIC decoder. */
async function readMetadata(picture: Sharp, photo: Buffer): Promise<Metadata | null> {
  try {
    return await picture.metadata();
  } catch (error) {
    if (isHeif(photo)) return null;
    throw error;
  }
}

/** Whether the file says that it is a HEIF. A video in the same container does not. */
function isHeif(file: Buffer): boolean {
  if (file.length < 16 || file.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(file.readUInt32BE(0), file.length, 16 + 4 * MAX_BRANDS);
  for (let offset = 8; offset + 4 <= end; offset += 4) {
    if (offset !== 12 && HEIF_BRANDS.has(file.toString('latin1', offset, offset + 4))) return true;
  }
  return false;
}

/**
 * Upright, never enlarged, in sRGB, without metadata (sharp's default). JPEG is cheaper than WebP, but has no alpha; without a
 * second pass for its Huffman tables a preview takes 10 ms less and is 9 % larger. `picture` is one of its own: sharp's `clone` copies the
 * photo, with all of the memory in which it lies.
 */
async function render(picture: Sharp, metadata: Metadata, edge: number) {
  const scaled = picture.autoOrient().resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
  const encoded = metadata.hasAlpha ? scaled.webp({ quality: 80, effort: 2 }) : scaled.jpeg({ quality: 80, optimiseCoding: false });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { data, rendition: { type: `image/${info.format}`, width: info.width, height: info.height } };
}
