import { Refusal } from '../errors.ts';
import { createTimeSharingQueue, type Owner } from './time-sharing-queue.ts';

/** Seconds until a refused caller may try again. */
const RETRY_AFTER_S = 10;

interface Options {
  /** Beyond, the last work of whoever has most waiting is refused. */
  maxWaiting: number;
  /** Work that has not begun by then is refused, ms. */
  maxWaitMs: number;
}

export interface TimeSharingSemaphore {
  /** Runs `work` when it is its owner's turn. Throws Refusal unavailable where too much waits, or for too long. */
  run<T>(owner: Owner, work: () => Promise<T>): Promise<T>;
  /** How many wait. */
  waiting(): number;
}

interface Waiter {
  begin(): Promise<void>;
  refuse(): void;
}

/**
 * At most so many at a time, and owners share the time (`time-sharing-queue.ts`): one that has used little goes before those that
 * keep the semaphore busy, however many they are.
 */
export function createTimeSharingSemaphore(permits: number, { maxWaiting, maxWaitMs }: Options): TimeSharingSemaphore {
  const queue = createTimeSharingQueue<Waiter>({ newestFirst: true });
  let free = permits;

  function advance(): void {
    while (free > 0) {
      const next = queue.take();
      if (!next) return;
      free -= 1;
      void next.work.begin().finally(() => {
        free += 1;
        next.done();
        advance();
      });
    }
  }

  return {
    waiting: queue.waiting,
    run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const waiter: Waiter = {
        async begin() {
          clearTimeout(timer);
          await work().then(resolve, reject);
        },
        refuse() {
          clearTimeout(timer);
          reject(new Refusal('unavailable', { retryAfter: RETRY_AFTER_S }));
        },
      };
      const timer = setTimeout(() => queue.remove(owner, waiter) && waiter.refuse(), maxWaitMs);
      queue.add(owner, waiter);
      advance();
      if (queue.waiting() > maxWaiting) queue.removeExcess()?.refuse();
      return promise;
    },
  };
}
