import { performance } from 'node:perf_hooks';
import type { Owner } from '../lib/concurrency/fair-queue.ts';

/** Time for which an owner stays noted. */
const NOTED_MS = 10 * 60_000;
/** Most names remembered; further ones displace the oldest. */
const MAX_NAMES = 10_000;

export type NotedOwners = ReturnType<typeof createNotedOwners>;

/** Remembers for a while the owners of dear photos, and their events. `now` is monotonic, ms. */
export function createNotedOwners(now: () => number = () => performance.now()) {
  /** End of each note by owner and by event, the oldest first. */
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
    /** Tells whether the owner is noted; for an event, whether one of its owners is. */
    has: (owner: Owner): boolean => (until.get(nameOf(owner)) ?? 0) > now(),
  };
}
