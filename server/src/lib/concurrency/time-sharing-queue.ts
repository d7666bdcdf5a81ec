/** Work that waits, by owner. */
export interface TimeSharingQueue<T> {
  add(owner: string, work: T): void;
  /** The work to begin next; `done` is called when it has ended, whether well or not. */
  take(): { work: T; done(): void } | undefined;
  /** Takes work out that has not begun. False where it has begun or was never added. */
  remove(owner: string, work: T): boolean;
  /** Takes out all work that has not begun. */
  clear(): T[];
  waiting(): number;
}

interface Owner<T> {
  queue: T[];
  /** ms used by work that has ended. A new owner starts at the queue's `usedMs`, not at 0. */
  usedMs: number;
  /** When each running work began. */
  running: Set<{ sinceMs: number }>;
}

/**
 * Takes from the owner that has used the least time so far, so that owners share time, not the number of jobs: one with jobs of
 * 30 s delays the others' jobs of 0.1 s once, not at each turn. An owner's own jobs are taken in order.
 */
export function createTimeSharingQueue<T>(now: () => number = () => performance.now()): TimeSharingQueue<T> {
  const owners = new Map<string, Owner<T>>();
  /** What the owner taken last had used by then. A new owner starts here, so that it need not be caught up with. */
  let usedMs = 0;

  const usedBy = (owner: Owner<T>): number => [...owner.running].reduce((sum, { sinceMs }) => sum + now() - sinceMs, owner.usedMs);

  function ownerOf(name: string): Owner<T> {
    const owner = owners.get(name) ?? { queue: [], usedMs, running: new Set() };
    // An owner without work saves up no time.
    if (owner.queue.length === 0 && owner.running.size === 0) owner.usedMs = Math.max(owner.usedMs, usedMs);
    owners.set(name, owner);
    return owner;
  }

  /** Owners without work that are not ahead of the others would start at the same point anew. */
  function forgetIdle(): void {
    for (const [name, owner] of owners) {
      if (owner.queue.length === 0 && owner.running.size === 0 && owner.usedMs <= usedMs) owners.delete(name);
    }
  }

  return {
    add: (owner, work) => void ownerOf(owner).queue.push(work),
    take() {
      const next = [...owners.values()].filter(({ queue }) => queue.length > 0).toSorted((a, b) => usedBy(a) - usedBy(b))[0];
      const work = next?.queue.shift();
      if (!next || work === undefined) return undefined;
      usedMs = Math.max(usedMs, usedBy(next));
      const run = { sinceMs: now() };
      next.running.add(run);
      const done = (): void => {
        if (next.running.delete(run)) next.usedMs += now() - run.sinceMs;
        forgetIdle();
      };
      return { work, done };
    },
    remove(owner, work) {
      const queue = owners.get(owner)?.queue ?? [];
      const at = queue.indexOf(work);
      if (at >= 0) queue.splice(at, 1);
      return at >= 0;
    },
    clear: () => [...owners.values()].flatMap(({ queue }) => queue.splice(0)),
    waiting: () => [...owners.values()].reduce((sum, { queue }) => sum + queue.length, 0),
  };
}
