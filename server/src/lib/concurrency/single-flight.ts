/** How long a result answers later callers, too, ms. */
interface Keep {
  successMs?: number;
  failureMs?: number;
}

/** One run at a time for each key; callers that come meanwhile share its result. */
export function createSingleFlight<T>({ successMs = 0, failureMs = 0 }: Keep = {}) {
  const runs = new Map<string, Promise<T>>();

  /** The result of the run of this key that is under way or kept, else of a new run of `work`. */
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
    /** The next caller starts a new run. Without a key: of all keys. */
    forget: (key?: string): void => void (key === undefined ? runs.clear() : runs.delete(key)),
    /** Resolves when the runs that are under way have settled. */
    settled: async (): Promise<void> => void (await Promise.allSettled(runs.values())),
  };
}
