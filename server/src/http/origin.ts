import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../lib/errors.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses state-changing requests from other origins: by Sec-Fetch-Site, else Origin; with neither, those that carry cookies. */
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
  // Behind a proxy that we were not told of, the page is on https and the request that comes here is not: only hosts are compared.
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
