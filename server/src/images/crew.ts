import { startChild, type Child, type Limits } from './child.ts';
import type { Launch } from './sandbox.ts';

export interface CrewOptions {
  launch: Launch;
  /** Most processes that work at once. */
  size: number;
  limits: Limits;
  /** Replaces a process after this many jobs, above this much resident memory, and, if `refused`, after it refused a photo. */
  recycle: { jobs: number; memoryBytes: number; refused: boolean };
  /** An idle process ends after this time. */
  idleMs: number;
  log: { error(message: string): void };
}

export interface Member {
  child: Child;
  state: 'starting' | 'idle' | 'busy' | 'ending';
  jobs: number;
  /** The event of the current or last job. */
  event: string | null;
  /** The process refused a photo, whose bytes may have taken it over. It now works for this event only. */
  suspect: boolean;
  /** The photo is dear, or its device sent one that took long. */
  slow: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Failed starts in a row, with no working process left, after which waiting jobs are refused. */
const MAX_FAILED_STARTS = 3;
/** Pause after a failed start; it doubles with each further one. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

/**
 * Manages the decoder processes of a pool. While a suspect process works for a single event, one more is kept ready for the other events,
 * which would otherwise wait for its start. `changed` is called when a process became free or ended, `hopeless` when none can be started.
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
    // Processes that were told to end count as well, so that there are never more.
    for (let n = 0; n < count && members.size <= size && retryTimer === undefined; n++) addMember();
  }

  return {
    /** Counts busy processes. */
    busyWith: (is: (member: Member) => boolean): number => busy().filter(is).length,
    /** Tells whether a job may begin now. */
    hasFree: (): boolean => busy().length < size && [...members].some(({ state }) => state === 'idle'),

    /** Takes a free process for the event's next job. Null: only processes of other events are free; one of them ends. */
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

    /** Takes a process back after its job. */
    release(member: Member, usable: boolean): void {
      if (!usable || member.jobs >= recycle.jobs || member.child.memory() > recycle.memoryBytes) retire(member);
      else rest(member);
    },

    /** Starts processes for waiting jobs. */
    staff(waiting: number): void {
      // After a failed start, one is tried even without a job: a node whose decoders fail gets none.
      const wanted = Math.max(waiting + busy().length, failedStarts > 0 ? 1 : 0);
      const alive = living();
      const suspects = alive.filter(({ suspect }) => suspect);
      const ready = alive.filter(({ suspect, state }) => !suspect && state !== 'busy');
      const surplus = ready.find(({ state }) => state === 'idle');
      if (surplus && alive.length > size && suspects.length === 0) retire(surplus);
      const forOthers = suspects.length > 0 && ready.length === 0 && alive.length <= size ? 1 : 0;
      add(Math.max(Math.min(size, wanted) - alive.length, forOthers));
    },

    /** Starts all processes at once. */
    fill: (): void => add(size - members.size),
    /** Lists the pids of running processes. */
    pids: (): number[] => [...members].map(({ child }) => child.pid()).filter((pid) => pid !== null),
    /** Sums up the resident memory of all processes, bytes. */
    memory: (): number => [...members].reduce((sum, { child }) => sum + child.memory(), 0),
    /** True while no process can be started and none works. */
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
