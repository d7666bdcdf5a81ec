import type { Done, Job } from './keep.worker.ts';

/** A worker whose code has not come by then is given up: the line is dead. */
const START_MS = 3_000;

export interface Work {
  /** Resolves when it is this job's turn and it is done; null where the worker could not be started. */
  do(job: Job): Promise<Done | null>;
  close(): void;
}

/** A worker without a job for this long ends; the next job starts another. */
const IDLE_MS = 5_000;
/** A job that is not done by then is given up, and its worker with it: the next ones must not wait for a file that a cloud never sends. */
const JOB_MS = 30_000;

/** A worker that does one job after the other. Its code is loaded at once, while there is a network. */
export function createWork(): Work {
  let worker: Worker | null = null;
  let answer: ((done: Done | null) => void) | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle = 0;
  let closed = false;
  let started = start();

  function stop(): void {
    clearTimeout(idle);
    worker?.terminate();
    worker = null;
    answer?.(null);
  }

  function start(): Promise<boolean> {
    return new Promise((resolve) => {
      const begun = new Worker(new URL('./keep.worker.ts', import.meta.url), { type: 'module' });
      worker = begun;
      const timer = setTimeout(stop, START_MS);
      answer = () => resolve(false);
      begun.onmessage = ({ data }: MessageEvent<Done | 'ready'>) => {
        if (data !== 'ready') return answer?.(data);
        clearTimeout(timer);
        idle = window.setTimeout(stop, IDLE_MS);
        resolve(true);
      };
      // Its code did not come, or it broke: another one does the next job.
      begun.onerror = stop;
    });
  }

  async function one(job: Job): Promise<Done | null> {
    if (closed) return null;
    clearTimeout(idle);
    if (!worker) started = start();
    if (!(await started)) return null;
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        answer?.({ failed: 'TimeoutError' });
        stop();
      }, JOB_MS);
      answer = (done) => {
        clearTimeout(late);
        idle = window.setTimeout(stop, IDLE_MS);
        resolve(done);
      };
      worker?.postMessage(job);
    });
  }

  return {
    do(job) {
      const done = last.then(() => one(job));
      last = done;
      return done;
    },
    close() {
      closed = true;
      stop();
    },
  };
}
