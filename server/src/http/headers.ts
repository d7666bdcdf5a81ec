import type { FastifyInstance } from 'fastify';

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Policy of the contact page, which may show another host's map after a click. */
export const CONTACT_POLICY = `${PAGE_POLICY}; frame-src https://www.openstreetmap.org`;

/** Extends a policy to allow a style element of this hash. */
export const allowStyle = (policy: string, hash: string): string => policy.replace("style-src 'self'", `style-src 'self' ${hash}`);

/** Sets security headers on every answer. Handlers may set stricter ones (photo bytes do). */
export function securityHeaders(app: FastifyInstance, options: { https: boolean }): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.id, options));
  });
}

/** Returns the headers of every answer. The id is also in the request's log lines. */
export function headersOf(requestId: string, { https }: { https: boolean }): Record<string, string> {
  return {
    'x-request-id': requestId,
    'content-security-policy': PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), screen-wake-lock=(self), fullscreen=(self)',
    'cross-origin-resource-policy': 'same-origin',
    // Over http, browsers ignore both headers and warn about the first one.
    ...(https && { 'cross-origin-opener-policy': 'same-origin', 'strict-transport-security': 'max-age=31536000' }),
  };
}
