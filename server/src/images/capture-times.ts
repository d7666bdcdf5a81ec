/** Finds the capture times in a picture's metadata, as they are written there. */
import { exifTimes } from './exif.ts';

/** Most capture times of a file. */
export const MAX_TIMES = 8;
const MAX_LENGTH = 64;
/** XMP packets take a few kilobytes; the rest of a larger one is not read. */
const MAX_XMP_BYTES = 256 * 1024;
/** XMP properties, as attribute or element, the best first. */
const XMP_TIMES = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate', 'exif:DateTimeDigitized'].map(
  (name) => new RegExp(`${name}(?:\\s*=\\s*["']|>)\\s*([^"'<]{1,${MAX_LENGTH}})`),
);

/** Lists the texts of the capture time, the best first: Exif's original, its digitized, XMP's. The server parses them. */
export function captureTimes(exif: Uint8Array | undefined, xmp: Uint8Array | undefined): string[] {
  const packet = xmp ? Buffer.from(xmp.buffer, xmp.byteOffset, Math.min(xmp.byteLength, MAX_XMP_BYTES)).toString('latin1') : '';
  const inXmp = XMP_TIMES.flatMap((property) => property.exec(packet)?.[1] ?? []);
  return [...exifTimes(exif), ...inXmp].slice(0, MAX_TIMES);
}
