import { startChild, type Child, type Limits } from './child.ts';
import type { Launch } from './sandbox.ts';

export interface CrewOptions {
  launch: Launch;
  /** Most processes that work at once. */
  size: number;
  limits: Limits;
  /** A process is replaced after so many jobs, above so much resident memory, and, if `refused`, after it refused a photo. */
  recycle: { jobs: number; memoryBytes: number; refused: boolean };
  /** An idle process ends after this time. */
  idleMs: number;
  log: { error(message: string): void };
}

export interface Member {
  child: Child;
  state: 'starting' | 'idle' | 'busy' | 'ending';
  jobs: number;
  /** The event that it works for, or worked for last. */
  event: string | null;
  /** Whether it refused a photo: bytes that may have taken it over. It works for no other event any more. */
  suspect: boolean;
  /** Whether its photo is dear, or its device sent one that took long. */
  slow: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Starts that fail in a row, with no other process left, until waiting work is refused. */
const MAX_FAILED_STARTS = 3;
/** Pause after a failed start; it doubles with each further one. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

/**
 * The decoder processes of a pool. While one of them works for a single event, one more is kept ready for the others, which would wait for
 * its start otherwise. `changed` is called when one has become free or has ended, `hopeless` when none can be started.
 */
export function createCrew(
  { launch, size, limits, recycle, idleMs, log }: CrewOptions,
  { changed, hopeless }: { changed(): void; hopeless(error: Error): void },
) {
  const members = new Set<Member>();
  let failedStarts = 0;
  let retryTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const those = (is: (member: Member) => boolean): Member[] => [...members].filter(is);
  const busy = (): Member[] => those(({ state }) => state === 'busy');
  const living = (): Member[] => those(({ state }) => state !== 'ending');
  const works = (): boolean => [...members].some(({ state }) => state === 'idle' || state === 'busy');

  function addMember(): void {
    let child: Child;
    try {
      child = startChild(launch, limits);
    } catch (error) {
      return startFailed(error as Error);
    }
    const member: Member = { child, state: 'starting', jobs: 0, event: null, suspect: false, slow: false, idleTimer: undefined };
    members.add(member);
    member.child.ready.then(
      () => {
        failedStarts = 0;
        rest(member);
      },
      (error: Error) => startFailed(error),
    );
    void member.child.ended.then(() => {
      clearTimeout(member.idleTimer);
      members.delete(member);
      changed();
    });
  }

  function startFailed(error: Error): void {
    if (closed) return;
    failedStarts++;
    log.error(`decoder process did not start: ${error.message}`);
    const retryMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failedStarts - 1));
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      changed();
    }, retryMs);
    if (failedStarts >= MAX_FAILED_STARTS && !works()) hopeless(error);
  }

  function rest(member: Member): void {
    member.state = 'idle';
    member.idleTimer = setTimeout(() => retire(member), idleMs);
    changed();
  }

  function retire(member: Member): void {
    clearTimeout(member.idleTimer);
    member.state = 'ending';
    member.child.kill();
  }

  function add(count: number): void {
    // A process that was told to end, and does not, counts as well, so that there are never more than these.
    for (let n = 0; n < count && members.size <= size && retryTimer === undefined; n++) addMember();
  }

  return {
    /** Of the busy processes, those that this is true of. */
    busyWith: (is: (member: Member) => boolean): number => busy().filter(is).length,
    /** Whether a job may begin now. */
    hasFree: (): boolean => busy().length < size && [...members].some(({ state }) => state === 'idle'),

    /** A free process for the event's next job, which is busy then; null where only those of other events are free, of which one ends. */
    take(event: string | null): Member | null {
      const idle = those(({ state }) => state === 'idle');
      const found = idle.find((member) => member.suspect && member.event === event) ?? idle.find((member) => !member.suspect);
      if (!found) {
        if (idle[0] && ![...members].some(({ state }) => state === 'starting')) retire(idle[0]);
        return null;
      }
      clearTimeout(found.idleTimer);
      found.state = 'busy';
      found.event = event;
      found.jobs++;
      return found;
    },

    /** Its job has ended. */
    release(member: Member, usable: boolean): void {
      if (!usable || member.jobs >= recycle.jobs || member.child.memory() > recycle.memoryBytes) retire(member);
      else rest(member);
    },

    /** Starts what is missing for so many jobs that wait. */
    staff(waiting: number): void {
      // After a failed start one is tried without any job, because a node whose decoders fail is sent none.
      const wanted = Math.max(waiting + busy().length, failedStarts > 0 ? 1 : 0);
      const alive = living();
      const suspects = alive.filter(({ suspect }) => suspect);
      const ready = alive.filter(({ suspect, state }) => !suspect && state !== 'busy');
      const surplus = ready.find(({ state }) => state === 'idle');
      if (surplus && alive.length > size && suspects.length === 0) retire(surplus);
      const forOthers = suspects.length > 0 && ready.length === 0 && alive.length <= size ? 1 : 0;
      add(Math.max(Math.min(size, wanted) - alive.length, forOthers));
    },

    /** Starts all at once. */
    fill: (): void => add(size - members.size),
    /** Of the processes that run now. */
    pids: (): number[] => [...members].map(({ child }) => child.pid()).filter((pid) => pid !== null),
    /** Resident memory of all processes, bytes. */
    memory: (): number => [...members].reduce((sum, { child }) => sum + child.memory(), 0),
    /** True while processes cannot be started, and none is left that works. */
    failing: (): boolean => failedStarts > 0 && !works(),

    async close(): Promise<void> {
      closed = true;
      clearTimeout(retryTimer);
      await Promise.all(
        [...members].map(({ child }) => {
          child.kill();
          return child.ended;
        }),
      );
    },
  };
}
