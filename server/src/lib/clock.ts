import { uptime } from 'node:os';

/** The only source of the current time, so that tests can change it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that cannot be set and also counts while the machine is suspended. */
  monotonic?(): number;
  /** Milliseconds since 1970 in place of what the database says, for tests that move the time of all. */
  database?(): number;
}

/**
 * Most that the clocks of two nodes may differ, ms; `doctor` calls more a fault. An instant that is further ahead was written by a clock that
 * has been set back since.
 */
export const CLOCK_SKEW_MS = 300_000;

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => uptime() * 1000 };

/** Formats an instant (ms since 1970) for answers: ISO 8601, UTC. */
export function iso(at: number): string;
export function iso(at: number | null): string | null;
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
