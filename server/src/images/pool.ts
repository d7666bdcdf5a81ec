import type { Bytes } from '../lib/bytes.ts';
import { createFairQueue, type Owner } from '../lib/concurrency/fair-queue.ts';
import { Refusal } from '../lib/errors.ts';
import { ChildDied, ChildKilled, Refused, SourceFailed, TooDear } from './child.ts';
import { createCrew, type CrewOptions, type Member } from './crew.ts';
import { NotAPhoto, TooManyPixels, type Asker } from './decoder.ts';
import type { Answer, Task, VideoTask } from './messages.ts';
import { createNotedOwners, type NotedOwners } from './noted-owners.ts';

/** Part of the message by which sharp and our decoders refuse a picture with more than MAX_PIXELS. */
const PIXEL_LIMIT = /exceeds pixel limit/;

/** `continued` finishes another process's work before anything new begins; `background` runs only while nothing else waits. */
export type Priority = 'continued' | 'normal' | 'background';

export interface Job<T> extends Asker {
  priority: Priority;
  task: Task | VideoTask;
  /** May be called twice: a photo whose process died gets a second process. */
  source: () => AsyncIterable<Bytes>;
  /** Bytes that `source` yields. */
  size: number;
  /** Limit of the answer's body. */
  maxAnswerBytes: number;
  /**
   * The process takes its next job only when this has settled, so that answers do not pile up in memory. `more` sends a process the bytes
   * that it asked for and returns its next answer; the whole exchange is one job, and counts for the owner.
   */
  use(answer: Answer, more: More): T | Promise<T>;
}

type More = (source: () => AsyncIterable<Bytes>, size: number) => Promise<Answer>;

export interface PoolOptions extends CrewOptions {
  /** CPU time of a photo, ms, above which its device leaves a process to the others, as dear pictures do. Default: none. */
  slowMs?: number;
  /** Starts all processes at once instead of with the first jobs. */
  eager: boolean;
  /** Notes about senders; pools may share them. */
  offenders?: NotedOwners;
}

export type Pool = ReturnType<typeof createPool>;

/** A job that waits for a process. */
interface Waiting {
  owner: Owner;
  begin(turn: Turn): void;
  reject(error: Error): void;
}

/** A process for one job. */
interface Turn {
  member: Member;
  /** Ends the turn that the queue charges to the owner. */
  done?: () => void;
}

/** Length of an owner's path down to the device; dear pictures add DEAR. */
const SENDER = 3;
const DEAR = 'dear';
/** Seconds until a refused caller may try again. */
const RETRY_AFTER_S = 10;

/** Creates a pool of decoder processes. Waiting jobs are closures: nothing of a photo is read before a process is free for it. */
export function createPool({
  launch,
  size,
  limits,
  recycle,
  slowMs = Infinity,
  idleMs,
  eager,
  log,
  offenders = createNotedOwners(),
}: PoolOptions) {
  const continued: { work: Waiting; done?: () => void }[] = [];
  const share = { share: 'time', isLast: (owner: Owner) => offenders.has(owner.slice(0, SENDER)), most: mostOf } as const;
  const queues = {
    normal: createFairQueue<Waiting>(share),
    background: createFairQueue<Waiting>({ ...share, maxWaitMs: Infinity }),
  };
  const slow = createNotedOwners();
  const crew = createCrew({ launch, size, limits, recycle, idleMs, log }, { changed: advance, hopeless });
  let closed = false;

  const isSlow = (owner: Owner): boolean => owner.length > SENDER || (owner.length === SENDER && slow.has(owner));

  /**
   * Limits an owner's busy processes. An event with a photo that was killed leaves one process to the others, in all priorities together;
   * so do, together, slow devices and dear pictures of all events.
   */
  function mostOf(owner: Owner): number {
    const leavesOne = owner.length === 1 ? offenders.has(owner) : isSlow(owner);
    if (!leavesOne) return Infinity;
    const busy = crew.busyWith((member) => (owner.length === 1 ? member.event === owner[0] : member.slow));
    return busy < Math.max(1, size - 1) ? Infinity : 0;
  }

  function hopeless(cause: Error) {
    rejectWaiting(new Refusal('unavailable', { retryAfter: RETRY_AFTER_S, cause }));
  }

  function rejectWaiting(error: Error) {
    for (const { work } of continued.splice(0)) work.reject(error);
    for (const queue of [queues.normal, queues.background]) queue.clear(error);
  }

  /** Gives waiting jobs to free processes, and starts processes for the rest. */
  function advance() {
    if (closed) return;
    while (crew.hasFree()) {
      const next = continued.shift() ?? queues.normal.take() ?? queues.background.take();
      if (!next) break;
      const member = crew.take(next.work.owner[0] ?? null);
      if (!member) {
        continued.unshift(next);
        break;
      }
      member.slow = isSlow(next.work.owner);
      next.work.begin({ member, ...next });
    }
    crew.staff(waitingCount());
  }

  const waitingCount = () => continued.length + queues.normal.waiting() + queues.background.waiting();

  function turnOf({ priority, signal, ...asker }: Pick<Job<unknown>, 'priority' | keyof Asker>, isDear: boolean): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const work: Waiting = { owner: isDear ? [...pathOf(asker), DEAR] : pathOf(asker), begin: resolve, reject };
    if (priority === 'continued') continued.push({ work });
    else queues[priority].add(work.owner, work, reject, signal);
    advance();
    return promise;
  }

  /**
   * Runs a job. Throws NotAPhoto, Refusal unavailable (no process could be started, or two were killed), and errors of `source` and `use`.
   */
  async function run<T>({ task, source, size: photoBytes, maxAnswerBytes, use, ...job }: Job<T>): Promise<T> {
    /** The header was read; the photo waits for a second turn. */
    let isDear = false;
    for (let attempt = 1; ;) {
      if (closed) throw new Error('the decoder is closed');
      const { member, done } = await turnOf(attempt === 1 ? job : { ...job, priority: 'continued' }, isDear);
      const cpuBefore = member.child.cpu();
      /** The process waits for bytes that it asked for. */
      let asking = false;
      const more: More = async (source, size) => {
        asking = true;
        const answer = await member.child.run({}, source, size, maxAnswerBytes);
        asking = false;
        return answer;
      };
      let usable = true;
      try {
        const answer = await member.child.run({ ...task, unlessDear: !isDear }, source, photoBytes, maxAnswerBytes);
        if (isDear || !isPutOff(answer.header)) return await use(answer, more);
        isDear = true;
      } catch (error) {
        const refused = error instanceof Refused && !recycle.refused;
        if (refused) member.suspect = true;
        if (error instanceof TooDear) offenders.note(pathOf(job));
        usable = refused || (error instanceof SourceFailed && !asking);
        // The process may have died for another cause (the kernel was short of memory), so the photo gets a second one.
        if (!(error instanceof ChildDied) || attempt > 1 || closed) throw blame(error);
        attempt++;
      } finally {
        // `cpu()` is 0 until the pid is known, a moment after the process is ready; its start would count for the photo.
        if (cpuBefore > 0 && member.child.cpu() - cpuBefore > slowMs) slow.note(pathOf(job));
        done?.();
        crew.release(member, usable);
      }
    }
  }

  async function close() {
    closed = true;
    rejectWaiting(new Error('the decoder is closed'));
    await crew.close();
  }

  if (eager) crew.fill();
  return {
    run,
    /** Jobs that no process has begun. */
    waiting: waitingCount,
    pids: crew.pids,
    memory: crew.memory,
    failing: crew.failing,
    close,
  };
}

/**
 * Returns the owner's path: events share the time of the processes, networks that of their event, devices that of their network. The
 * server's own jobs for an event count as one more network.
 */
const pathOf = ({ owner, network = '', device = '' }: Asker): Owner => [owner, network, device];

/** Recognizes `{dear: true}`. The answer is untrusted: a lie costs the sender a second turn at most. */
const isPutOff = (header: unknown): boolean => typeof header === 'object' && header !== null && 'dear' in header;

/** Returns the caller's error for a job that failed for good. */
function blame(error: unknown): unknown {
  if (error instanceof SourceFailed) return error.cause;
  if (error instanceof ChildKilled) return new Refusal('unavailable', { retryAfter: RETRY_AFTER_S, cause: error });
  if (error instanceof Refused && PIXEL_LIMIT.test(error.message)) return new TooManyPixels(error.message);
  return error instanceof ChildDied ? new NotAPhoto(error.message) : error;
}
