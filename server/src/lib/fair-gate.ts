import { Refusal } from './errors.ts';

/** Who is sent away comes back after, s. */
const RETRY = 10;

export interface FairGate {
  /** Runs work when it is its sender's turn. Throws Refusal unavailable where too much of this sender waits already. */
  run<T>(sender: string, work: () => Promise<T>): Promise<T>;
}

/**
 * One piece of work at a time, the senders in turn and the work of each in its order: who sends much holds up oneself, and
 * everybody else by one piece.
 */
export function createFairGate({ waitingEach, waitingAll }: { waitingEach: number; waitingAll: number }): FairGate {
  /** The sender whose turn is next comes first; none is without work. */
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  let busy = false;

  function wait(sender: string): Promise<void> {
    const queue = queues.get(sender) ?? [];
    if (queue.length >= waitingEach || waiting >= waitingAll) throw new Refusal('unavailable', { retryAfter: RETRY });
    waiting += 1;
    queues.set(sender, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Hands the place on. */
  function leave(): void {
    const [next] = queues;
    if (!next) {
      busy = false;
      return;
    }
    const [sender, queue] = next;
    const enter = queue.shift();
    queues.delete(sender);
    if (queue.length > 0) queues.set(sender, queue);
    waiting -= 1;
    enter?.();
  }

  return {
    async run(sender, work) {
      if (busy) await wait(sender);
      busy = true;
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
