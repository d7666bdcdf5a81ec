/** Builds small files for tests that are dear to decode or to refuse. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { SIGNATURE, chunk } from '../png.ts';

export const pngChunk = (type: string, content: Buffer): Buffer => Buffer.concat(chunk(type, content));

const u24 = (value: number): Buffer => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255]);

export const drawn = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: 'red' } });

export function riffChunk(kind: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

export const webp = (...chunks: Uint8Array[]): Buffer => riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

/** Builds an animation whose frames have */
export async function animatedWebp(frames: number, { width = 16, height = 16 } = {}): Promise<Buffer> {
  const still = (await drawn(16).webp().toBuffer()).subarray(12);
  const frame = riffChunk('ANMF', Buffer.concat([u24(0), u24(0), u24(15), u24(15), u24(100), Buffer.alloc(1), still]));
  const canvas = riffChunk('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), u24(width - 1), u24(height - 1)]));
  return webp(canvas, riffChunk('ANIM', Buffer.alloc(6)), ...Array<Buffer>(frames).fill(frame));
}

/** Builds an animation of single pixels */
export function animatedGif(frames: number, { width = 1, height = 1 } = {}): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\0\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const frame = Buffer.from('21f9040000000000' + '2c00000000010001000002024401' + '00', 'hex');
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Builds an empty RGBA picture. */
export function emptyPng(width: number, height: number, { interlaced = false, chunks = [] as Buffer[] } = {}): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, interlaced ? 1 : 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const passes = interlaced ? PASSES : [[0, 0, 1, 1] as const];
  const bytes = passes.reduce((sum, [x, y, right, down]) => {
    const [columns, rows] = [Math.ceil((width - x) / right), Math.ceil((height - y) / down)];
    return sum + (columns > 0 ? rows * (1 + 4 * columns) : 0);
  }, 0);
  const body = pngChunk('IDAT', deflateSync(Buffer.alloc(bytes)));
  return Buffer.concat([SIGNATURE, pngChunk('IHDR', header), ...chunks, body, pngChunk('IEND', Buffer.alloc(0))]);
}

/** Builds a grey progressive JPEG of empty blocks: each scan adds nothing to one coefficient. */
export function progressiveJpeg(width: number, height: number, scans: number): Buffer {
  return emptyJpeg(width, height, { marker: 0xc2, components: 1, bitsOfBlock: 1 }, scans, (n) => [1, n % 64, n % 64]);
}

/** Builds a baseline JPEG of empty blocks in three components, one of them in each scan. */
export function baselineJpeg(width: number, height: number, scans: number): Buffer {
  return emptyJpeg(width, height, { marker: 0xc0, components: 3, bitsOfBlock: 2 }, scans, (n) => [1 + (n % 3), 0, 63]);
}

/** `scanOf` returns component, first and last coefficient of a scan. */
function emptyJpeg(
  width: number,
  height: number,
  frame: { marker: number; components: number; bitsOfBlock: number },
  scans: number,
  scanOf: (n: number) => [component: number, first: number, last: number],
): Buffer {
  const segment = (marker: number, ...content: number[]): Buffer => {
    const bytes = Buffer.from([0xff, marker, 0, 0, ...content]);
    bytes.writeUInt16BE(content.length + 2, 2);
    return bytes;
  };
  const sides = [height >> 8, height & 255, width >> 8, width & 255];
  const components = Array.from({ length: frame.components }, (_, n) => [n + 1, 0x11, 0]);
  // The table's single code of one bit means an end of band for one block in AC, and no difference in DC.
  const table = (kind: number): Buffer => segment(0xc4, kind, 1, ...Array<number>(15).fill(0), 0);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const zeros = Buffer.alloc(Math.ceil((blocks * frame.bitsOfBlock) / 8));
  const scan = (n: number): Buffer => {
    const [component, first, last] = scanOf(n);
    return Buffer.concat([segment(0xda, 1, component, 0, first, last, 0), zeros]);
  };
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(frame.marker, 8, ...sides, frame.components, ...components.flat()),
    table(0x00),
    table(0x10),
    ...Array.from({ length: scans }, (_, n) => scan(n)),
    Buffer.from([0xff, 0xd9]),
  ]);
}
