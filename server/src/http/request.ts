import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import type { FastifyRequest } from 'fastify';

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
