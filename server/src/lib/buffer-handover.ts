import type { Bytes } from './bytes.ts';

/** Buffers of handed-over pieces that are not freed yet. */
const handedOver = new WeakSet<ArrayBufferLike>();

/**
 * Marks a piece to which its maker keeps no reference: its last reader may free it. Pieces that share a buffer with others are not marked.
 */
export function handOver<T extends Bytes>(piece: T): T {
  if (piece.byteLength === piece.buffer.byteLength) handedOver.add(piece.buffer);
  return piece;
}

/**
 * Frees the whole buffer of a handed-over piece; leaves others as they are. Until the garbage collector finds them, the pieces of one
 * played video are hundreds of megabytes.
 */
export function free({ buffer }: Bytes): void {
  if (handedOver.delete(buffer) && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
