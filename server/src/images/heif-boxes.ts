/** Reads the outermost boxes of ISO base media files (ISO/IEC 14496-12), as far as HEIF needs it. */

/** Brands of ISO/IEC 23008-12 (HEIF) for single pictures and sequences. */
const HEIF_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'mif2', 'msf1']);
const MAX_BRANDS = 64;

/** Whether the file says that it is a HEIF. A video in the same container does not. */
export function isHeif(file: Buffer): boolean {
  if (file.length < 16 || file.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(file.readUInt32BE(0), file.length, 16 + 4 * MAX_BRANDS);
  for (let offset = 8; offset + 4 <= end; offset += 4) {
    if (offset !== 12 && HEIF_BRANDS.has(file.toString('latin1', offset, offset + 4))) return true;
  }
  return false;
}

/**
 * Whether the file ends inside of its description or its picture data: part of the photo did not arrive.
 * Phones append bytes that are no boxes, so other boxes are not judged.
 */
export function isCutShort(file: Buffer): boolean {
  for (let offset = 0; offset + 16 <= file.length;) {
    const short = file.readUInt32BE(offset);
    const length = short === 1 ? Number(file.readBigUInt64BE(offset + 8)) : short;
    const type = file.toString('latin1', offset + 4, offset + 8);
    // Zero: up to the end of the file.
    if (length < 8) return false;
    if (offset + length > file.length) return type === 'mdat' || type === 'meta';
    offset += length;
  }
  return false;
}
