/** Reads EXIF: its capture times, and whether the block may contain a location. TIFF 6.0 for the structure, Exif 2.32 for the tags. */

const EXIF_IFD = 0x8769;
/** DateTimeOriginal and DateTimeDigitized, each with its OffsetTime. */
const TIMES = [
  [0x9003, 0x9011],
  [0x9004, 0x9012],
] as const;
/** TIFF types of texts: ASCII, and since Exif 3.0 UTF-8. */
const TEXTS = [2, 129];
/** Limit of a time's text; `2026:05:17 21:04:00` has 19 characters. */
const MAX_TEXT = 32;
const OFFSET = /^[+-]\d{1,2}(?::?\d{2}|$)|^(?:Z|UTC|GMT)/i;
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

/**
 * Lists the capture times by the camera's clock, original and digitized, as written: `2026:05:17 21:04:00` or `2026:05:17 21:04:00+02:00`.
 * `exif` may begin with `Exif\0\0` (JPEG, WebP) or HEIF's offset: the TIFF header is searched for.
 */
export function exifTimes(exif: Uint8Array | undefined): string[] {
  return readTiff(exif, [], (tiff) => {
    const pointer = entriesOf(tiff, tiff.u32(4)).find((entry) => tiff.u16(entry) === EXIF_IFD);
    if (pointer === undefined) return [];
    const entries = entriesOf(tiff, tiff.u32(pointer + 8));
    return TIMES.flatMap(([tag, offsetTag]) => {
      const time = textOf(tiff, entries, tag);
      const offset = textOf(tiff, entries, offsetTag);
      return time ? [OFFSET.test(offset) ? `${time}${offset}` : time] : [];
    });
  });
}

/** Returns the text of a tag up to its first zero; empty: there is no such tag. */
function textOf(tiff: Tiff, entries: number[], tag: number): string {
  const entry = entries.find((each) => tiff.u16(each) === tag);
  if (entry === undefined || !TEXTS.includes(tiff.u16(entry + 2))) return '';
  const length = tiff.u32(entry + 4);
  // Values up to four bytes lie in the entry itself.
  const start = length <= 4 ? entry + 8 : tiff.u32(entry + 8);
  const text = tiff.bytes.toString('latin1', start, start + Math.min(length, MAX_TEXT));
  return text.replace(/\0.*$/s, '').trimEnd();
}

/**
 * Tells whether the block (with its `Exif\0\0`) contains nothing but data of camera and exposure. False in doubt: not only GPS, but also
 * makers' notes, comments, further pictures and other metadata may contain a location.
 */
export function isPlainExif(exif: Uint8Array): boolean {
  return readTiff(exif, false, (tiff) => tiff.start === 6 && isPlainDirectory(tiff, tiff.u32(4), 2));
}

/** Checks the entries of the directory and of its EXIF directory. A further directory would belong to another picture. */
function isPlainDirectory(tiff: Tiff, directory: number, depth: number): boolean {
  const entries = entriesOf(tiff, directory);
  const plain = entries.every((entry) => {
    const tag = tiff.u16(entry);
    return tag === EXIF_IFD ? depth > 1 && isPlainDirectory(tiff, tiff.u32(entry + 8), depth - 1) : PLAIN_TAGS.has(tag);
  });
  return plain && tiff.u32(directory + 2 + 12 * entries.length) === 0;
}

/** A TIFF structure from its header on, read in its byte order. */
interface Tiff {
  /** Offset of the header in the block. */
  start: number;
  bytes: Buffer;
  u16(at: number): number;
  u32(at: number): number;
}

/** Calls `read` on the TIFF structure; returns `otherwise` if there is no TIFF header, or an offset points outside the block. */
function readTiff<T>(exif: Uint8Array = new Uint8Array(), otherwise: T, read: (tiff: Tiff) => T): T {
  const block = Buffer.from(exif.buffer, exif.byteOffset, exif.byteLength);
  const start = block.toString('latin1', 0, 64).search(/II\*\0|MM\0\*/);
  if (start < 0) return otherwise;
  const bytes = block.subarray(start);
  const little = bytes[0] === 0x49;
  try {
    return read({
      start,
      bytes,
      u16: (at) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
      u32: (at) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
    });
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

/** Lists the offsets of a directory's entries (12 bytes each: tag, type, count, value). */
function entriesOf(tiff: Tiff, directory: number): number[] {
  return Array.from({ length: tiff.u16(directory) }, (_, n) => directory + 2 + 12 * n);
}
