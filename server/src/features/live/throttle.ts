/** Calls `run` for a key at once, and however often it is called again within `ms`, once more at their end. */
export interface KeyedThrottle {
  call(key: string): void;
  close(): void;
}

export function createKeyedThrottle(ms: number, run: (key: string) => void): KeyedThrottle {
  /** Whether it was called again, by key. */
  const again = new Map<string, boolean>();

  function begin(key: string): void {
    again.set(key, false);
    setTimeout(() => {
      const called = again.get(key);
      again.delete(key);
      if (called) begin(key);
    }, ms).unref();
    run(key);
  }

  return {
    call(key) {
      if (again.has(key)) again.set(key, true);
      else begin(key);
    },
    close() {
      for (const [key, called] of again) if (called) run(key);
      again.clear();
    },
  };
}
