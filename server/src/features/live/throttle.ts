import { setTimeout } from 'node:timers/promises';

/** Calls `run` for a key at once, and however often it is called again within `ms` or until that run has ended, once more then. */
export interface KeyedThrottle {
  call(key: string): void;
  close(): void;
}

/** `run` must not reject. */
export function createKeyedThrottle(ms: number, run: (key: string) => Promise<void>): KeyedThrottle {
  /** Whether it was called again, by key. */
  const again = new Map<string, boolean>();

  async function begin(key: string): Promise<void> {
    do {
      again.set(key, false);
      await Promise.all([run(key), setTimeout(ms, undefined, { ref: false })]);
    } while (again.get(key));
    again.delete(key);
  }

  return {
    call(key) {
      if (again.has(key)) again.set(key, true);
      else void begin(key);
    },
    close() {
      for (const [key, called] of again) if (called) void run(key);
      again.clear();
    },
  };
}
