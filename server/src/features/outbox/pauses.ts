import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';

/** Pauses after failed attempts, ms; the attempt after the last one is the last. */
export const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
/** No entry waits longer for its next attempt. */
export const LONGEST_PAUSE = Math.max(...PAUSES);

/**
 * Returns the pause after so many failed attempts, ms; null if there is no further attempt. The other side may ask for a longer pause, up
 * to the longest one here.
 */
export function pauseAfter(attempts: number, askedMs: number): number | null {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? null : Math.max(pause, Math.min(askedMs, LONGEST_PAUSE) || 0);
}
