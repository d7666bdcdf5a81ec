import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { free } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';
import { readPieces } from './read-pieces.ts';

/** Bytes of one write. */
export const PIECE_BYTES = 256 * 1024;

/** A way to write a file: PIECE_BYTES at a time, and the rest at its end. */
export interface Way {
  flags: number;
  /** Writes `length` bytes, given in pieces, behind those written before. May write more than them at the end. */
  write(file: FileHandle, pieces: Bytes[], length: number, position: number): Promise<void>;
}

const cached: Way = {
  flags: 0,
  async write(file, pieces, length) {
    const { bytesWritten } = await file.writev(pieces);
    if (bytesWritten < length) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
  },
};

/** Writes a stream to a new file. Reads from the stream only after the bytes before are written. */
export async function writeStaged(path: string, source: AsyncIterable<Bytes>, { flags, write }: Way = cached): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | flags, 0o600);
  let pieces: Bytes[] = [];
  /** Pieces of which nothing is left to write after these. */
  const spent: Bytes[] = [];
  let bufferedBytes = 0;
  let size = 0;
  const flush = async (): Promise<void> => {
    await write(file, pieces, bufferedBytes, size);
    size += bufferedBytes;
    for (const piece of spent.splice(0)) free(piece);
    pieces = [];
    bufferedBytes = 0;
  };
  try {
    for await (const piece of source) {
      for (let at = 0; at < piece.length;) {
        const part = piece.subarray(at, at + PIECE_BYTES - bufferedBytes);
        pieces.push(part);
        bufferedBytes += part.length;
        at += part.length;
        if (bufferedBytes === PIECE_BYTES) await flush();
      }
      spent.push(piece);
    }
    if (bufferedBytes > 0) await flush();
    // Removes what was written behind the end.
    await file.truncate(size);
  } finally {
    await file.close();
  }
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
