/**
 * Reads the cost of decoding a file from its header, before any library sees it. Removes an animation's further frames: only the first is
 * shown. Headers that these few lines do not understand are left to the library and the time limits.
 */
import { endOfScan } from './jpeg.ts';

export interface Header {
  /** Pixels of the canvas, or of the larger of canvas and first frame; 0: unknown. */
  pixels: number;
  /** The whole picture must be in memory at once. */
  isWhole: boolean;
  /** Number of passes over the picture. */
  scans: number;
}

/** Pixels of a PNG that takes half a second of a core. Pictures held as a whole take four times as long a pixel, a JPEG's scan a tenth. */
const DEAR_PIXELS = 60_000_000;
const WHOLE_COSTS = 4;
const SCAN_COSTS = 0.1;

/** Tells whether decoding takes so long that other pictures should not have to wait for it. */
export function isDear({ pixels, isWhole, scans }: Header): boolean {
  return pixels * Math.max(isWhole ? WHOLE_COSTS : 1, scans * SCAN_COSTS) > DEAR_PIXELS;
}

const SOS = 0xda;
const EOI = 0xd9;
/** Start-of-frame markers: SOF0 to SOF15 except DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Progressive frames: SOF2, 6, 10 and 14 (ITU T.81, table B.1). */
const isProgressive = (frame: number): boolean => (frame & 3) === 2;
/** Markers without a length: TEM, RST0 to RST7, SOI. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Reads the header of a JPEG, PNG, WebP or GIF; null: another format, or the header is incomplete. */
export function readHeader(file: Buffer): Header | null {
  const starts = (text: string, at = 0): boolean => file.toString('latin1', at, at + text.length) === text;
  if (file.length < 30) return null;
  if (starts('\xff\xd8')) return jpegHeader(file);
  if (starts('\x89PNG')) return { pixels: file.readUInt32BE(16) * file.readUInt32BE(20), isWhole: file[28] !== 0, scans: 1 };
  if (starts('GIF')) return gifHeader(file);
  return starts('RIFF') && starts('WEBP', 8) ? webpHeader(file) : null;
}

/** Cuts an animated file after its first picture; returns other files unchanged. The time grows with the kept length. */
export function firstFrame(file: Buffer): Buffer {
  const magic = file.toString('latin1', 0, 3);
  if (magic === 'GIF') return firstOfGif(file);
  return magic === 'RIF' && file.toString('latin1', 8, 16) === 'WEBPVP8X' ? firstOfWebp(file) : file;
}

function jpegHeader(file: Buffer): Header {
  let pixels = 0;
  let scans = 0;
  /** Components of the frame. No scan of a progressive frame is complete. */
  let components = Infinity;
  for (let at = 2; at + 4 <= file.length;) {
    const marker = file[at + 1] as number;
    if (file[at] !== 0xff || marker === 0xff || isAlone(marker)) {
      at = file[at] !== 0xff ? nextMarker(file, at) : marker === 0xff ? at + 1 : at + 2;
      continue;
    }
    if (marker === EOI) break;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (isFrame(marker) && at + 10 <= file.length) {
      pixels = file.readUInt16BE(at + 5) * file.readUInt16BE(at + 7);
      if (!isProgressive(marker)) components = file.readUInt8(at + 9);
    }
    if (marker === SOS) {
      // A first scan of all components is decoded row by row; bytes behind it do not matter.
      if (scans === 0 && at + 5 <= file.length && file.readUInt8(at + 4) >= components) break;
      scans += 1;
    }
    at = marker === SOS ? endOfScan(file, end) : end;
  }
  return { pixels, isWhole: false, scans };
}

/** Skips bytes that are no marker, as decoders do. */
function nextMarker(file: Buffer, at: number): number {
  const next = file.indexOf(0xff, at);
  return next < 0 ? file.length : next;
}

/** Reads a WebP container: RIFF chunks of a name, a length (little endian), and content padded to an even number of bytes. */
function webpHeader(file: Buffer): Header {
  const kind = file.toString('latin1', 12, 16);
  if (kind === 'VP8X') {
    const pixels = (file.readUIntLE(24, 3) + 1) * (file.readUIntLE(27, 3) + 1);
    const animated = 0x02;
    return { pixels, isWhole: (file.readUInt8(20) & animated) !== 0, scans: 1 };
  }
  if (kind === 'VP8L') {
    const sides = file.readUInt32LE(21);
    return { pixels: ((sides & 0x3fff) + 1) * (((sides >>> 14) & 0x3fff) + 1), isWhole: false, scans: 1 };
  }
  return { pixels: (file.readUInt16LE(26) & 0x3fff) * (file.readUInt16LE(28) & 0x3fff), isWhole: false, scans: 1 };
}

const WEBP_HEAD_BYTES = 12;
const WEBP_PARTS = new Set(['VP8X', 'ICCP', 'ANIM', 'ALPH', 'VP8 ', 'VP8L', 'ANMF', 'EXIF', 'XMP ']);

/** Keeps the first chunk of each kind. */
function firstOfWebp(file: Buffer): Buffer {
  const kept = new Map<string, Buffer>();
  let left = 0;
  for (let at = WEBP_HEAD_BYTES; at + 8 <= file.length;) {
    const kind = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (WEBP_PARTS.has(kind) && !kept.has(kind)) kept.set(kind, file.subarray(at, end));
    else left += 1;
    at = end;
  }
  if (left === 0) return file;
  const head = Buffer.from(file.subarray(0, WEBP_HEAD_BYTES));
  const only = Buffer.concat([head, ...kept.values()]);
  only.writeUInt32LE(only.length - 8, 4);
  return only;
}

const GIF_HEAD_BYTES = 13;
const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;
const GIF_TRAILER = 0x3b;
/** Returns the bytes of a colour table, from the flags of screen or image (GIF89a, 18 and 20). */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function gifHeader(file: Buffer): Header {
  const screen = file.readUInt16LE(6) * file.readUInt16LE(8);
  const image = firstImageOf(file);
  const frame = image !== null && image + 10 <= file.length ? file.readUInt16LE(image + 5) * file.readUInt16LE(image + 7) : 0;
  return { pixels: Math.max(screen, frame), isWhole: true, scans: 1 };
}

/** Cuts a GIF after its first image. */
function firstOfGif(file: Buffer): Buffer {
  const image = firstImageOf(file);
  if (image === null || image + 11 > file.length) return file;
  const end = endOfBlocks(file, image + 11 + tableBytes(file.readUInt8(image + 9)));
  return end < file.length ? Buffer.concat([file.subarray(0, end), Buffer.from([GIF_TRAILER])]) : file;
}

/** Returns the offset of the first image's descriptor; null: there is none. */
function firstImageOf(file: Buffer): number | null {
  if (file.length < GIF_HEAD_BYTES) return null;
  let at = GIF_HEAD_BYTES + tableBytes(file.readUInt8(10));
  while (file[at] === GIF_EXTENSION) at = endOfBlocks(file, at + 2);
  return file[at] === GIF_IMAGE ? at : null;
}

/** Returns the offset behind a list of blocks: each begins with its length, the last one is empty. */
function endOfBlocks(file: Buffer, at: number): number {
  while (at < file.length && file[at] !== 0) at += 1 + (file[at] as number);
  return Math.min(file.length, at + 1);
}
