import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../lib/errors.ts';

/** Timeout of an upload's connection. While the upload waits for a slot, nothing is read from it, and that must not count as broken. */
const CONNECTION_TIMEOUT_MS = 10 * 60 * 1000;
/** Time in which an answer can arrive before its connection is closed. */
const HANG_UP_MS = 100;

/** The connection of an upload's sender. */
export interface Connection {
  /** Aborts when the client has left; decoding that has not begun is then skipped. */
  gone: AbortSignal;
  hangUp(): void;
}

/** Runs the work of an upload, which reads the request's body itself. */
export async function withConnection<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (connection: Connection, contentLength: number | null) => Promise<T>,
): Promise<T> {
  // The timeout applies to this request; the next one on the connection gets the server's own again.
  request.raw.setTimeout(CONNECTION_TIMEOUT_MS);
  const { socket } = request.raw;
  const gone = new AbortController();
  const onClose = (): void => gone.abort(new Refusal('upload_incomplete'));
  socket.once('close', onClose);
  const length = Number(request.headers['content-length']);
  const hangUp = (): void => void request.raw.destroy();
  try {
    return await work({ gone: gone.signal, hangUp }, Number.isSafeInteger(length) ? length : null);
  } catch (error) {
    // Browsers that retry on their own, like Chromium, send the whole body before they read the answer.
    if (hasBody(request) && error instanceof Refusal && error.code === 'upload_offset') {
      reply.header('connection', 'close');
      reply.raw.once('finish', () => setTimeout(hangUp, HANG_UP_MS).unref());
    }
    throw error;
  } finally {
    socket.off('close', onClose);
  }
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads and drops the unread rest of a body, so that the client can read the answer and gets no connection reset. `endSlowSenders` limits
 * size and slowness of the rest once the answer is out.
 */
export function dropRest({ raw }: FastifyRequest): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.resume();
}
