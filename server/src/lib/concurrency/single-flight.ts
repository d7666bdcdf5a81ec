/** Time for which a result also answers later callers, ms. */
interface Keep {
  successMs?: number;
  failureMs?: number;
}

/** Allows one run at a time for each key; callers that come meanwhile share its result. */
export function createSingleFlight<T>({ successMs = 0, failureMs = 0 }: Keep = {}) {
  const runs = new Map<string, Promise<T>>();

  /** Returns the result of this key's running or kept run, else of a new run of `work`. */
  function run(key: string, work: () => Promise<T>): Promise<T> {
    const shared = runs.get(key);
    if (shared) return shared;
    const mine = work();
    runs.set(key, mine);
    const forget = (): void => void (runs.get(key) === mine && runs.delete(key));
    const keep = (ms: number) => (): void => {
      if (ms === 0) forget();
      else if (ms < Infinity) setTimeout(forget, ms).unref();
    };
    mine.then(keep(successMs), keep(failureMs));
    return mine;
  }

  return {
    run,
    /** Makes the next caller start a new run. Without a key: for all keys. */
    forget: (key?: string): void => void (key === undefined ? runs.clear() : runs.delete(key)),
    /** Resolves when all current runs have settled. */
    settled: async (): Promise<void> => void (await Promise.allSettled(runs.values())),
  };
}
