/** A decoder process for HEIC alone, in WebAssembly without native addons. It makes a PNG that the other decoders can open. */
import { captureTimes } from './capture-times.ts';
import { serve } from './child-loop.ts';
import { isOther, toSrgb } from './colours.ts';
import { withHeif, type HeifFile, type HeifPicture } from './libheif.ts';
import type { Task } from './messages.ts';
import { encodePng } from './png.ts';
import { shrink, type Pixels } from './shrink.ts';

/** Tolerated difference of a thumbnail's aspect ratio, as a share: its sides, a few hundred pixels, are rounded. */
const SAME_PROPORTIONS = 0.02;

await serve(async (task, photo, { tell }) => {
  if (isCutShort(photo)) throw new Error('the file is cut short');
  return withHeif(photo, (heif) => {
    const { width, height } = heif.primary;
    tell({ pixels: width * height });
    const probe = {
      type: heif.type === 'image/heic' ? 'image/heic' : 'image/heif',
      width,
      height,
      takenAt: captureTimes(heif.exif, heif.xmp),
    };
    if (task.probe === '') return { header: probe, body: new Uint8Array() };
    // libheif applies the picture's own rotation; an EXIF orientation repeats it and must be ignored (HEIF 6.5.10).
    const pixels = choosePicture(heif, task).decode((decoded) => inSrgb(shrink(decoded, task.edge), heif));
    return {
      header: probe,
      // Compression would be wasted: the PNG only lives until it is scaled.
      body: encodePng(pixels, { profile: heif.profile, level: 0 }),
    };
  });
});

/** Converts pixels to sRGB. Pixels with a profile, or without other colours, stay as they are. */
function inSrgb(pixels: Pixels, { profile, colours }: HeifFile): Pixels {
  const { data, channels } = pixels;
  if (profile || !colours || !isOther(colours) || channels === 1) return pixels;
  return { ...pixels, data: toSrgb({ data, channels, most: 255 }, colours) };
}

/** Chooses the photo itself, or its embedded thumbnail if the photo is too large to decode. */
function choosePicture({ primary, thumbnails }: HeifFile, { maxPixels, maxDecodedPixels }: Task): HeifPicture {
  const pixels = primary.width * primary.height;
  if (pixels > maxPixels) throw new Error('HEIC exceeds pixel limit');
  if (pixels <= maxDecodedPixels) return primary;
  const proportions = primary.width / primary.height;
  const fitting = thumbnails.filter(
    ({ width, height }) => width * height <= maxDecodedPixels && Math.abs(width / height / proportions - 1) < SAME_PROPORTIONS,
  );
  const largest = fitting.toSorted((a, b) => b.width - a.width)[0];
  if (!largest) throw new Error('too large, and without a fitting thumbnail');
  return largest;
}

/**
 * Tells whether the file ends within its description or its picture data: part of the photo did not arrive. Phones append bytes that are no
 * boxes, so other boxes are not judged.
 */
function isCutShort(file: Buffer): boolean {
  for (let offset = 0; offset + 16 <= file.length;) {
    const short = file.readUInt32BE(offset);
    const length = short === 1 ? Number(file.readBigUInt64BE(offset + 8)) : short;
    const type = file.toString('latin1', offset + 4, offset + 8);
    // Length zero means up to the end of the file.
    if (length < 8) return false;
    if (offset + length > file.length) return type === 'mdat' || type === 'meta';
    offset += length;
  }
  return false;
}
