import { backoffMs } from '../../lib/backoff.ts';
import { watchLine } from './line-watch.ts';

/** Pause before a run that starts by itself: doubles from the first to the longest, ms. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** When what did not reach the server is sent again. */
export interface NextRun {
  /** Starts watching the network and the page; returns what ends that. */
  open(): () => void;
  /** Starts no run by itself any more, until the end of one. */
  cancel(): void;
  /** Before a run. False: the server asked for no request yet; the run starts by itself when it may. */
  begin(): boolean;
  /** A run has stored something: the pauses begin again with the shortest. */
  reset(): void;
  /** No run before this time has passed. */
  holdOff(pauseMs: number): void;
  /** After a run: whether something is left to send. */
  end(left: boolean): void;
}

/** Calls `start` after a pause, and at once where the network, the page or the server comes back. */
export function createNextRun(start: () => void): NextRun {
  let timer = 0;
  let stopWatching = (): void => undefined;
  /** Runs that left something since the pauses last began again. */
  let attempt = 0;
  /** The server asked for no request before this instant, ms since 1970. */
  let notBefore = 0;
  /** The network or the page came back during a run: what that run fails to send is tried again at its end. */
  let cameBack = false;

  function cancel(): void {
    clearTimeout(timer);
    stopWatching();
  }

  /** A hidden page waits until it is seen again; one that is seen goes on as soon as the server answers again. */
  function startAfter(pauseMs: number): void {
    cancel();
    if (document.visibilityState !== 'visible') return;
    timer = window.setTimeout(start, pauseMs);
    if (pauseMs > 0) stopWatching = watchLine(startNow);
  }

  function startNow(): void {
    attempt = 0;
    start();
  }

  function comeBack(): void {
    if (!navigator.onLine || document.visibilityState !== 'visible') return;
    cameBack = true;
    startNow();
  }

  return {
    open() {
      window.addEventListener('online', comeBack);
      window.addEventListener('pageshow', comeBack);
      document.addEventListener('visibilitychange', comeBack);
      return () => {
        window.removeEventListener('online', comeBack);
        window.removeEventListener('pageshow', comeBack);
        document.removeEventListener('visibilitychange', comeBack);
        cancel();
      };
    },
    cancel,
    begin() {
      const waitMs = notBefore - Date.now();
      if (waitMs > 0) startAfter(waitMs);
      else cameBack = false;
      return waitMs <= 0;
    },
    reset: () => (attempt = 0),
    holdOff: (pauseMs) => (notBefore = Date.now() + pauseMs),
    end(left) {
      if (left) startAfter(cameBack ? 0 : backoffMs(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
      attempt = left ? attempt + 1 : 0;
    },
  };
}
