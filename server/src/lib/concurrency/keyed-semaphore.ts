import { Unavailable } from '../errors.ts';

/** At most so many at a time for each key, the others in order; different keys do not wait for each other. */
export interface KeyedSemaphore {
  /** Runs `work` when it is its turn. Throws Unavailable if that takes longer than the limit's `maxWaitMs`; then `work` does not run. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** With one permit it is a mutex for each key. `limit`: what waits for longer fails, as this dependency does. */
export function createKeyedSemaphore(permits: number, limit?: { maxWaitMs: number; dependency: string }): KeyedSemaphore {
  const queues = new Map<string, { running: number; waiting: Set<() => void> }>();

  async function enter(key: string): Promise<void> {
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
    queues.set(key, queue);
    if (queue.running < permits) return void (queue.running += 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = ({ dependency, maxWaitMs }: NonNullable<typeof limit>): void => {
      queue.waiting.delete(resolve);
      reject(new Unavailable(dependency, `no permit within ${maxWaitMs} ms`));
    };
    const timer = limit && setTimeout(giveUp, limit.maxWaitMs, limit);
    queue.waiting.add(resolve);
    await promise.finally(() => clearTimeout(timer));
  }

  function leave(key: string): void {
    const queue = queues.get(key);
    if (!queue) return;
    // The permit goes straight to the next one.
    for (const next of queue.waiting) {
      queue.waiting.delete(next);
      return next();
    }
    queue.running -= 1;
    if (queue.running === 0) queues.delete(key);
  }

  return {
    async run(key, work) {
      await enter(key);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
  };
}
