import { uptime } from 'node:os';

/** The only source of the current time, so that tests can change it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that cannot be set and that also counts the time while the machine is suspended. */
  monotonic?(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => uptime() * 1000 };

/** An instant (ms since 1970) as answers say it: ISO 8601, UTC. */
export function iso(at: number): string;
export function iso(at: number | null): string | null;
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
