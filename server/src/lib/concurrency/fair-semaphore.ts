import { createFairQueue, type FairQueueOptions, type Owner } from './fair-queue.ts';

export type FairSemaphore = ReturnType<typeof createFairSemaphore>;

/**
 * Places that owners share (`fair-queue.ts`), at most so many at a time: a number for all together, or a function for each owner and group. A place that is given back goes straight
 * to the next, so that a newcomer cannot take it first. With one place for each owner it is a mutex for each.
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
   * Waits for a place, which disposal gives back; a second disposal does no harm. Throws Refusal unavailable where too much waits, or for too
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
    /** Runs `work` in a place of its own. Throws as `acquire` does; then `work` does not run. */
    async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
      using _place = await acquire(owner);
      return await work();
    },
    /** How many wait. */
    waiting: queue.waiting,
  };
}
