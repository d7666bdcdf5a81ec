import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import type { FastifyRequest } from 'fastify';

/** The call of the contract that a request makes; undefined for pages, files and unknown paths. */
export function callOf({ method, routeOptions }: FastifyRequest): Call | undefined {
  return (contract as Record<string, Call>)[`${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`];
}
