/** Calls `run` for a key at once, and however often it is asked again within `ms`, once more at their end. */
export interface Gather {
  ask(key: string): void;
  close(): void;
}

export function createGather(ms: number, run: (key: string) => void): Gather {
  /** Whether it was asked for again, by key. */
  const again = new Map<string, boolean>();
  const timers = new Set<NodeJS.Timeout>();

  function begin(key: string): void {
    again.set(key, false);
    const timer = setTimeout(() => {
      timers.delete(timer);
      const asked = again.get(key);
      again.delete(key);
      if (asked) begin(key);
    }, ms).unref();
    timers.add(timer);
    run(key);
  }

  return {
    ask(key) {
      if (again.has(key)) again.set(key, true);
      else begin(key);
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
      for (const [key, asked] of again) if (asked) run(key);
      again.clear();
    },
  };
}
