import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../lib/metrics.ts';

/** Seconds: from a cached thumbnail to a download over a slow line. */
const BOUNDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Counts and times every answer by its route's pattern: no path, so nothing of events or people. */
export function meterRequests(app: FastifyInstance, metrics: Metrics): void {
  const count = metrics.counter('feierbild_requests_total', 'Answers by method, route pattern and class of status.');
  const time = metrics.histogram('feierbild_request_duration_seconds', 'Time until an answer was out.', BOUNDS);
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none' };
    count({ ...labels, status: `${Math.floor(reply.statusCode / 100)}xx` });
    time(labels, reply.elapsedTime / 1000);
  });
}

/** Serves `GET /metrics` alone, apart from the pages. Rejects where the port is taken. */
export async function serveMetrics(metrics: Metrics, { port, host }: { port: number; host: string }): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.print().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  });
  return server;
}
