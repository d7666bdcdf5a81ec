/** Pauses where nothing else is said. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
/** Between attempts to find out who the visitor is, and to read the event. */
export const VISITOR_RETRY_MS = 5000;

/** The pause after so many attempts that each had a pause, ms: it doubles from `firstMs` up to `longestMs`. */
export function backoffMs(attempts: number, firstMs = FIRST_MS, longestMs = LONGEST_MS): number {
  return Math.min(firstMs * 2 ** attempts, longestMs);
}

/** Calls back when the network is back, and when the page is in sight again. Returns what ends that. */
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

/** Asks until there is an answer, with pauses as `tryAgain` has them. Returns what ends that. */
export function untilAnswered<T>(ask: () => Promise<T>, onAnswer: (answer: T) => void, longestMs?: number): () => void {
  /** Null once nobody waits. */
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

/** Tries again once: after the pause for so many attempts, or as soon as the network or the page is back. Returns what cancels that. */
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
