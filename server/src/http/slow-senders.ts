import type { FastifyInstance } from 'fastify';
import { afterBody, callOf } from './request.ts';

/** A form must have arrived within this time. Uploads have a minimum speed of their own instead (features/uploads/intake/sender.ts). */
const FORM_DEADLINE_MS = 60_000;
/** The same for a form with a small picture: 400 KB at 2 KB/s. */
const PICTURE_DEADLINE_MS = 200_000;
/** How often clients that still send after their answer are checked, and the bytes they must have sent since (1 KB/s). */
const CHECK_INTERVAL_MS = 60_000;
const MIN_BYTES_PER_CHECK = CHECK_INTERVAL_MS;

/**
 * Cuts connections that send very slowly, which Node's idle timeout does not catch: forms that are not complete in time, and
 * bodies that are still sent after their answer, too slowly or with more than `limit` bytes.
 */
export function endSlowSenders(app: FastifyInstance, { limit }: { limit: number }): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers;
    const call = callOf(request);
    const isUpload = call?.stream || request.routeOptions.url === '/upload';
    if ((length === '0' && encoding === undefined) || isUpload) return;
    const deadlineMs = call?.multipart ? PICTURE_DEADLINE_MS : FORM_DEADLINE_MS;
    const timer = setTimeout(() => raw.complete || raw.socket.destroy(), deadlineMs).unref();
    raw.once('close', () => clearTimeout(timer));
  });

  app.addHook('onResponse', async ({ raw }) => {
    const { socket } = raw;
    if (raw.complete || socket.destroyed) return;
    const from = socket.bytesRead;
    let seen = from;
    const timer = setInterval(() => {
      if (raw.complete || socket.destroyed) clearInterval(timer);
      else if (socket.bytesRead - seen < MIN_BYTES_PER_CHECK || socket.bytesRead - from > limit) socket.destroy();
      seen = socket.bytesRead;
    }, CHECK_INTERVAL_MS).unref();
    afterBody(raw, () => clearInterval(timer));
  });
}
