import type { FastifyInstance } from 'fastify';
import { Refusal } from '../lib/errors.ts';
import { sendRefusal } from './errors.ts';

/** After the signal to end, running requests are finished and new ones on open connections are refused with 503. */
export function refuseWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onRequest', async (request, reply) => {
    if (closing) return sendRefusal(request, reply.header('connection', 'close'), new Refusal('unavailable'));
  });
}
