import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../lib/errors.ts';
import { afterBody } from './request.ts';
import { sendRefusal } from './errors.ts';

/**
 * After the signal to end, clients are asked to close their connections (`isDraining`). Then running requests are finished and new ones
 * on open connections are refused with 503. The function that this returns stops listening and resolves once nothing runs any more;
 * it has to be the last hook `preClose`.
 */
export function refuseWhileClosing(app: FastifyInstance, isDraining: () => boolean): () => Promise<void> {
  let closing = false;
  const running = new Set<ServerResponse>();
  /** Requests that were answered before their body was read. */
  const unread = new Set<IncomingMessage>();
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    running.add(reply.raw);
    reply.raw.once('close', () => {
      running.delete(reply.raw);
      if (raw.complete || raw.socket.destroyed) return;
      unread.add(raw);
      afterBody(raw, () => unread.delete(raw));
    });
    if (closing) return sendRefusal(request, reply, new Refusal('unavailable'));
  });
  app.addHook('onSend', async (_, reply) => {
    // Otherwise a proxy might send its next request on a connection that ends. To a new one that is refused it tries another node.
    if (closing || isDraining()) void reply.header('connection', 'close');
  });
  return async () => {
    // Node's own `close` of an HTTP server destroys connections whose answer is written but not sent yet, so it comes last.
    Server.prototype.close.call(app.server);
    while (running.size > 0) await Promise.all([...running].map((response) => new Promise((closed) => response.once('close', closed))));
    // Node takes their connections for busy, for more than a minute.
    for (const { complete, socket } of unread) if (!complete) socket.destroy();
  };
}
