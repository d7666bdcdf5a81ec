import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Bytes } from './bytes.ts';

/** Size and checksums of a stream that has been read. */
export interface Digest {
  size: number;
  sha256: Bytes;
  /** Unsigned 32 bit. */
  crc32: number;
}

/** Creates a stage that computes size, SHA-256 and CRC-32 of a stream. `result` is valid after the stream has ended. */
export function createDigest(): { through(source: AsyncIterable<Bytes>): AsyncIterable<Bytes>; result(): Digest } {
  const sha256 = createHash('sha256');
  let crc = 0;
  let size = 0;
  return {
    async *through(source) {
      for await (const piece of source) {
        size += piece.length;
        sha256.update(piece);
        crc = crc32(piece, crc);
        yield piece;
      }
    },
    result: () => ({ size, sha256: sha256.digest(), crc32: crc }),
  };
}

/** Yields one piece. */
export async function* single(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}

/** Yields the first bytes of a stream. */
export async function* first(source: AsyncIterable<Bytes>, bytes: number): AsyncGenerator<Bytes> {
  let left = bytes;
  for await (const piece of source) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

/** Reads a stream into one piece; for small streams only. */
export async function collect(source: AsyncIterable<Bytes>): Promise<Bytes> {
  return Buffer.concat(await Array.fromAsync(source));
}
