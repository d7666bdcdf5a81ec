import { createHash } from 'node:crypto';
import type { Bytes } from '../../lib/bytes.ts';

/** Makes `size` bytes that look different at every place: byte i is (i * 31 + (i >> 8)) mod 256. */
export function pattern(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i < size; i += 1) bytes[i] = i * 31 + (i >> 8);
  return bytes;
}

export function sha256(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Streams the bytes in pieces of the given lengths, used in turn. */
export async function* inPieces(bytes: Bytes, ...lengths: number[]): AsyncGenerator<Bytes> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = Math.max(1, lengths[turn % lengths.length] ?? bytes.length);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

export async function collect(pieces: AsyncIterable<Bytes>): Promise<Buffer> {
  const all: Bytes[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Reads a sealed blob in memory as a store does: bytes after its end are left out. */
export function reader(sealed: Bytes, piece = 256 * 1024) {
  return ({ start, end }: { start: number; end: number }) => inPieces(sealed.subarray(start, Math.min(end, sealed.length)), piece);
}
