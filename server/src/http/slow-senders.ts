import type { FastifyInstance } from 'fastify';
import { callOf } from './call-of.ts';

/** A form has to be there in this time, ms. Uploads take theirs: they have a pace of their own (uploads/form.ts). */
const FORM_DEADLINE = 60_000;
/** How often is looked at who still sends after the answer, ms, and what has to have come in between, bytes (1 KB/s). */
const LOOK = 60_000;
const PACE = LOOK;

/**
 * Ends connections that send a byte now and then, which the limit for silent ones would keep for ever: those whose form does not
 * come to its end, and those that were answered before their body was there and do not come to its end, or send more than `limit` bytes.
 */
export function endSlowSenders(app: FastifyInstance, { limit }: { limit: number }): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers;
    if ((length === '0' && encoding === undefined) || callOf(request)?.multipart) return;
    const timer = setTimeout(() => raw.complete || raw.socket.destroy(), FORM_DEADLINE).unref();
    raw.once('close', () => clearTimeout(timer));
  });

  app.addHook('onResponse', async ({ raw }) => {
    const { socket } = raw;
    if (raw.complete || socket.destroyed) return;
    const from = socket.bytesRead;
    let seen = from;
    const timer = setInterval(() => {
      if (raw.complete || socket.destroyed) clearInterval(timer);
      else if (socket.bytesRead - seen < PACE || socket.bytesRead - from > limit) socket.destroy();
      seen = socket.bytesRead;
    }, LOOK).unref();
    socket.once('close', () => clearInterval(timer));
  });
}
