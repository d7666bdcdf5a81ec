import type { Asker } from '../../images/decoder.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';

/** The reason to abort a background request to a decoder: somebody waits for its result now. */
const RAISED = new Error('somebody waits for it');
export const CLOSED = new Error('the process ends');

/** A run of work on a photo's pictures; it goes ahead of other background work once somebody waits for it. */
export interface Run {
  urgent: boolean;
  raise: AbortController;
}

/** The urgency with which a decoder is asked. */
type Urgency = Pick<Run, 'urgent'> & Pick<Asker, 'signal'>;

/** Shares work that several callers ask for at once, first in the background, later because somebody waits. */
export function createSharedRuns<T>() {
  const flight = createSingleFlight<T>();
  const runs = new Map<string, Run>();

  /** Runs the work once for all callers that ask meanwhile; once one of them is urgent, the decoders put it first. */
  function share(id: string, urgent: boolean, work: (run: Run) => Promise<T>): Promise<T> {
    const joined = runs.get(id);
    if (joined && urgent) {
      joined.urgent = true;
      joined.raise.abort(RAISED);
    }
    return flight.run(id, async () => {
      const run = { urgent, raise: new AbortController() };
      runs.set(id, run);
      try {
        return await work(run);
      } finally {
        runs.delete(id);
      }
    });
  }

  /** Asks a decoder, and asks again as urgent if somebody begins to wait while the request is queued. */
  async function decoding<A>(run: Run, ask: (urgency: Urgency) => Promise<A>): Promise<A> {
    if (run.urgent) return ask({ urgent: true });
    return ask({ urgent: false, signal: run.raise.signal }).catch((error: unknown) => {
      if (error !== RAISED) throw error;
      return ask({ urgent: true });
    });
  }

  /** Aborts runs that nobody waits for, with CLOSED, and waits for the others. */
  async function close(): Promise<void> {
    for (const { urgent, raise } of runs.values()) if (!urgent) raise.abort(CLOSED);
    await flight.settled();
  }

  return { share, decoding, close };
}
