import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import type { FastifyRequest } from 'fastify';

/** The call of the contract that a request makes; undefined for pages, files and unknown paths. */
export function callOf({ method, routeOptions }: FastifyRequest): Call | undefined {
  const calls = contract as Record<string, Call>;
  return calls[`${method} ${routeOptions.url}`] ?? (method === 'HEAD' ? calls[`GET ${routeOptions.url}`] : undefined);
}
