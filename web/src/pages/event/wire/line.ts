import { UPLOAD_PARALLEL } from '@feierbild/contract/constants.ts';
import { call, isRefusal } from '../../../api/client.ts';
import { within } from '../../../lib/time-limit.ts';

/** Between two questions, and for how long an answer is awaited. */
const ASK_MS = 2_000;
const ANSWER_MS = 2_500;
/** After so many foreign answers the line counts as there: some networks block this question alone. */
const FOREIGN_ANSWERS = 3;
/** A request waits at most so long for the answer to the question, then it tries by itself, ms. */
const THERE_MS = 15_000;

/** The state of the line to the server. */
export type Line = ReturnType<typeof createLine>;

/** Calls `lost(true)` when the server stops answering and `lost(false)` when it answers again; `held` when a request has no answer although the server is there. */
export function createLine(lost: (isLost: boolean) => void, held: () => void) {
  /** Whom to tell, and whether only of the server's own answer. */
  const doubts = new Map<(wasLost: boolean) => void, boolean>();
  let asking: AbortController | null = null;
  let timer = 0;
  let isLost = false;
  /** Answers of somebody else to the question. */
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

  /** Questions overlap: an idle connection from before may be dead, and the next one is asked over another. */
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

  /** `isServer`: by the server itself. */
  function answered(isServer = true): void {
    const wasAway = isLost || foreign > 0;
    const told = [...doubts].flatMap(([back, isPatient]) => (isServer || !isPatient ? [back] : []));
    for (const back of told) doubts.delete(back);
    if (isServer || doubts.size === 0) end();
    else if (isLost) lost((isLost = false));
    for (const back of told) back(isServer && wasAway);
  }

  /** The question goes on while requests are under way: one that gave it its connection waits for the answer. */
  function endIfUnused(): void {
    if (doubts.size === 0 && used === 0) end();
  }

  /**
   * Asks the server (some 700 bytes) until it answers, then calls `back`. `wasLost`: it did not answer at once; else the line holds, and the
   * failure had another cause. `isPatient`: answers of proxies do not count. Returns a function that withdraws the question.
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

  /** Whether the question is answered by then. */
  function answers(limitMs: number, signal: AbortSignal, isPatient = false): Promise<boolean> {
    let takeBack = (): void => undefined;
    const sure = new Promise<boolean>((resolve) => (takeBack = doubt(() => resolve(true), isPatient)));
    return within(limitMs, sure, false, signal).finally(takeBack);
  }

  return {
    doubt,
    held,
    /** Something came, for whichever request: all of them share the line. */
    hear(): void {
      heard = performance.now();
      isTried = false;
    },
    /** Ms since a byte came on any request. A single request may be silent for long on a slow line, whose buffers take more than it carries. */
    quietMs: (): number => performance.now() - heard,
    /** Whether a request may be given up to try another connection: one in each silence, so that the others lose nothing where all are well. */
    mayTry(): boolean {
      const may = !isTried;
      isTried = true;
      return may;
    },
    /** Whether the server was asked, and did not answer. */
    isLost: (): boolean => isLost,
    /** Resolves when the server is not in doubt, has been for long, or `signal` is aborted. */
    async there(signal: AbortSignal): Promise<void> {
      if (asking) await answers(THERE_MS, signal);
    },
    /** Whether the server itself answers, and no proxy in its place. */
    isServer: (signal: AbortSignal): Promise<boolean> => answers(ANSWER_MS, signal, true),
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
