import { MB } from '@feierbild/contract/constants.ts';
import type { Attempt } from '../item.ts';

/** Bytes of a request after a stranger has refused more; halved from there. */
const MOST_BYTES = 32 * MB;
export const LEAST_BYTES = 1 * MB;

/** What a run has learned of the way to the server: proxies, firewalls and hotel Wi-Fi between, and a refused password. */
export interface Way {
  /** A request of it broke off. */
  broken: boolean;
  /** PUT, PATCH, HEAD and DELETE go as a POST that names them (`X-HTTP-Method-Override`). */
  asPost: boolean;
  /** Most bytes of a request. */
  mostBytes: number;
  /** Files go whole, as forms: uploads cannot be begun in parts. */
  whole: boolean;
  /** A request was given up although the line held: somebody keeps it, or it takes its time. */
  swallowed?: boolean;
  /** The question which photos the server has is not asked. */
  unasked: boolean;
  /** The event's password was refused: the next files would be, too, and each would count as a guess of everybody in this network. */
  passwordRefusal: Attempt<never> | null;
}

export function newWay(): Way {
  return { broken: false, asPost: false, mostBytes: Infinity, whole: false, unasked: false, passwordRefusal: null };
}

/** Halves the largest request after one of so many bytes was refused as too large, or did not get through. */
export function shrink(way: Way, bytes: number): void {
  let most = Math.min(way.mostBytes, MOST_BYTES);
  while (most >= bytes && most > LEAST_BYTES) most /= 2;
  way.mostBytes = most;
}

/** Whether a proxy or firewall refused the method or the call; false for a server in trouble. */
export function isForbidden(status: number): boolean {
  return [403, 404, 405, 501].includes(status);
}

/** Statuses below 500 after which another attempt may succeed. */
export const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether a foreign answer may be a refusal (406, a page with 200): it is one if the server itself answers meanwhile. */
export function mayForbid(status: number): boolean {
  return status < 500 && status !== 413 && !TEMPORARY.has(status);
}
