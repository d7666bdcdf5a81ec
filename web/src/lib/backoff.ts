/** Default pauses. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
/** Pause between attempts to find out who the visitor is, and to read the event. */
export const VISITOR_RETRY_MS = 5000;

/** Returns the pause that follows `attempts` earlier pauses, ms: it doubles from `firstMs` up to `longestMs`. */
export function backoffMs(attempts: number, firstMs = FIRST_MS, longestMs = LONGEST_MS): number {
  return Math.min(firstMs * 2 ** attempts, longestMs);
}

/** Calls back when the network is back, and when the page is visible again. Returns a function that ends it. */
export function onReturn(back: () => void): () => void {
  const come = (): void => {
    if (document.visibilityState === 'visible') back();
  };
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener('online', come, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && come(), { signal });
  document.addEventListener('visibilitychange', come, { signal });
  return () => listening.abort();
}

/** Repeats `ask` until it succeeds, with the pauses of `tryAgain`. Returns a function that ends it. */
export function untilAnswered<T>(ask: () => Promise<T>, onAnswer: (answer: T) => void, longestMs?: number): () => void {
  /** Null once the caller has ended it. */
  let cancel: (() => void) | null = () => undefined;
  const attempt = (failures: number): void =>
    void ask().then(
      (answer) => cancel && onAnswer(answer),
      () => {
        if (!cancel) return;
        cancel = tryAgain(failures, () => attempt(failures + 1), FIRST_MS, longestMs);
      },
    );
  attempt(0);
  return () => {
    cancel?.();
    cancel = null;
  };
}

/** Calls `again` once: after the pause for `attempts`, or once the network or the page is back. Returns a function that cancels it. */
export function tryAgain(attempts: number, again: () => void, firstMs = FIRST_MS, longestMs = LONGEST_MS): () => void {
  const cancel = (): void => {
    clearTimeout(timer);
    ignore();
  };
  const once = (): void => {
    cancel();
    again();
  };
  const timer = setTimeout(once, backoffMs(attempts, firstMs, longestMs));
  const ignore = onReturn(once);
  return cancel;
}
