/**
 * Runs work at most once in a given time, however often it is requested: at once, or as soon as the pause since the last time is over. `cancel`
 * takes back a requested run that has not started yet.
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
