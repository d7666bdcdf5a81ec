import { backoffMs } from '../../../lib/backoff.ts';

/** Asks whether the server is there (wire/line.ts). */
type Doubt = (back: (wasLost: boolean) => void, isPatient: boolean) => () => void;

/**
 * Decides when unsent files are tried again: calls `wake` when the next run is due, perhaps too often. `doubt` asks whether the server is
 * there (wire/line.ts). `held` is called if it always was, and yet run after run nothing arrived.
 */
export function createPauses(doubt: Doubt, wake: () => void, held: () => void) {
  let timer = 0;
  let trust = (): void => undefined;
  /** Runs that left something since the pauses last began again. */
  let attempt = 0;
  /** The server asked for no request before this instant of `performance.now()`: the device's clock may be set meanwhile. */
  let notBefore = 0;
  /** The network or the page came back during a run: what that run fails to send is tried again at its end. */
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
    /** The network or the page is back. */
    comeBack(): void {
      if (!navigator.onLine) return;
      cameBack = true;
      wakeNow();
    },
    /** Whether a run may begin: false while the server asked for no request yet. */
    begin(): boolean {
      const may = notBefore <= performance.now();
      if (may) cameBack = false;
      return may;
    },
    /** After a run: whether it has stored something, and the time that the server asked for, ms. */
    ran(hasStored: boolean, pauseMs: number): void {
      notBefore = performance.now() + pauseMs;
      if (hasStored) attempt = 0;
    },
    /** Wakes after a pause, and at once where the network, the page or the server comes back. */
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
