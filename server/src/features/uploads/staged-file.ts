import { open } from 'node:fs/promises';
import type { ByteRange } from '../../http/byte-answer.ts';
import type { Bytes } from '../../lib/bytes.ts';

/** Bytes read at once. */
const PIECE = 256 * 1024;

/** Writes a stream to a fresh file, taking the next piece only when the last one is written. */
export async function writeStaged(path: string, source: AsyncIterable<Bytes>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of source) {
      for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten;
    }
  } finally {
    await file.close();
  }
}

/** Bytes [start, end) of a staged file. */
export async function* readStaged(path: string, { start, end }: ByteRange): AsyncGenerator<Bytes> {
  const file = await open(path, 'r');
  try {
    for (let at = start; at < end;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
