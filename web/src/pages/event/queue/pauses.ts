import { backoffMs } from '../../../lib/backoff.ts';

/** Asks whether the server is reachable (wire/line.ts). */
type Doubt = (back: (wasLost: boolean) => void, isPatient: boolean) => () => void;

/**
 * Decides when unsent files are tried again: calls `wake` when the next run is due, perhaps too often. `doubt` asks whether the server is
 * reachable (wire/line.ts). `held` is called if it always was, and yet nothing arrived in several runs.
 */
export function createPauses(doubt: Doubt, wake: () => void, held: () => void) {
  let timer = 0;
  let trust = (): void => undefined;
  /** Number of pauses since they last began anew. */
  let attempt = 0;
  /** Time before which the server wants no request, by `performance.now()`, because the device's clock may be set meanwhile. */
  let notBefore = 0;
  /** Whether the network or the page came back during a run, whose failed files are then tried again at its end. */
  let cameBack = false;

  function cancel(): void {
    clearTimeout(timer);
    trust();
  }

  function wakeNow(): void {
    attempt = 0;
    wake();
  }

  return {
    /** Called when the network or the page is back. */
    comeBack(): void {
      if (!navigator.onLine) return;
      cameBack = true;
      wakeNow();
    },
    /** Tells whether a run may begin: not while the server asks for a pause. */
    begin(): boolean {
      const may = notBefore <= performance.now();
      if (may) cameBack = false;
      return may;
    },
    /** Called after a run: `hasStored` tells whether it stored something, `pauseMs` is the pause that the server asked for. */
    ran(hasStored: boolean, pauseMs: number): void {
      notBefore = performance.now() + pauseMs;
      if (hasStored) attempt = 0;
    },
    /** Wakes after a pause, or as soon as the network, the page or the server is back. */
    wait(): void {
      cancel();
      const heldMs = notBefore - performance.now();
      const pauseMs = cameBack ? Math.max(0, heldMs) : Math.max(heldMs, backoffMs(attempt++));
      timer = window.setTimeout(wake, pauseMs);
      if (pauseMs > 0) trust = doubt((wasLost) => (wasLost ? wakeNow() : attempt > 1 && held()), true);
    },
    cancel,
  };
}
