/** A holder may have fewer permits than this many times the free ones. */
const SHARE_OF_FREE = 2;
/** Permits that many holders share. */
export interface FairSemaphore {
  /** Waits for a permit. Resolves to the function that gives it back; calling that twice does no harm. */
  acquire(holder: string): Promise<() => void>;
  /** How many wait. */
  waiting(): number;
}

type Waiter = (release: () => void) => void;

/**
 * A holder gets another permit while it has fewer than twice as many as are free: the first gets up to two thirds of all, the
 * second up to two thirds of the rest, and so on. So there is always room for a new holder, whatever the others do. The waiters
 * of one holder are served in order, the holders in turn.
 */
export function createFairSemaphore(permits: number): FairSemaphore {
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
      if (!next || heldBy(holder) >= SHARE_OF_FREE * free) continue;
      queue.shift();
      // Deleted and set again: the holder moves to the end.
      queues.delete(holder);
      if (queue.length > 0) queues.set(holder, queue);
      next(take(holder));
      return true;
    }
    return false;
  }

  return {
    acquire(holder) {
      const { promise, resolve } = Promise.withResolvers<() => void>();
      queues.set(holder, [...(queues.get(holder) ?? []), resolve]);
      admitNext();
      return promise;
    },
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
  };
}
