import { open } from 'node:fs/promises';
import type { Bytes } from '../lib/bytes.ts';
import { readPieces } from './read-pieces.ts';

/** Bytes of one write. */
const PIECE_BYTES = 256 * 1024;

/** Writes a stream to a new file. Reads from the stream only after the bytes before are written. */
export async function writeStaged(path: string, source: AsyncIterable<Bytes>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let pieces: Bytes[] = [];
  let bufferedBytes = 0;
  const flush = async (): Promise<void> => {
    for (let left = pieces; left.length > 0;) left = dropFirst(left, (await file.writev(left)).bytesWritten);
    pieces = [];
    bufferedBytes = 0;
  };
  try {
    for await (const piece of source) {
      pieces.push(piece);
      bufferedBytes += piece.length;
      if (bufferedBytes >= PIECE_BYTES) await flush();
    }
    await flush();
  } finally {
    await file.close();
  }
}

/** The pieces without their first `count` bytes. */
function dropFirst(pieces: Bytes[], count: number): Bytes[] {
  for (const [at, piece] of pieces.entries()) {
    if (count < piece.length) return [piece.subarray(count), ...pieces.slice(at + 1)];
    count -= piece.length;
  }
  return [];
}

/** Bytes [start, end) of a staged file. */
export async function* readStaged(path: string, { start, end }: { start: number; end: number }): AsyncGenerator<Bytes> {
  const file = await open(path, 'r');
  try {
    yield* readPieces(file, start, end);
  } finally {
    await file.close();
  }
}
