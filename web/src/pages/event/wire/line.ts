import { UPLOAD_PARALLEL } from '@feierbild/contract/constants.ts';
import { call } from '../../../api/client.ts';

/** Between two questions, and for how long an answer is awaited. */
const ASK_MS = 2_000;
const ANSWER_MS = 2_500;

/** What is known of the line to the server. */
export type Line = ReturnType<typeof createLine>;

/** `lost` hears when the server stopped answering, and when it answers again. */
export function createLine(lost: (isLost: boolean) => void) {
  const doubts = new Set<(wasLost: boolean) => void>();
  let asking: AbortController | null = null;
  let timer = 0;
  let isLost = false;
  let used = 0;
  let heard = performance.now();
  let isTried = false;

  function end(): void {
    asking?.abort();
    asking = null;
    clearTimeout(timer);
    if (isLost) lost((isLost = false));
  }

  /** Questions overlap: an idle connection from before may be dead, and the next one is asked over another. */
  function ask(signal: AbortSignal): void {
    timer = window.setTimeout(ask, ASK_MS, signal);
    call('GET /health', { signal, limitMs: ANSWER_MS }).then(
      () => !signal.aborted && answered(),
      () => !signal.aborted && !isLost && lost((isLost = true)),
    );
  }

  function answered(): void {
    const wasLost = isLost;
    const all = [...doubts];
    doubts.clear();
    end();
    for (const back of all) back(wasLost);
  }

  /** A request that gave its connection to the question comes back when it is answered: the question stays while others are under way. */
  function endIfUnused(): void {
    if (doubts.size === 0 && used === 0) end();
  }

  /**
   * Nothing came for a while: asks the server (some 700 bytes) until it answers, and then calls `back`, with whether it had not answered
   * before. A server that answers at once is there: what failed had another cause. Returns what takes the question back.
   */
  function doubt(back: (wasLost: boolean) => void): () => void {
    doubts.add(back);
    if (!asking) {
      asking = new AbortController();
      ask(asking.signal);
    }
    return () => {
      if (doubts.delete(back)) endIfUnused();
    };
  }

  return {
    doubt,
    /** Something came, for whichever request: all of them share the line. */
    hear(): void {
      heard = performance.now();
      isTried = false;
    },
    /** Ms since something came. A slow line takes more at once than it carries in a while: one request may be silent for long, and is well. */
    quietMs: (): number => performance.now() - heard,
    /** Whether a request may be given up to try another connection: one in each silence, so that the others lose nothing where all are well. */
    mayTry(): boolean {
      const may = !isTried;
      isTried = true;
      return may;
    },
    /** Resolves when the server is not in doubt, or `signal` is aborted. */
    there: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (!asking || signal.aborted) return resolve();
        const takeBack = doubt(() => resolve());
        const stop = (): void => {
          takeBack();
          resolve();
        };
        signal.addEventListener('abort', stop, { once: true });
      }),
    /** A request begins; returns what tells its end. */
    use(): () => void {
      used++;
      return () => {
        used--;
        endIfUnused();
      };
    },
    /** Requests take all connections that browsers open to one server over HTTP/1.1: a question would wait for one of them. */
    isCrowded: (): boolean => used >= UPLOAD_PARALLEL,
  };
}
