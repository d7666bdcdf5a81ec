import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { withDeadline } from '../../lib/deadline.ts';

/** How long a result is cached: the check writes to the photo store, and anybody may call it. */
const CACHE_MS = 3000;
/** A check that takes longer has failed, so that every caller gets an answer in time. */
const DEADLINE_MS = 2500;

/** Returns the result of `check`, which runs once for all callers at about the same time. */
export function createReadiness(check: () => Promise<void>, cacheMs = CACHE_MS, deadlineMs = DEADLINE_MS): () => Promise<void> {
  const flight = createSingleFlight<void>({ successMs: cacheMs, failureMs: cacheMs });
  return () => flight.run('', () => withDeadline(check(), deadlineMs, 'database or photo store'));
}
