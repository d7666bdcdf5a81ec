/** Reads EXIF: when the photo was taken, and whether the block may contain a location. TIFF 6.0 for the structure, Exif 2.32 for the tags. */

const EXIF_IFD = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const ASCII = 2;
/** `2026:05:17 21:04:00`; the terminating zero is not read. */
const DATE_LENGTH = 19;
/** Tags that cannot contain a location: size, resolution, orientation, colours, camera, software, times, exposure, lens. */
const PLAIN_TAGS = new Set(
  [
    [0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010f, 0x0110, 0x0112, 0x0115, 0x011a, 0x011b, 0x011c, 0x0128, 0x0131, 0x0132],
    [0x013e, 0x013f, 0x0211, 0x0212, 0x0213, 0x0214, 0x829a, 0x829d, 0x8822, 0x8827, 0x8830, 0x8832],
    [0x9000, 0x9003, 0x9004, 0x9101, 0x9102, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208, 0x9209, 0x920a],
    [0x9290, 0x9291, 0x9292, 0xa000, 0xa001, 0xa002, 0xa003, 0xa20e, 0xa20f, 0xa210, 0xa215, 0xa217, 0xa300, 0xa301, 0xa302],
    [0xa401, 0xa402, 0xa403, 0xa404, 0xa405, 0xa406, 0xa407, 0xa408, 0xa409, 0xa40a, 0xa40c, 0xa432, 0xa434],
  ].flat(),
);
/** A directory of a real camera has less than a hundred entries. */
const MAX_ENTRIES = 1000;

/**
 * Camera's wall-clock time (DateTimeOriginal) as it is written there, `2026:05:17 21:04:00`; null where it is missing or unreadable.
 * `exif` may begin with `Exif\0\0` (JPEG, WebP) or HEIF's offset: the TIFF header is searched for.
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

/**
 * Whether the block (with its `Exif\0\0`) contains only data of camera and exposure. False in doubt: not only GPS, but also makers'
 * notes, comments, further pictures and other metadata may contain a location.
 */
export function isPlainExif(exif: Uint8Array): boolean {
  if (tiffStart(exif) !== 6) return false;
  try {
    const view = new DataView(exif.buffer, exif.byteOffset + 6, exif.byteLength - 6);
    const little = view.getUint8(0) === 0x49;
    return isPlainDirectory(view, view.getUint32(4, little), little, 2);
  } catch (error) {
    // Offsets that point outside of the block.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The entries of the directory and of the EXIF directory that it points to. A further directory would belong to another picture. */
function isPlainDirectory(view: DataView, directory: number, little: boolean, depth: number): boolean {
  const entries = view.getUint16(directory, little);
  for (let entry = directory + 2; entry < directory + 2 + 12 * entries; entry += 12) {
    const tag = view.getUint16(entry, little);
    const plain =
      tag === EXIF_IFD ? depth > 1 && isPlainDirectory(view, view.getUint32(entry + 8, little), little, depth - 1) : PLAIN_TAGS.has(tag);
    if (!plain) return false;
  }
  return view.getUint32(directory + 2 + 12 * entries, little) === 0;
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
  return text;
}

/** Where the TIFF header begins, or -1. */
function tiffStart(exif: Uint8Array): number {
  for (let i = 0; i + 8 <= Math.min(exif.length, 64); i++) {
    const byteOrder = `${exif[i]} ${exif[i + 1]} ${exif[i + 2]} ${exif[i + 3]}`;
    if (byteOrder === '73 73 42 0' || byteOrder === '77 77 0 42') return i;
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
