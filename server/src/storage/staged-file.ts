import { open } from 'node:fs/promises';
import type { Bytes } from '../lib/bytes.ts';

/** Bytes read or written at once. */
const PIECE = 256 * 1024;

/** Writes a stream to a fresh file, taking more only when what it took is written. */
export async function writeStaged(path: string, source: AsyncIterable<Bytes>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let pieces: Bytes[] = [];
  let held = 0;
  const flush = async (): Promise<void> => {
    for (let left = pieces; left.length > 0;) left = dropFirst(left, (await file.writev(left)).bytesWritten);
    pieces = [];
    held = 0;
  };
  try {
    for await (const piece of source) {
      pieces.push(piece);
      held += piece.length;
      if (held >= PIECE) await flush();
    }
    await flush();
  } finally {
    await file.close();
  }
}

/** What is left of the pieces without their first bytes. */
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
