import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The call of the contract that a request makes; undefined for pages, files and unknown paths. */
export function callOf({ method, routeOptions }: FastifyRequest): Call | undefined {
  const calls = contract as Record<string, Call>;
  return calls[`${method} ${routeOptions.url}`] ?? (method === 'HEAD' ? calls[`GET ${routeOptions.url}`] : undefined);
}

/** True if a browser navigates to the address, as opposed to a call by a script or a device. */
export function isNavigation(request: FastifyRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && (request.headers.accept ?? '').includes('text/html');
}

/** The address of a request with a path that can be decoded. In a malformed path the percent signs are escaped. */
export function decodable(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** The path of a request, without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

export type Cookie = ReturnType<typeof createCookie>;

/** A cookie without access by scripts or by other sites; on https it is never sent unencrypted, and its prefix binds it to this host. */
export function createCookie(name: string, secure: boolean) {
  const fullName = `${secure ? '__Host-' : ''}feierbild_${name}`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    of: ({ cookies }: FastifyRequest): string | undefined => cookies[fullName],
    /** `maxAge` in seconds. */
    set: (reply: FastifyReply, value: string, maxAge: number) => void reply.setCookie(fullName, value, { ...options, maxAge }),
    clear: (reply: FastifyReply) => void reply.clearCookie(fullName, options),
  };
}
