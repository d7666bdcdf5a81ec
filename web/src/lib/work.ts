import { within } from './time-limit.ts';

/** Time without a job after which a worker ends; the next job starts another. */
const IDLE_MS = 5_000;

export interface Limits {
  /** Limit for the start of a worker, whose code has to load. */
  startMs: number;
  /** Limit of a job, which ends its worker, too: the next jobs must not wait for a file that a cloud never sends. */
  jobMs: number;
}

/** The reason why a job was not done: the name of its error, or one of these. */
export interface Failed {
  failed: 'NotStarted' | 'TooLate' | (string & {});
}
const NOT_STARTED: Failed = { failed: 'NotStarted' };
const TOO_LATE: Failed = { failed: 'TooLate' };

export type Work<Job, Done> = ReturnType<typeof createWork<Job, Done>>;

/** Creates a worker that does one job after the other. Its code is loaded at once, while there is a network. */
export function createWork<Job, Done>(make: () => Worker, { startMs, jobMs }: Limits) {
  let worker: Worker | null = null;
  let answer: ((said: Done | Failed | 'ready') => void) | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle = 0;
  let closed = false;
  let started = start();

  function stop(): void {
    clearTimeout(idle);
    worker?.terminate();
    worker = null;
    answer?.(NOT_STARTED);
  }

  function rest(): void {
    clearTimeout(idle);
    if (worker) idle = window.setTimeout(stop, IDLE_MS);
  }

  /** Waits for the worker's next message; ends a worker that takes longer than `ms`. */
  async function answered(ms: number): Promise<Done | Failed | 'ready'> {
    const said = await within(ms, new Promise<Done | Failed | 'ready'>((resolve) => (answer = resolve)), TOO_LATE);
    answer = null;
    if (said === TOO_LATE) stop();
    return said;
  }

  /** Starts a worker; returns whether its code came. */
  async function start(): Promise<boolean> {
    worker = make();
    worker.onmessage = ({ data }: MessageEvent<Done | Failed | 'ready'>) => answer?.(data);
    // The code did not come, or the worker crashed; the next job starts another worker.
    worker.onerror = stop;
    const isThere = (await answered(startMs)) === 'ready';
    rest();
    return isThere;
  }

  async function one(job: Job, onBegin?: () => void): Promise<Done | Failed> {
    if (!worker && !closed) started = start();
    if (closed || !(await started)) return NOT_STARTED;
    clearTimeout(idle);
    worker?.postMessage(job);
    onBegin?.();
    return (await answered(jobMs)) as Done | Failed;
  }

  return {
    /** Resolves once the job had its turn and is done. `onBegin` is called once a worker has it, whose code has loaded. */
    do(job: Job, onBegin?: () => void): Promise<Done | Failed> {
      const done = last.then(() => one(job, onBegin)).finally(rest);
      last = done;
      return done;
    },
    close(): void {
      closed = true;
      stop();
    },
  };
}

/** Runs the worker's side of `createWork`: does each job, and answers with its result or its error's name. */
export function serve<Job, Done>(work: (job: Job) => Promise<Done>): void {
  self.onmessage = async ({ data }: MessageEvent<Job>) => self.postMessage(await work(data).catch(({ name }: Error) => ({ failed: name })));
  self.postMessage('ready');
}
