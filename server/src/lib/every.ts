import type { Log } from './log.ts';

export interface Loop {
  /** Schedules a run within `ms` (default: at once), after the current run. */
  soon(ms?: number): void;
  /** Reports the failure of work that a run began without waiting for it. */
  failed(error: unknown): void;
  /** Resolves when the last run is over, once the process ends. */
  ended(): Promise<void>;
}

interface Options {
  log: Pick<Log, 'error'>;
  /** Ends the loop. */
  ending: AbortSignal;
  /** Log line for a failure; of several in a row only the first one is logged, as an outage has many. */
  failed: string;
  /** Ms until the first run. */
  first?: number;
}

/** Runs `work` repeatedly, `ms` after each run. `work` may return another pause, ms, or Infinity for no further run. */
export function every(ms: number, { log, ending, failed, first = 0 }: Options, work: () => Promise<number | void>): Loop {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let running: Promise<void> | undefined;
  let failing = false;

  function plan(pause: number): void {
    const at = performance.now() + pause;
    if (at >= dueAt || ending.aborted) return;
    dueAt = at;
    clearTimeout(timer);
    if (!running) timer = setTimeout(begin, pause).unref();
  }

  function fail(error: unknown): void {
    if (!failing && !ending.aborted) log.error({ err: error }, failed);
    failing = true;
  }

  async function run(): Promise<void> {
    let pause: number | void = ms;
    try {
      pause = await work();
      failing = false;
    } catch (error) {
      fail(error);
    }
    running = undefined;
    const asked = Math.max(0, dueAt - performance.now());
    dueAt = Infinity;
    plan(Math.min(asked, pause ?? ms));
  }

  function begin(): void {
    dueAt = Infinity;
    if (!ending.aborted) running = run();
  }

  ending.addEventListener('abort', () => clearTimeout(timer), { once: true });
  if (first > 0) plan(first);
  else begin();
  return { soon: (within = 0) => plan(within), failed: fail, ended: async () => running };
}
