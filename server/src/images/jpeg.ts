/** Reads a JPEG's segments (ITU T.81 annex B) to find out whether it contains anything besides the picture and its colour profile. */
import { isPlainExif } from './exif.ts';

const SOS = 0xda;
const EOI = 0xd9;
const APP1 = 0xe1;
/** Markers of tables, frames (except lossless and arithmetic ones, which no camera writes) and the restart interval. */
const PICTURE = [0xdb, 0xc4, 0xdd, 0xc0, 0xc1, 0xc2];
/** Harmless application segments by their first bytes, with their length in bytes if it is fixed (JFIF without a thumbnail). */
const APPLICATION: { marker: number; name: string; length?: number }[] = [
  { marker: 0xe0, name: 'JFIF\0', length: 14 },
  { marker: 0xe2, name: 'ICC_PROFILE\0' },
  { marker: 0xee, name: 'Adobe', length: 12 },
];

/**
 * Tells whether a JPEG contains nothing but its picture, its colour profile and plain Exif, to its last byte. False in doubt: comments,
 * XMP, IPTC, C2PA, makers' notes, further pictures or videos may all contain the location.
 */
export function isPlainJpeg(photo: Buffer): boolean {
  if (photo.length < 4 || photo.readUInt16BE(0) !== 0xffd8) return false;
  let exifs = 0;
  for (let at = 2; at + 4 <= photo.length;) {
    const marker = photo[at + 1] as number;
    if (photo[at] !== 0xff) return false;
    const end = at + 2 + photo.readUInt16BE(at + 2);
    const segment = photo.subarray(at + 4, end);
    if (end > photo.length) return false;
    if (marker === APP1) {
      if (++exifs > 1 || !isPlainExif(segment)) return false;
    } else if (marker !== SOS && !PICTURE.includes(marker) && !isKnown(marker, segment)) return false;
    at = marker === SOS ? endOfScan(photo, end) : end;
    if (at === photo.length - 2 && photo[at] === 0xff && photo[at + 1] === EOI) return true;
  }
  return false;
}

function isKnown(marker: number, segment: Buffer): boolean {
  return APPLICATION.some(
    (known) =>
      known.marker === marker &&
      segment.toString('latin1', 0, known.name.length) === known.name &&
      (known.length === undefined || known.length === segment.length),
  );
}

/** Returns the position of the next marker. Within a scan, 0xff is followed by a zero or is part of a restart marker. */
export function endOfScan(photo: Buffer, start: number): number {
  for (let at = photo.indexOf(0xff, start); at >= 0 && at + 1 < photo.length; at = photo.indexOf(0xff, at + 2)) {
    const next = photo[at + 1] as number;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return photo.length;
}
