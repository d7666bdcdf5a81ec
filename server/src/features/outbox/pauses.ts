import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';

/** Pauses after failed attempts, ms; after the last one's it has failed. */
export const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
const LONGEST_MS = Math.max(...PAUSES);

/**
 * The pause after so many failed attempts, ms; null: there is no further one. The other side may ask for a longer one, up to the longest:
 * it is asked as often as any other, and not sooner.
 */
export function pauseAfter(attempts: number, askedMs: number): number | null {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? null : Math.max(pause, Math.min(askedMs, LONGEST_MS) || 0);
}
