import { MB } from '@feierbild/contract/constants.ts';
import type { Attempt } from '../item.ts';

/** Largest request after a proxy has refused a larger one, bytes; it is halved from there. */
const MOST_BYTES = 32 * MB;
export const LEAST_BYTES = 1 * MB;

/** A run's knowledge of the way to the server: proxies, firewalls and hotel Wi-Fi, and a refused password. */
export interface Way {
  /** Whether a request of the run broke off. */
  broken: boolean;
  /** Whether PUT, PATCH, HEAD and DELETE are sent as a POST that names them (`X-HTTP-Method-Override`). */
  asPost: boolean;
  /** Largest request, bytes. */
  mostBytes: number;
  /** Whether files are sent whole, as forms, because uploads in parts cannot begin. */
  whole: boolean;
  /** Whether the question about known photos is not asked any more. */
  unasked: boolean;
  /** The refusal of the event's password. Further files would be refused, too, and each would count as a guess from this network. */
  passwordRefusal: Attempt<never> | null;
}

export function newWay(): Way {
  return { broken: false, asPost: false, mostBytes: Infinity, whole: false, unasked: false, passwordRefusal: null };
}

/** Halves the largest request after one of `bytes` was refused as too large, or did not get through. */
export function shrink(way: Way, bytes: number): void {
  let most = Math.min(way.mostBytes, MOST_BYTES);
  while (most >= bytes && most > LEAST_BYTES) most /= 2;
  way.mostBytes = most;
}

/** Tells whether a proxy or firewall refused the method or the call; false for a server in trouble. */
export function isForbidden(status: number): boolean {
  return [403, 404, 405, 501].includes(status);
}

/** Statuses below 500 after which another attempt may succeed. */
export const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Tells whether a foreign answer may be a refusal (406, a page with 200). It is one if the server itself answers meanwhile. */
export function mayForbid(status: number): boolean {
  return status < 500 && status !== 413 && !TEMPORARY.has(status);
}
