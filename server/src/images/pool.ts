import type { Bytes } from '../lib/bytes.ts';
import { createTimeSharingQueue } from '../lib/concurrency/time-sharing-queue.ts';
import { Refusal } from '../lib/errors.ts';
import { startChild, ChildDied, ChildKilled, NotBegun, Refused, type Child, type Limits } from './child.ts';
import { NotAPhoto, TooManyPixels } from './decoder.ts';
import type { Answer } from './frames.ts';
import type { Task } from './messages.ts';
import type { Launch } from './sandbox.ts';

/** What sharp and our own decoders say of a picture with more than MAX_PIXELS. */
const PIXEL_LIMIT = /exceeds pixel limit/;

/** `first`: what has begun is finished before anything new. `soon`: by lanes. `quiet`: only while nothing else waits. */
export type Turn = 'first' | 'soon' | 'quiet';

export interface Job<T> {
  turn: Turn;
  /** Whose it is: lanes share the time of the processes. */
  lane: string;
  /** Drops the job while it waits; its reason is thrown. */
  signal?: AbortSignal | undefined;
  task: Task;
  /** May be called twice: a photo whose process died gets a second one. */
  source: () => AsyncIterable<Bytes>;
  /** Bytes that `source` yields. */
  size: number;
  /** Most bytes that the answer's body may have. */
  most: number;
  /** Its process takes the next job only when this has settled, so that answers don't pile up. */
  use(answer: Answer): T | Promise<T>;
}

export interface PoolOptions {
  launch: Launch;
  /** Most processes at once. */
  size: number;
  limits: Limits;
  /** A process is replaced after so many jobs, above so many resident bytes, or (if set) after a refusal. */
  recycle: { jobs: number; memory: number; refused: boolean };
  /** ms after which an idle process ends; null: all processes are started at once and kept. */
  idle: number | null;
  log: { error(message: string): void };
}

export interface Pool {
  /** Throws NotAPhoto, Refusal unavailable (the system ended the processes, twice), and what source and use throw. */
  run<T>(job: Job<T>): Promise<T>;
  /** Of the processes that run now. */
  pids(): number[];
  /** Jobs that no process has begun. */
  waiting(): number;
  /** Resident bytes of all processes. */
  memory(): number;
  close(): Promise<void>;
}

interface Waiting {
  /** Resolves to whether the process may be kept. Never rejects. */
  start(child: Child): Promise<boolean>;
  reject(error: Error): void;
}

interface Next {
  work: Waiting;
  /** Where its time is counted. */
  done?: () => void;
}

interface Member {
  child: Child;
  state: 'starting' | 'idle' | 'busy' | 'ending';
  jobs: number;
  rest: NodeJS.Timeout | undefined;
}

/** Starts in a row that fail until those who wait are told. */
const MAX_FAILED_STARTS = 3;
/** When the system may have memory again. */
const RETRY_SECONDS = 10;

/** A pool of decoder processes. Jobs wait as closures: nothing of a photo is read before its turn. */
export function createPool({ launch, size, limits, recycle, idle, log }: PoolOptions): Pool {
  const first: Waiting[] = [];
  const queues = { soon: createTimeSharingQueue<Waiting>(), quiet: createTimeSharingQueue<Waiting>() };
  const members = new Set<Member>();
  let failedStarts = 0;
  let closed = false;

  function addMember() {
    const member: Member = { child: startChild(launch, limits), state: 'starting', jobs: 0, rest: undefined };
    members.add(member);
    member.child.ready.then(
      () => {
        failedStarts = 0;
        member.state = 'idle';
        advance();
      },
      (error: Error) => startFailed(error),
    );
    void member.child.ended.then(() => {
      clearTimeout(member.rest);
      members.delete(member);
      advance();
    });
  }

  function startFailed(error: Error) {
    if (closed) return;
    failedStarts++;
    log.error(`decoder process did not start: ${error.message}`);
    if (failedStarts % MAX_FAILED_STARTS === 0) rejectWaiting(new Error('the decoder does not start', { cause: error }));
  }

  function rejectWaiting(error: Error) {
    for (const waiting of [...first.splice(0), ...queues.soon.clear(), ...queues.quiet.clear()]) waiting.reject(error);
  }

  function take(): Next | undefined {
    const begun = first.shift();
    return begun ? { work: begun } : (queues.soon.take() ?? queues.quiet.take());
  }

  /** Gives waiting jobs to idle processes, and starts processes where they are needed. */
  function advance() {
    if (closed) return;
    for (const member of members) {
      if (member.state !== 'idle') continue;
      const next = take();
      if (!next) break;
      void work(member, next);
    }
    const wanted = idle === null && failedStarts < MAX_FAILED_STARTS ? size : waitingCount() + busyCount();
    while (members.size < Math.min(size, wanted)) addMember();
  }

  async function work(member: Member, { work: waiting, done }: Next) {
    clearTimeout(member.rest);
    member.state = 'busy';
    member.jobs++;
    const keep = await waiting.start(member.child);
    done?.();
    if (!keep || member.jobs >= recycle.jobs || member.child.memory() > recycle.memory) {
      return retire(member);
    }
    member.state = 'idle';
    if (idle !== null) member.rest = setTimeout(() => retire(member), idle);
    advance();
  }

  /** Its end makes room for the next. */
  function retire(member: Member) {
    member.state = 'ending';
    member.child.kill();
  }

  const waitingCount = () => first.length + queues.soon.waiting() + queues.quiet.waiting();
  const busyCount = () => [...members].filter((member) => member.state === 'busy').length;

  function run<T>(job: Job<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('the decoder is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { turn, lane, signal, task, source, size, most, use } = job;
    let attempts = 0;
    const waiting: Waiting = {
      reject,
      async start(child) {
        signal?.removeEventListener('abort', drop);
        attempts++;
        try {
          resolve(await use(await child.run(task, source, size, most)));
          return true;
        } catch (error) {
          // Perhaps somebody else's fault (the kernel was short of memory), so it gets a second process.
          if (error instanceof ChildDied && attempts === 1 && !closed) first.unshift(waiting);
          else reject(blame(error));
          return error instanceof NotBegun || (error instanceof Refused && !recycle.refused);
        }
      },
    };
    const drop = (): void => {
      if (turn !== 'first' && queues[turn].remove([lane], waiting)) reject(signal?.reason);
    };
    if (turn === 'first') first.push(waiting);
    else queues[turn].add([lane], waiting);
    signal?.addEventListener('abort', drop, { once: true });
    if (signal?.aborted) drop();
    advance();
    return promise;
  }

  async function close() {
    closed = true;
    rejectWaiting(new Error('the decoder is closed'));
    await Promise.all(
      [...members].map(({ child }) => {
        child.kill();
        return child.ended;
      }),
    );
  }

  if (idle === null) advance();
  const pids = () => [...members].map(({ child }) => child.pid()).filter((pid) => pid !== null);
  const memory = () => [...members].reduce((sum, { child }) => sum + child.memory(), 0);
  return { run, pids, waiting: waitingCount, memory, close };
}

/** Whose fault it is that a job failed for good. */
function blame(error: unknown): unknown {
  if (error instanceof NotBegun) return error.cause;
  if (error instanceof ChildKilled) return new Refusal('unavailable', { retryAfter: RETRY_SECONDS, cause: error });
  if (error instanceof Refused && PIXEL_LIMIT.test(error.message)) return new TooManyPixels(error.message);
  return error instanceof ChildDied ? new NotAPhoto(error.message) : error;
}
