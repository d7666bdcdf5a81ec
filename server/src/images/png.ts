import { crc32, deflateSync } from 'node:zlib';
import type { Pixels } from './shrink.ts';

export const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Colour types by the number of channels: grey, RGB, RGB and alpha. */
const COLOUR_TYPES = { 1: 0, 3: 2, 4: 6 };

/** Encodes pixels (rows without gaps) as a PNG with their colour profile; `level` is the compression's. PNG (third edition), 5 and 11. */
export function encodePng(
  { data, width, height, channels, stride }: Pixels,
  { profile = null, level }: { profile?: Uint8Array | null; level: number },
): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, COLOUR_TYPES[channels], 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Each row begins with its filter byte; 0 is no filter.
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    ...chunk('IHDR', header),
    ...(profile ? chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)])) : []),
    ...chunk('IDAT', deflateSync(rows, { level })),
    ...chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function chunk(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return [head, data, check];
}
