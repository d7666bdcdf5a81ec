import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../lib/errors.ts';

/** Whoever sends an upload. */
export interface Connection {
  /** Aborts when the client has left; decoding that has not begun is then skipped. */
  gone: AbortSignal;
  hangUp(): void;
}

/** While an upload waits for a slot nothing is read from its connection, which must not be taken for a broken one. */
const CONNECTION_TIMEOUT_MS = 10 * 60 * 1000;

/** Runs the work of an upload, which reads the request's body itself. */
export async function withConnection<T>(
  request: FastifyRequest,
  work: (connection: Connection, contentLength: number | null) => Promise<T>,
): Promise<T> {
  // For this request only: the next one on the connection gets the server's own timeout again.
  request.raw.setTimeout(CONNECTION_TIMEOUT_MS);
  const { socket } = request.raw;
  const gone = new AbortController();
  const onClose = (): void => gone.abort(new Refusal('upload_incomplete'));
  socket.once('close', onClose);
  const length = Number(request.headers['content-length']);
  try {
    return await work({ gone: gone.signal, hangUp: () => void request.raw.destroy() }, Number.isSafeInteger(length) ? length : null);
  } finally {
    socket.off('close', onClose);
  }
}
