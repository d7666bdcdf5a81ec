import type { FileHandle } from 'node:fs/promises';
import { handOver } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';

/** Bytes of one read. Measured: faster than smaller reads; larger ones only need more memory. */
const PIECE_BYTES = 256 * 1024;

/** Bytes [start, end) of an open file, or fewer if the file ends before, in pieces that are handed over. */
export async function* readPieces(file: FileHandle, start: number, end: number): AsyncGenerator<Bytes> {
  for (let at = start; at < end;) {
    const piece = handOver(Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at)));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield bytesRead === piece.length ? piece : piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
