import { Unavailable } from '../errors.ts';

/** At most so many at a time for each key, the others in order; different keys do not wait for each other. */
export interface KeyedSemaphore {
  /** Runs `work` when it is its turn. Throws Unavailable if that takes longer than `patienceMs`; then `work` does not run. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedSemaphore(
  permits: number,
  { patienceMs, dependency }: { patienceMs: number; dependency: string },
): KeyedSemaphore {
  const lanes = new Map<string, { running: number; waiting: Set<() => void> }>();

  async function enter(key: string): Promise<void> {
    const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };
    lanes.set(key, lane);
    if (lane.running < permits) return void (lane.running += 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      lane.waiting.delete(resolve);
      reject(new Unavailable(dependency, `no turn within ${patienceMs} ms`));
    }, patienceMs);
    lane.waiting.add(resolve);
    await promise.finally(() => clearTimeout(timer));
  }

  function leave(key: string): void {
    const lane = lanes.get(key);
    if (!lane) return;
    // The turn goes straight to the next one.
    for (const next of lane.waiting) {
      lane.waiting.delete(next);
      return next();
    }
    lane.running -= 1;
    if (lane.running === 0) lanes.delete(key);
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
