/** One at a time for each key, in order; different keys do not wait for each other. */
export interface KeyedMutex {
  /** Runs `work` when all earlier work of this key has settled, whether it failed or not. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  /** The last work of each key. */
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
