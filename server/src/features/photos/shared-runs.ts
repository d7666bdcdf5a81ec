import type { Asker } from '../../images/decoder.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';

/** Why background work left the decoders' queue: somebody waits for it now. */
const RAISED = new Error('somebody waits for it');
export const CLOSED = new Error('the process ends');

/** Work on a photo's pictures, which goes ahead of other background work once somebody waits for it. */
export interface Run {
  urgent: boolean;
  raise: AbortController;
}

/** How a decoder is asked. */
type Urgency = Pick<Run, 'urgent'> & Pick<Asker, 'signal'>;

/** Work that several may ask for at once, first in the background and then because somebody waits. */
export function createSharedRuns<T>() {
  const flight = createSingleFlight<T>();
  const runs = new Map<string, Run>();

  /** One run for all who ask at the same time; the decoders put it first once one of them waits. */
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

  /** Asks a decoder; where somebody comes to wait before one has begun, anew. */
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
