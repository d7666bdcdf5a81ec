/**
 * Returns a function that runs `work` once per `pauseMs` at most: at once, or as soon as the pause since the last run is over. `cancel`
 * withdraws a requested run that has not started yet.
 */
export function throttle(work: () => void, pauseMs: number) {
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
