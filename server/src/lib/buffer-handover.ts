import type { Bytes } from './bytes.ts';

/** Buffers of pieces that were handed over and that nobody has freed yet. */
const handedOver = new WeakSet<ArrayBufferLike>();

/**
 * Marks a piece whose maker keeps nothing of it: its last reader may free it. Pieces that share a buffer with others are not marked.
 */
export function handOver<T extends Bytes>(piece: T): T {
  if (piece.byteLength === piece.buffer.byteLength) handedOver.add(piece.buffer);
  return piece;
}

/**
 * Frees the memory of a piece that was handed over, or of the whole that it is a part of; leaves any other as it is. Until the garbage
 * collector finds them, the pieces of one video that is played are hundreds of megabytes.
 */
export function free({ buffer }: Bytes): void {
  if (handedOver.delete(buffer) && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
