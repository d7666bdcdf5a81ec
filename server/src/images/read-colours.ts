/** Reads the colours of a file without a profile: an AVIF's box, a PNG's chunks. */
import { isOther, type Colours } from './colours.ts';
import { boxAt, type Box } from './video/boxes.ts';
import { NotTaken, sparseFile } from './video/sparse-file.ts';

/** Most boxes that are read. */
const MAX_PROPERTIES = 4096;
const NCLX_BYTES = 11;
/** Most chunks of a PNG before its picture. */
const MAX_CHUNKS = 1000;
const PNG_SIGNATURE_BYTES = 8;
/** Unit of a PNG's gamma: hundred thousandths of the inverse. Values within NEAR of sRGB's 0.45455 count as sRGB. */
const GAMMA_UNIT = 100_000;
const SRGB_GAMMA = 45_455;
const NEAR = 2000;

/** Returns a file's colours; null: sRGB, or none are given. */
export function readColours(file: Buffer, format: 'avif' | 'png'): Colours | null {
  const colours = format === 'png' ? pngColours(file) : avifColours(file);
  return colours && isOther(colours) ? colours : null;
}

/** Reads `cICP`, else `gAMA` without `sRGB` (PNG, third edition, 4.3). Callers have found no profile, which would precede both. */
function pngColours(file: Buffer): Colours | null {
  let gamma: number | null = null;
  for (let at = PNG_SIGNATURE_BYTES, n = 0; at + 12 <= file.length && n < MAX_CHUNKS; n++) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') break;
    if (type === 'cICP') return { primaries: file.readUInt8(at + 8), transfer: file.readUInt8(at + 9) };
    if (type === 'sRGB') return null;
    if (type === 'gAMA') gamma = file.readUInt32BE(at + 8);
    at += 12 + file.readUInt32BE(at);
  }
  if (gamma === null || gamma === 0 || Math.abs(gamma - SRGB_GAMMA) < NEAR) return null;
  return { primaries: 1, transfer: { gamma: GAMMA_UNIT / gamma } };
}

/** Reads the primary picture's `colr` of the kind `nclx` (ISO/IEC 23008-12, 6.5.5). */
function avifColours(file: Buffer): Colours | null {
  try {
    const meta = childrenOf(file, 0, file.length).find(({ type }) => type === 'meta');
    if (!meta) return null;
    const inMeta = childrenOf(file, meta.content + 4, meta.end);
    const [pitm, iprp] = ['pitm', 'iprp'].map((name) => inMeta.find(({ type }) => type === name));
    if (!pitm || !iprp) return null;
    const inProperties = childrenOf(file, iprp.content, iprp.end);
    const [ipco, ipma] = ['ipco', 'ipma'].map((name) => inProperties.find(({ type }) => type === name));
    if (!ipco || !ipma) return null;
    const primary = file.readUInt8(pitm.content) === 0 ? file.readUInt16BE(pitm.content + 4) : file.readUInt32BE(pitm.content + 4);
    const properties = childrenOf(file, ipco.content, ipco.end);
    const own = propertiesOf(file, ipma, primary).map((index) => properties[index - 1]);
    const colr = own.find((box) => box?.type === 'colr' && file.toString('latin1', box.content, box.content + 4) === 'nclx');
    if (!colr || colr.end - colr.content < NCLX_BYTES) return null;
    return { primaries: file.readUInt16BE(colr.content + 4), transfer: file.readUInt16BE(colr.content + 6) };
  } catch (error) {
    // A broken file is shown as sRGB.
    if (error instanceof RangeError || error instanceof NotTaken) return null;
    throw error;
  }
}

function childrenOf(file: Buffer, start: number, end: number): Box[] {
  const whole = sparseFile(file.length, file, (from, to) => file.subarray(from, to));
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end && boxes.length < MAX_PROPERTIES;) {
    const box = boxAt(whole, at, end);
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** Lists the numbers of a picture's properties, from 1. */
function propertiesOf(file: Buffer, { content, end }: Box, item: number): number[] {
  const isLong = (file.readUInt8(content + 3) & 1) === 1;
  const idBytes = file.readUInt8(content) === 0 ? 2 : 4;
  const items = Math.min(MAX_PROPERTIES, file.readUInt32BE(content + 4));
  for (let at = content + 8, n = 0; n < items && at < end; n++) {
    const id = file.readUIntBE(at, idBytes);
    const count = file.readUInt8(at + idBytes);
    const first = at + idBytes + 1;
    const bytes = isLong ? 2 : 1;
    at = first + count * bytes;
    if (id !== item) continue;
    return Array.from({ length: count }, (_, k) =>
      isLong ? file.readUInt16BE(first + k * bytes) & 0x7fff : file.readUInt8(first + k * bytes) & 0x7f,
    );
  }
  return [];
}
