/** Finds what a picture's metadata says of the time at which it was taken, as it is written there. */
import { exifTimes } from './exif.ts';

/** Times of a file, at most. */
export const MAX_TIMES = 8;
const MAX_LENGTH = 64;
/** A packet of XMP is a few kilobytes; what is behind is not read. */
const MAX_XMP_BYTES = 256 * 1024;
/** Properties of XMP, the best first: as an attribute or as an element. */
const XMP_TIMES = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate', 'exif:DateTimeDigitized'].map(
  (name) => new RegExp(`${name}(?:\\s*=\\s*["']|>)\\s*([^"'<]{1,${MAX_LENGTH}})`),
);

/** The best first: Exif's original, its digitized, XMP's. Which of them is a time is for the server to say. */
export function captureTimes(exif: Uint8Array | undefined, xmp: Uint8Array | undefined): string[] {
  const packet = xmp ? Buffer.from(xmp.buffer, xmp.byteOffset, Math.min(xmp.byteLength, MAX_XMP_BYTES)).toString('latin1') : '';
  const inXmp = XMP_TIMES.flatMap((property) => property.exec(packet)?.[1] ?? []);
  return [...exifTimes(exif), ...inXmp].slice(0, MAX_TIMES);
}
