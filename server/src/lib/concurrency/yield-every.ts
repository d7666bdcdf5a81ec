import { setImmediate } from 'node:timers/promises';

/** Interrupts long work on the event loop: awaited often, the returned function lets other work run once `budgetMs` are used up. */
export function yieldEvery(budgetMs: number): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < budgetMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
