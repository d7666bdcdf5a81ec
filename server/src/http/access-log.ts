import type { FastifyInstance } from 'fastify';
import { shortAddress } from '../lib/address.ts';

/** Logs one line for each answer, without personal data: the route's pattern instead of the path, and a shortened address. */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: shortAddress(request.ip),
      },
      'answered',
    );
  });
}
