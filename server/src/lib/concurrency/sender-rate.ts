/** Whether a sender keeps up a rate, as a budget of ms for which it may still be waited for (a token bucket). */
export interface SenderRate {
  /** ms for which the sender may be waited for now. */
  budgetMs(): number;
  /** Counts a wait that ended with so many bytes. */
  count(waitedMs: number, bytes: number): void;
}

/** Waits use the budget up, bytes fill it again at `bytesPerMs`, up to `graceMs`: one long silence counts like many short ones. */
export function createSenderRate({ graceMs, bytesPerMs }: { graceMs: number; bytesPerMs: number }): SenderRate {
  let budget = graceMs;
  return {
    budgetMs: () => budget,
    count(waitedMs, bytes) {
      budget = Math.min(graceMs, Math.max(0, budget - waitedMs) + bytes / bytesPerMs);
    },
  };
}
