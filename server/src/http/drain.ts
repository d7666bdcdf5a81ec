import type { FastifyRequest } from 'fastify';

/**
 * How much of a refused body is taken in, in largest files: proxies of HTTP/1.1 read the answer only after they have sent all,
 * and a phone's video is some times as large as the largest photo.
 */
const FILES = 16;

/** Bytes that a refused body may have left. `maxBytes`: of the largest file. */
export const drainLimit = (maxBytes: number): number => FILES * maxBytes;

/**
 * For requests that are answered before their body was read: reads and drops the rest, so that the client can read the answer
 * and does not get a connection reset. After drainLimit(`maxBytes`) the connection is cut.
 */
export function drain({ raw }: FastifyRequest, maxBytes: number): void {
  if (raw.readableEnded || raw.destroyed) return;
  let left = drainLimit(maxBytes);
  raw.unpipe();
  raw.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) raw.socket.destroy();
  });
  raw.resume();
}
