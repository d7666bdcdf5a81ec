/** Reads two things out of EXIF: when the photo was taken, and whether it tells where. TIFF 6.0 for the structure, Exif 2.32 for the tags. */

const EXIF_IFD = 0x8769;
const GPS_IFD = 0x8825;
const DATE_TIME_ORIGINAL = 0x9003;
const ASCII = 2;
/** `2026:05:17 21:04:00`; the terminating zero is not read. */
const DATE_LENGTH = 19;
/** A directory of a real camera has less than a hundred entries. */
const MAX_ENTRIES = 1000;

/**
 * Camera's wall-clock time (DateTimeOriginal) as `2026-05-17T21:04:00`; null where it is missing, unreadable or impossible.
 * `exif` may begin with `Exif\0\0` (JPEG, WebP) or HEIF's offset: the TIFF header is looked for.
 */
export function takenAt(exif: Uint8Array | undefined): string | null {
  if (!exif) return null;
  try {
    return findDate(exif);
  } catch (error) {
    // Offsets that point outside of the block.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether the block tells the place, or can't be read. */
export function hasPlace(exif: Uint8Array | undefined): boolean {
  if (!exif) return false;
  const start = tiffStart(exif);
  if (start < 0) return true;
  try {
    const view = new DataView(exif.buffer, exif.byteOffset + start, exif.byteLength - start);
    const little = view.getUint8(0) === 0x49;
    return findEntry(view, view.getUint32(4, little), GPS_IFD, little) !== null;
  } catch {
    return true;
  }
}

function findDate(exif: Uint8Array): string | null {
  const start = tiffStart(exif);
  if (start < 0) return null;
  const view = new DataView(exif.buffer, exif.byteOffset + start, exif.byteLength - start);
  const little = view.getUint8(0) === 0x49;
  const directory = findEntry(view, view.getUint32(4, little), EXIF_IFD, little);
  if (directory === null) return null;
  const entry = findEntry(view, view.getUint32(directory + 8, little), DATE_TIME_ORIGINAL, little);
  if (entry === null || view.getUint16(entry + 2, little) !== ASCII || view.getUint32(entry + 4, little) < DATE_LENGTH) return null;
  const offset = view.getUint32(entry + 8, little);
  let text = '';
  for (let i = 0; i < DATE_LENGTH; i++) text += String.fromCharCode(view.getUint8(offset + i));
  return wallClock(text);
}

/** Where the TIFF header begins, or -1. */
function tiffStart(exif: Uint8Array): number {
  for (let i = 0; i + 8 <= Math.min(exif.length, 64); i++) {
    const mark = `${exif[i]} ${exif[i + 1]} ${exif[i + 2]} ${exif[i + 3]}`;
    if (mark === '73 73 42 0' || mark === '77 77 0 42') return i;
  }
  return -1;
}

/** Offset of the directory's entry (12 bytes: tag, type, count, value) with this tag, or null. */
function findEntry(view: DataView, directory: number, tag: number, little: boolean): number | null {
  const entries = Math.min(view.getUint16(directory, little), MAX_ENTRIES);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i;
    if (view.getUint16(entry, little) === tag) return entry;
  }
  return null;
}

function wallClock(text: string): string | null {
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)$/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [number, number, number, number, number, number];
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const iso = `${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}`;
  // Date rolls 31 June over to 1 July; what comes back changed was impossible. No camera is older than 1900.
  return year >= 1900 && instant.toISOString().startsWith(iso) ? iso : null;
}
