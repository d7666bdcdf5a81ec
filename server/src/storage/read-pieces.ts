import type { FileHandle } from 'node:fs/promises';
import type { Bytes } from '../lib/bytes.ts';

/** Bytes read at once: fewer calls than small pieces, little memory (measured best around 256 KiB). */
const PIECE = 256 * 1024;

/** Bytes [start, end) of an open file, or less where it ends before. */
export async function* readPieces(file: FileHandle, start: number, end: number): AsyncGenerator<Bytes> {
  for (let at = start; at < end;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield bytesRead === piece.length ? piece : piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
