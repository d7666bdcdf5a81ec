import { uptime } from 'node:os';

/** The one source of the current time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that nobody sets and that counts a suspended machine's time, too. */
  monotonic?(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => uptime() * 1000 };
