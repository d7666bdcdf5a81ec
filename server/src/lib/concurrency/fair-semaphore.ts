import { createFairQueue, type FairQueueOptions, type Owner } from './fair-queue.ts';

export type FairSemaphore = ReturnType<typeof createFairSemaphore>;

/**
 * Creates places that owners share (`fair-queue.ts`). `most` limits them: a number for all together, or a function for each owner and
 * group. A place that is given back goes straight to the next owner, so that a newcomer cannot take it first. With one place for each owner
 * it is a mutex for each.
 */
export function createFairSemaphore(most: number | ((owner: Owner) => number), options: FairQueueOptions = {}) {
  const queue = createFairQueue<(place: Disposable) => void>({ ...options, most: typeof most === 'number' ? () => most : most });

  function advance(): void {
    for (let next = queue.take(); next; next = queue.take()) {
      const { work: admit, done } = next;
      admit({
        [Symbol.dispose]() {
          done();
          advance();
        },
      });
    }
  }

  /**
   * Waits for a place. Its disposal gives it back; a second one does no harm. Throws Refusal unavailable if too much waits, or for too
   * long, and the reason of `signal`.
   */
  function acquire(owner: Owner = [], signal?: AbortSignal): Promise<Disposable> {
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    queue.add(owner, resolve, reject, signal);
    advance();
    return promise;
  }

  return {
    acquire,
    /** Runs `work` in a place of its own. Throws like `acquire`; then `work` does not run. */
    async run<T>(owner: Owner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      using _place = await acquire(owner, signal);
      return await work();
    },
    /** Number of waiting callers. */
    waiting: queue.waiting,
  };
}
