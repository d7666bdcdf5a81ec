/** At most so many at a time; the others wait in order. */
export interface Semaphore {
  /** Waits for a permit. Resolves to the function that gives it back; calling that twice does no harm. */
  acquire(): Promise<() => void>;
  /** Runs `work` while holding a permit. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(permits: number): Semaphore {
  const queue: (() => void)[] = [];
  let free = permits;

  async function acquire(): Promise<() => void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    let released = false;
    return () => {
      if (released) return;
      released = true;
      // The permit goes straight to the next in the queue, so that a newcomer cannot take it first.
      const next = queue.shift();
      if (next) next();
      else free += 1;
    };
  }

  return {
    acquire,
    async run(work) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
