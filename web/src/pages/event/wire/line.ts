import { UPLOAD_PARALLEL } from '@feierbild/contract/constants.ts';
import { call, isRefusal } from '../../../api/client.ts';
import { within } from '../../../lib/time-limit.ts';

/** Time between two questions, and limit of an answer. */
const ASK_MS = 2_000;
const ANSWER_MS = 2_500;
/** Number of foreign answers after which the line counts as working: some networks block this question alone. */
const FOREIGN_ANSWERS = 3;
/** Time that a request waits for the answer to the question before it tries by itself. */
const THERE_MS = 15_000;

/** The state of the line to the server. */
export type Line = ReturnType<typeof createLine>;

/** Calls `lost(true)` when the server stops answering, `lost(false)` when it answers again, `held` when only a request has no answer. */
export function createLine(lost: (isLost: boolean) => void, held: () => void) {
  /** Functions to call at an answer, each with `isPatient`: only the server's own answer counts. */
  const doubts = new Map<(wasLost: boolean) => void, boolean>();
  let asking: AbortController | null = null;
  let timer = 0;
  let isLost = false;
  /** Number of answers that were not the server's. */
  let foreign = 0;
  let used = 0;
  let heard = performance.now();
  let isTried = false;

  function end(): void {
    asking?.abort();
    asking = null;
    clearTimeout(timer);
    foreign = 0;
    if (isLost) lost((isLost = false));
  }

  /** Asks the server. Questions overlap, because an idle connection may be dead, and the next question uses another one. */
  function ask(signal: AbortSignal): void {
    timer = window.setTimeout(ask, ASK_MS, signal);
    call('GET /health', { signal, limitMs: ANSWER_MS }).then(
      () => !signal.aborted && answered(),
      (error: unknown) => {
        if (signal.aborted) return;
        if (isRefusal(error, 'no_connection') && error.status === 0) lose();
        else if (++foreign >= FOREIGN_ANSWERS) answered(false);
      },
    );
  }

  function lose(): void {
    if (!isLost) lost((isLost = true));
  }

  /** Ends doubts after an answer; `isServer` says that the server itself gave it. */
  function answered(isServer = true): void {
    const wasAway = isLost || foreign > 0;
    const told = [...doubts].flatMap(([back, isPatient]) => (isServer || !isPatient ? [back] : []));
    for (const back of told) doubts.delete(back);
    if (isServer || doubts.size === 0) end();
    else if (isLost) lost((isLost = false));
    for (const back of told) back(isServer && wasAway);
  }

  /** Ends the question unless somebody doubts or requests are in flight: one that gave up its connection waits for the answer. */
  function endIfUnused(): void {
    if (doubts.size === 0 && used === 0) end();
  }

  /**
   * Asks the server (some 700 bytes) until it answers, then calls `back`. `wasLost`: it did not answer at once; else the line holds, and
   * the failure had another cause. `isPatient`: answers of proxies do not count. Returns a function that withdraws the question.
   */
  function doubt(back: (wasLost: boolean) => void, isPatient = false): () => void {
    doubts.set(back, isPatient);
    if (!asking) {
      asking = new AbortController();
      ask(asking.signal);
    }
    return () => {
      if (doubts.delete(back)) endIfUnused();
    };
  }

  /** Tells whether the question is answered within `limitMs`. */
  function answers(limitMs: number, signal: AbortSignal, isPatient = false): Promise<boolean> {
    let takeBack = (): void => undefined;
    const sure = new Promise<boolean>((resolve) => (takeBack = doubt(() => resolve(true), isPatient)));
    return within(limitMs, sure, false, signal).finally(takeBack);
  }

  return {
    doubt,
    held,
    /** Notes that a byte came, for any request, because all of them share the line. */
    hear(): void {
      heard = performance.now();
      isTried = false;
    },
    /** Returns the ms since a byte came on any request. On a slow line with large buffers, a single request may be silent for long. */
    quietMs: (): number => performance.now() - heard,
    /** Tells whether a request may be given up to try another connection: one in each silence, so that the others lose nothing. */
    mayTry(): boolean {
      const may = !isTried;
      isTried = true;
      return may;
    },
    /** Tells whether the server was asked, and did not answer. */
    isLost: (): boolean => isLost,
    /** Resolves when the server is not in doubt, after THERE_MS, or when `signal` is aborted. */
    async there(signal: AbortSignal): Promise<void> {
      if (asking) await answers(THERE_MS, signal);
    },
    /** Tells whether the server itself answers, and no proxy in its place. */
    isServer: (signal: AbortSignal): Promise<boolean> => answers(ANSWER_MS, signal, true),
    /** Notes that a request begins; returns a function that notes its end. */
    use(): () => void {
      used++;
      return () => {
        used--;
        endIfUnused();
      };
    },
    /** Tells whether requests use all connections of a browser to one server over HTTP/1.1, so that a question would wait for one. */
    isCrowded: (): boolean => used >= UPLOAD_PARALLEL,
  };
}
