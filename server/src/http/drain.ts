import type { FastifyRequest } from 'fastify';

/**
 * For requests that are answered before their body was read: reads and drops the rest, so that the client can read the answer
 * and does not get a connection reset. After `limit` bytes the connection is cut.
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
