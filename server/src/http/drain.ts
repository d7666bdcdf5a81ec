import type { FastifyRequest } from 'fastify';

/**
 * For requests that are answered before their body has been read: takes the rest in and drops it, so that the client
 * gets to read the answer instead of seeing a reset. After `limit` bytes the connection is cut.
 */
export function drain({ raw }: FastifyRequest, limit: number): void {
  if (raw.readableEnded || raw.destroyed) return;
  let left = limit;
  raw.unpipe();
  raw.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) raw.socket.destroy();
  });
  raw.resume();
}
