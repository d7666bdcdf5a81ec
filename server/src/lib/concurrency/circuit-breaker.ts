import { Unavailable } from '../errors.ts';

/** Failures in a row after which calls are refused */
const FAILURES = 5;
/** Pause before a probe, and between two. */
const PAUSE_MS = 1000;

interface Options {
  /** Name of the dependency in the error. */
  dependency: string;
  /** A small call that resolves if the dependency works again. */
  probe(): Promise<unknown>;
  failures?: number;
  pauseMs?: number;
}

/**
 * Keeps calls from waiting for a dependency that has just failed several times in a row. Only Unavailable counts as a failure: any other
 * error is an answer of the dependency. While the circuit is open, `probe` is called again and again until it succeeds.
 */
export function createCircuitBreaker({ dependency, probe, failures = FAILURES, pauseMs = PAUSE_MS }: Options) {
  let inARow = 0;
  let last: unknown;
  let probing: NodeJS.Timeout | undefined;
  let closed = false;

  function probeLater(): void {
    if (closed) return;
    probing = setTimeout(() => {
      probe().then(() => {
        inARow = 0;
        probing = undefined;
      }, probeLater);
    }, pauseMs).unref();
  }

  return {
    /** Resolves like `work`; throws Unavailable at once while the circuit is open. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (probing) throw new Unavailable(dependency, last instanceof Unavailable ? last.cause : last);
      try {
        const result = await work();
        inARow = 0;
        return result;
      } catch (error) {
        inARow = error instanceof Unavailable ? inARow + 1 : 0;
        last = error;
        if (inARow >= failures && !probing) probeLater();
        throw error;
      }
    },
    /** Tells whether calls are refused. */
    isOpen: (): boolean => probing !== undefined,
    close(): void {
      closed = true;
      clearTimeout(probing);
    },
  };
}
