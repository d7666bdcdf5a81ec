import type { FastifyInstance } from 'fastify';
import { shortAddress } from '../lib/address.ts';

/** Proxies ask for these every second. */
const PROBES = new Set(['/health', '/ready']);

/**
 * Logs one line for each answer, without personal data: the route's pattern instead of the path, and a shortened address. Probes
 * that find all well are seen with `debug` only.
 */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    request.log[PROBES.has(route) && reply.statusCode === 200 ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: shortAddress(request.ip),
      },
      'answered',
    );
  });
}
