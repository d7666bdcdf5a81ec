import { Refusal } from '../errors.ts';

/** A holder may have fewer permits than this many times the free ones. */
const SHARE_OF_FREE = 2;
/** Seconds until a refused caller may try again. */
const RETRY_AFTER_S = 10;

/** How many may wait at once. */
interface QueueLimits {
  perHolder: number;
  total: number;
}

/** Permits that many holders share. */
export interface FairSemaphore {
  /**
   * Waits for a permit; `most` limits how many of them this holder may have at once. Resolves to the function that gives it
   * back; calling that twice does no harm. Throws Refusal unavailable where too many wait already.
   */
  acquire(holder: string, most?: number): Promise<() => void>;
  /** Runs `work` while holding a permit. Throws Refusal unavailable where too many wait already. */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
  /** How many wait. */
  waiting(): number;
}

interface Waiter {
  most: number;
  admit(release: () => void): void;
}

/**
 * A holder gets another permit while it has fewer than twice as many as are free: the first gets up to two thirds of all, the
 * second up to two thirds of the rest, and so on. So there is always room for a new holder, whatever the others do. The waiters
 * of one holder are served in order, the holders in turn.
 */
export function createFairSemaphore(permits: number, limits: QueueLimits = { perHolder: Infinity, total: Infinity }): FairSemaphore {
  const held = new Map<string, number>();
  /** By holder; the holder to be served next comes first. */
  const queues = new Map<string, Waiter[]>();
  let free = permits;

  const heldBy = (holder: string): number => held.get(holder) ?? 0;

  function take(holder: string): () => void {
    free -= 1;
    held.set(holder, heldBy(holder) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      free += 1;
      if (heldBy(holder) === 1) held.delete(holder);
      else held.set(holder, heldBy(holder) - 1);
      while (admitNext());
    };
  }

  function admitNext(): boolean {
    for (const [holder, queue] of queues) {
      const [next] = queue;
      if (!next || heldBy(holder) >= Math.min(next.most, SHARE_OF_FREE * free)) continue;
      queue.shift();
      // Deleted and set again: the holder moves to the end.
      queues.delete(holder);
      if (queue.length > 0) queues.set(holder, queue);
      next.admit(take(holder));
      return true;
    }
    return false;
  }

  const waiting = (): number => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);

  async function acquire(holder: string, most = Infinity): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const queue = queues.get(holder) ?? [];
    queue.push({ most, admit: resolve });
    queues.set(holder, queue);
    if (!admitNext() && (queue.length > limits.perHolder || waiting() > limits.total)) {
      queue.pop();
      if (queue.length === 0) queues.delete(holder);
      throw new Refusal('unavailable', { retryAfter: RETRY_AFTER_S });
    }
    return promise;
  }

  return {
    acquire,
    async run(holder, work) {
      const release = await acquire(holder);
      try {
        return await work();
      } finally {
        release();
      }
    },
    waiting,
  };
}
