import { KNOWN_AT_ONCE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { Attempt } from '../item.ts';
import { within } from '../../../lib/time-limit.ts';
import { headersOf, isOurs, outcomeOf, transfer, type Sending } from './transfer.ts';

/** For its answer: without one, photos are sent. */
const ANSWER_MS = 10_000;

/** Which of the chosen photos the server has from this device already: they need not be sent. */
export function createDuplicates(send: typeof transfer = transfer) {
  const answers = new Map<string, Photo | null>();
  const noted = new Set<string>();
  /** The run that asked for the answers. */
  let run: Sending['run'] | null = null;
  let asking: Promise<Attempt<never> | null> | null = null;

  /** Asks about the noted fingerprints. Null: answered, or not by our server, and then all are sent; else how the attempt failed. */
  async function question(sending: Sending): Promise<Attempt<never> | null> {
    const fingerprints = [...noted].slice(0, KNOWN_AT_ONCE);
    const ending = new AbortController();
    const asked = send(
      { ...sending, signal: ending.signal },
      {
        method: 'POST',
        path: `/api/events/${sending.sender.code}/known`,
        headers: { ...headersOf(sending.sender), 'content-type': 'application/json' },
        body: JSON.stringify({ fingerprints }),
      },
    );
    const request = await within(ANSWER_MS, asked, null, sending.signal);
    ending.abort();
    sending.run.unasked = !request || !isOurs(request);
    const { photos } = (request?.response ?? {}) as { photos?: { fingerprint: string; photo: Photo }[] };
    const end = request && isOurs(request) && !photos ? outcomeOf(request) : null;
    if (end?.kind === 'unreached') return end;
    // The upload itself is told why the question is refused.
    for (const one of fingerprints) {
      noted.delete(one);
      answers.set(one, null);
    }
    for (const { fingerprint, photo } of photos ?? []) answers.set(fingerprint, photo);
    return null;
  }

  return {
    /** Adds a fingerprint to the next question. */
    note(fingerprint: string): void {
      if (!answers.has(fingerprint)) noted.add(fingerprint);
    },
    /** This device's photo with the fingerprint; null: the server has none. One question at a time, about all that was noted meanwhile. */
    async ask(fingerprint: string, sending: Sending): Promise<Attempt<Photo> | null> {
      if (run !== sending.run) {
        // What one that was broken off did not come to may be deleted since.
        for (const one of answers.keys()) noted.add(one);
        answers.clear();
        run = sending.run;
      }
      while (!answers.has(fingerprint) && !sending.run.unasked) {
        noted.add(fingerprint);
        asking ??= question(sending).finally(() => (asking = null));
        const failed = await asking;
        if (failed) return failed;
      }
      const photo = answers.get(fingerprint);
      // It may be deleted, or stored although its answer was lost, by the time that somebody asks again.
      answers.delete(fingerprint);
      return photo ? { kind: 'stored', value: photo } : null;
    },
  };
}
