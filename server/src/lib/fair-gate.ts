import { Refusal } from './errors.ts';

/** Nobody holds more than so many times the places that are left free. */
const GREED = 2;
/** Who is sent away comes back after, s. */
const RETRY = 10;

/** How many may wait, of one owner and of all. */
interface Patience {
  each: number;
  all: number;
}

/** Places that many owners share. */
export interface FairGate {
  /**
   * Waits for a place, `most` of which the owner may hold at once. Resolves to the function that leaves it again. Throws Refusal
   * unavailable where too many wait already.
   */
  enter(owner: string, most?: number): Promise<() => void>;
  /** How many wait. */
  waiting(): number;
}

interface Waiting {
  most: number;
  begin(leave: () => void): void;
}

/**
 * Lets owners in as long as each holds less than twice what is left of `slots`: one alone gets two thirds, the next two
 * thirds of the rest, so that there is room for those who come later, whatever the first ones do. An owner's own wait in
 * order; owners take turns.
 */
export function createFairGate(slots: number, { each, all }: Patience = { each: Infinity, all: Infinity }): FairGate {
  const held = new Map<string, number>();
  /** By owner, in the order of their turns. */
  const queues = new Map<string, Waiting[]>();
  let free = slots;

  const heldBy = (owner: string): number => held.get(owner) ?? 0;

  function hold(owner: string): () => void {
    free -= 1;
    held.set(owner, heldBy(owner) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      free += 1;
      if (heldBy(owner) === 1) held.delete(owner);
      else held.set(owner, heldBy(owner) - 1);
      while (admitNext());
    };
  }

  function admitNext(): boolean {
    for (const [owner, queue] of queues) {
      const [next] = queue;
      if (!next || heldBy(owner) >= Math.min(next.most, GREED * free)) continue;
      queue.shift();
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      next.begin(hold(owner));
      return true;
    }
    return false;
  }

  const waiting = (): number => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);

  return {
    waiting,
    async enter(owner, most = Infinity) {
      const { promise, resolve } = Promise.withResolvers<() => void>();
      const queue = queues.get(owner) ?? [];
      const waiter = { most, begin: resolve };
      queue.push(waiter);
      queues.set(owner, queue);
      if (!admitNext() && (queue.length > each || waiting() > all)) {
        queue.pop();
        if (queue.length === 0) queues.delete(owner);
        throw new Refusal('unavailable', { retryAfter: RETRY });
      }
      return promise;
    },
  };
}
