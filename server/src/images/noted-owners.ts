import { performance } from 'node:perf_hooks';
import type { Owner } from '../lib/concurrency/fair-queue.ts';

/** For how long an owner is noted. */
const NOTED_MS = 10 * 60_000;
/** Remembered at once; beyond, the oldest are forgotten. */
const MAX_NAMES = 10_000;

export type NotedOwners = ReturnType<typeof createNotedOwners>;

/** Owners of photos that were dear, and the events of these: each for a while. `now` is monotonic, ms. */
export function createNotedOwners(now: () => number = () => performance.now()) {
  /** Until when, by owner and by event; the oldest first. */
  const until = new Map<string, number>();
  const nameOf = (owner: Owner): string => JSON.stringify(owner);

  return {
    /** `owner`: event, network and device. */
    note(owner: Owner): void {
      for (const name of [nameOf(owner), nameOf(owner.slice(0, 1))]) {
        until.delete(name);
        until.set(name, now() + NOTED_MS);
      }
      for (const [name, end] of until) {
        if (end > now() && until.size <= MAX_NAMES) break;
        until.delete(name);
      }
    },
    /** Of an event: whether one of its owners is noted. */
    has: (owner: Owner): boolean => (until.get(nameOf(owner)) ?? 0) > now(),
  };
}
