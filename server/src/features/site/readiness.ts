import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { withDeadline } from '../../lib/deadline.ts';

/** How long a result is used again: the check writes to the photo store, and anybody may ask. */
const KEEP_MS = 3000;
/** A check that takes longer has failed, so that whoever asks is answered. */
const DEADLINE_MS = 2500;

/** Answers what `check` finds, asking it once for all who ask at about the same time. */
export function createReadiness(check: () => Promise<void>, keepMs = KEEP_MS, deadlineMs = DEADLINE_MS): () => Promise<void> {
  const flight = createSingleFlight<void>({ successMs: keepMs, failureMs: keepMs });
  return () => flight.run('', () => withDeadline(check(), deadlineMs, 'database or photo store'));
}
