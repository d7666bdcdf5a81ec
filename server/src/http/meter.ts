import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Bounds of the histogram, from a cached thumbnail to a download over a slow connection. */
const BOUNDS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Counts and times every answer by its route's pattern, never by its path, which may name events or photos. */
export function meterRequests(app: FastifyInstance, registry: Registry): void {
  const answers = new Counter({
    name: 'feierbild_requests_total',
    help: 'Answers by method, route pattern and class of status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const times = new Histogram({
    name: 'feierbild_request_duration_seconds',
    help: 'Time until an answer was out.',
    labelNames: ['method', 'route'],
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none' };
    answers.inc({ ...labels, status: `${Math.floor(reply.statusCode / 100)}xx` });
    times.observe(labels, reply.elapsedTime / 1000);
  });
}

/** Serves `GET /metrics`, apart from the pages. Rejects if the port is taken. */
export async function serveMetrics(registry: Registry, { port, host }: { port: number; host: string }): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await once(server.listen(port, host), 'listening');
  // A scrape that could not be accepted leaves a gap in the graph; it must not end the service.
  server.on('error', () => undefined);
  return server;
}
