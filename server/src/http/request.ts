import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../lib/errors.ts';
import { asksForPage } from './accept.ts';
import { isLinkCrawler } from './crawlers.ts';

/** Finds the contract's call of a request; undefined for pages, files and unknown paths. */
export function callOf({ method, routeOptions }: FastifyRequest): Call | undefined {
  const calls = contract as Record<string, Call>;
  return calls[`${method} ${routeOptions.url}`] ?? (method === 'HEAD' ? calls[`GET ${routeOptions.url}`] : undefined);
}

/** Tells whether a browser navigates to the address or a messenger looks at its link, as opposed to a call by a script or a device. */
export function isNavigation(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return asksForPage(request.headers.accept) || isLinkCrawler(request);
}

/**
 * Removes the origin from an address, which some clients send as to a proxy (RFC 9112 § 3.2.2). Called before anything else reads the
 * request.
 */
export function dropOrigin(request: IncomingMessage & { originalUrl?: string }): void {
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(request.url ?? '') ?? [];
  if (origin !== undefined) request.url = request.originalUrl = (request.url ?? '').slice(origin.length).replace(/^(?!\/)/, '/');
}

/** Returns the address of a request with a path that can be decoded: in a malformed path, percent signs are escaped. */
export function decodable(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** Returns the path of a request, without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/**
 * Returns the pages' origin as browsers see it: the public one, else the request's own. Behind an unconfigured proxy the request arrives by
 * http, while the browser uses https.
 */
export function originOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  const { origin = '' } = request.headers;
  if (isOfHost(origin, request.host)) return new URL(origin).origin;
  const own = `${request.protocol}://${request.host}`;
  if (!URL.canParse(own)) throw new Refusal('unreadable_request');
  return new URL(own).origin;
}

/** Tells whether a browser's `Origin` belongs to the request's host; some proxies append the default port to the host. */
export function isOfHost(origin: string, host: string): boolean {
  const own = URL.parse(origin);
  return own !== null && own.host === URL.parse(`${own.protocol}//${host}`)?.host;
}

/** Prefix of the names of our cookies. */
const COOKIE = 'feierbild_';

export type Cookie = ReturnType<typeof createCookie>;

/**
 * Tells whether a request may carry a cookie of ours, as from a browser. Programs may send cookies of a proxy before us, which identify
 * nobody.
 */
export const mayHaveOurCookies = ({ headers }: FastifyRequest): boolean => headers.cookie?.includes(COOKIE) === true;

/**
 * Creates a cookie without access by scripts or other sites; on https it is never sent unencrypted, and its prefix binds it to this host.
 */
export function createCookie(name: string, secure: boolean) {
  const fullName = `${secure ? '__Host-' : ''}${COOKIE}${name}`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    of: ({ cookies }: FastifyRequest): string | undefined => cookies[fullName],
    /** `maxAge` in seconds. */
    set: (reply: FastifyReply, value: string, maxAge: number) => void reply.setCookie(fullName, value, { ...options, maxAge }),
    clear: (reply: FastifyReply) => void reply.clearCookie(fullName, options),
  };
}
