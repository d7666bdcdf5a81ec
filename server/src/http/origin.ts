import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../lib/errors.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses state-changing requests from other origins: by Sec-Fetch-Site, else by Origin; without both, requests with cookies. */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: string | null): void {
  app.addHook('onRequest', async (request) => {
    if (!SAFE.has(request.method) && !isOwnOrigin(request, publicUrl)) throw new Refusal('foreign_origin');
  });
}

function isOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.headers.origin;
  if (origin === undefined) return request.headers.cookie === undefined;
  if (publicUrl !== null) return origin === publicUrl;
  // Only hosts are compared: behind a proxy that is not configured, the page uses https but the request arrives by http.
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
