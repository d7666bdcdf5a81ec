/** Runs work at most once in a given time, however often it is requested. */
export interface Throttled {
  /** Does the work at once, or as soon as the pause since the last time is over. */
  (): void;
  /** Cancels a requested run that has not started yet. */
  cancel(): void;
}

export function throttle(work: () => void, pauseMs: number): Throttled {
  let last = Number.NEGATIVE_INFINITY;
  let timer: number | undefined;
  function run(): void {
    timer = undefined;
    last = performance.now();
    work();
  }
  return Object.assign(() => (timer ??= window.setTimeout(run, Math.max(0, last + pauseMs - performance.now()))), {
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  });
}
