/**
 * Whether a sender keeps up a rate, as a budget of ms for which it may still be waited for (a token bucket). Waits use the budget up, bytes
 * fill it again at `bytesPerMs`, up to `graceMs`: one long silence counts like many short ones.
 */
export function createSenderRate({ graceMs, bytesPerMs }: { graceMs: number; bytesPerMs: number }) {
  let budget = graceMs;
  return {
    /** ms for which the sender may be waited for now. */
    budgetMs: (): number => budget,
    /** Counts a wait that ended with so many bytes. */
    count(waitedMs: number, bytes: number): void {
      budget = Math.min(graceMs, Math.max(0, budget - waitedMs) + bytes / bytesPerMs);
    },
  };
}
