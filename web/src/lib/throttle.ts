/** Work that is asked for often and done at most every so often. */
export interface Throttled {
  /** Does the work at once, or as soon as the pause since the last time is over. */
  (): void;
  /** Drops what was asked for and is not done yet. */
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
