import type { FastifyInstance } from 'fastify';
import { Refusal } from '../lib/errors.ts';
import { sendRefusal } from './errors.ts';

/** From the signal to end on, what runs is finished, and what comes on open connections is sent elsewhere. */
export function refuseWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onRequest', async (request, reply) => {
    if (closing) return sendRefusal(request, reply.header('connection', 'close'), new Refusal('unavailable'));
  });
}
