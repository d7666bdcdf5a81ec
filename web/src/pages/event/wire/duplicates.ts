import { KNOWN_AT_ONCE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { Attempt } from '../item.ts';
import { within } from '../../../lib/time-limit.ts';
import { headersOf, isOurs, outcomeOf, transfer, type Sending } from './transfer.ts';

/** Limit of the question; without an answer, photos are sent. */
const ANSWER_MS = 10_000;

/** Asks which of the chosen photos the server has from this device already, and which need not be sent. */
export function createDuplicates(send: typeof transfer = transfer) {
  const answers = new Map<string, Photo | null>();
  const noted = new Set<string>();
  /** The run that asked for the answers. */
  let run: Sending['run'] | null = null;
  let asking: Promise<Attempt<never> | null> | null = null;

  /** Asks about the noted fingerprints. Returns the attempt's failure, or null if it was answered; after a foreign answer all are sent. */
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
    // The upload itself will be told why the question was refused.
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
    /** Returns this device's photo with the fingerprint, or null. One question at a time, about all fingerprints noted meanwhile. */
    async ask(fingerprint: string, sending: Sending): Promise<Attempt<Photo> | null> {
      if (run !== sending.run) {
        // Unused answers of an earlier run are outdated: their photos may be deleted meanwhile.
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
      // The answer is used once: before the next question the photo may be deleted, or stored although its answer was lost.
      answers.delete(fingerprint);
      return photo ? { kind: 'stored', value: photo } : null;
    },
  };
}
