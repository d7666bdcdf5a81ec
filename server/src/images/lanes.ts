/** Work that waits, in lanes; each lane is somebody's. */
export interface Lanes<T> {
  add(lane: string, work: T): void;
  /** The next to begin; `done` is called when it has ended, however. */
  take(): { work: T; done(): void } | undefined;
  /** Takes out what has not begun. False where it is not there (any more). */
  remove(lane: string, work: T): boolean;
  /** Takes out all. */
  clear(): T[];
  waiting(): number;
}

interface Lane<T> {
  queue: T[];
  /** ms of work that ended, counted from what the others had had when it came. */
  spent: number;
  /** When what runs began. */
  running: Set<{ since: number }>;
}

/**
 * Begins with the lane that had least time so far, so that lanes share the time, not the number: one with work of half a
 * minute each delays the others' work of a tenth of a second once, not always. Within a lane in order.
 */
export function createLanes<T>(now: () => number = () => performance.now()): Lanes<T> {
  const lanes = new Map<string, Lane<T>>();
  /** What the lane that began last had had; who comes anew has no more to catch up on. */
  let level = 0;

  const spentBy = ({ spent, running }: Lane<T>): number => [...running].reduce((sum, { since }) => sum + now() - since, spent);

  function laneOf(name: string): Lane<T> {
    const lane = lanes.get(name) ?? { queue: [], spent: level, running: new Set() };
    // After a pause it does not get what the others had meanwhile.
    if (lane.queue.length === 0 && lane.running.size === 0) lane.spent = Math.max(lane.spent, level);
    lanes.set(name, lane);
    return lane;
  }

  /** Lanes at rest whose time the others have had, too, are as good as new. */
  function forget(): void {
    for (const [name, { queue, running, spent }] of lanes) {
      if (queue.length === 0 && running.size === 0 && spent <= level) lanes.delete(name);
    }
  }

  return {
    add: (name, work) => void laneOf(name).queue.push(work),
    take() {
      const next = [...lanes.values()].filter(({ queue }) => queue.length > 0).toSorted((a, b) => spentBy(a) - spentBy(b))[0];
      const work = next?.queue.shift();
      if (!next || work === undefined) return undefined;
      level = Math.max(level, spentBy(next));
      const run = { since: now() };
      next.running.add(run);
      const done = (): void => {
        if (next.running.delete(run)) next.spent += now() - run.since;
        forget();
      };
      return { work, done };
    },
    remove(name, work) {
      const queue = lanes.get(name)?.queue ?? [];
      const at = queue.indexOf(work);
      if (at >= 0) queue.splice(at, 1);
      return at >= 0;
    },
    clear: () => [...lanes.values()].flatMap(({ queue }) => queue.splice(0)),
    waiting: () => [...lanes.values()].reduce((sum, { queue }) => sum + queue.length, 0),
  };
}
