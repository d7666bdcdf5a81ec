import { Refusal } from '../errors.ts';

/** Owner of work: names from the widest group to the narrowest, for example an event, or a network and an account in it. */
export type Owner = readonly string[];

export interface FairQueueOptions {
  /** Owners share the time that their work took, so that jobs of 30 s delay others of 0.1 s only once; or the places that they occupy. */
  share?: 'time' | 'places';
  /** Most places of an owner, or of a group; for `[]`, of all together. */
  most?: (owner: Owner) => number;
  /** Among level owners the one that came last goes first, so that a crowd of new owners cannot delay it. */
  newestFirst?: boolean;
  /** Owners whose work begins only if no other work of their widest group can. */
  isLast?: (owner: Owner) => boolean;
  /** Number of waiting jobs beyond which the queue refuses the last job of the owner with most jobs waiting. */
  maxWaiting?: number;
  /** Time after which waiting work is refused, ms. */
  maxWaitMs?: number;
  /** A monotonic clock, ms. */
  now?: () => number;
}

/** A job that has not begun. */
interface Waiter<T> {
  work: T;
  /** Removes the job from the queue and refuses it. */
  refuse(error: unknown): void;
  /** Stops the timer and the signal that would refuse the job. */
  settle(): void;
}

/** An owner, or a group of owners. */
interface Account<T> {
  owner: Owner;
  /** Work of this owner itself. */
  queue: Waiter<T>[];
  /** Members; among level ones the next to be served comes first. */
  members: Map<string, Account<T>>;
  /** Number of jobs that wait here and in all members. */
  waiting: number;
  /** Time used by ended work, counted from the account's start, ms. Always 0 if places are shared. */
  usedMs: number;
  /** Start of each running job. */
  running: Set<{ sinceMs: number }>;
  /** Used time of the member taken last. A new member starts here, so that the others need not catch up with it. */
  startMs: number;
}

/** A group of the widest kind may have fewer places than this multiple of the free ones, so that there is always room for another. */
const SHARE_OF_FREE = 2;
/** Longest wait: longer than everything that may come before. */
const MAX_WAIT_MS = 15 * 60_000;
/** Seconds until a refused caller may try again. */
const RETRY_AFTER_S = 10;
/** Most idle accounts that a group remembers. It forgets the use of further ones. */
const MAX_IDLE = 1000;
/**
 * Used time that a refusal counts as, ms. Otherwise a refused owner who retries at once would be a newcomer, and a crowd of them would push
 * out earlier owners.
 */
const REFUSAL_MS = 10;

/**
 * Queues work by owner. The next owner is the one that has used the least so far (`share`) and has a place left. Groups share likewise; the
 * members of a group share its part. An owner's own work is taken in order.
 */
export function createFairQueue<T>({
  share = 'places',
  most = () => Infinity,
  newestFirst = false,
  isLast = () => false,
  maxWaiting = Infinity,
  maxWaitMs = MAX_WAIT_MS,
  now = () => performance.now(),
}: FairQueueOptions = {}) {
  const all = newAccount<T>([], 0);

  const usedBy = ({ running, usedMs }: Account<T>): number =>
    share === 'places' ? running.size : [...running].reduce((sum, { sinceMs }) => sum + now() - sinceMs, usedMs);
  const isIdle = ({ waiting, running }: Account<T>): boolean => waiting === 0 && running.size === 0;
  const tooBusy = (): Refusal => new Refusal('unavailable', { retryAfter: RETRY_AFTER_S });

  function mayBegin({ owner, running }: Account<T>): boolean {
    const free = most([]) - all.running.size;
    return running.size < Math.min(most(owner), owner.length === 1 ? SHARE_OF_FREE * free : Infinity);
  }

  /** Returns the accounts from the root to the owner, created where missing. */
  function open(owner: Owner): Account<T>[] {
    const path = [all];
    let group = all;
    for (const [depth, name] of owner.entries()) {
      const member = group.members.get(name) ?? newAccount<T>(owner.slice(0, depth + 1), group.startMs);
      // Idle owners save up no time.
      if (isIdle(member)) member.usedMs = Math.max(member.usedMs, group.startMs);
      group.members.set(name, member);
      path.push(member);
      group = member;
    }
    return path;
  }

  /** Forgets idle accounts: a new one would start at the same point unless the account is ahead of the others. */
  function forgetIdle(group: Account<T>): void {
    let excess = group.members.size - MAX_IDLE;
    for (const [name, member] of group.members) {
      if (!isIdle(member)) continue;
      if (member.usedMs <= group.startMs || excess > 0) group.members.delete(name);
      excess -= 1;
    }
  }

  /** Returns the accounts from this one down to the owner whose work begins next. `last`: only owners of `isLast`, else only others. */
  function nextIn(account: Account<T>, last = false): Account<T>[] | undefined {
    if (account.waiting === 0 || !mayBegin(account)) return undefined;
    if (account.queue.length > 0 && isLast(account.owner) === last) return [account];
    const members = [...account.members.values()].filter(({ waiting }) => waiting > 0);
    if (newestFirst) members.reverse();
    const used = new Map(members.map((member) => [member, usedBy(member)]));
    for (const member of members.toSorted((a, b) => used.get(a)! - used.get(b)!)) {
      const path = account === all ? (nextIn(member) ?? nextIn(member, true)) : nextIn(member, last);
      if (path) return [account, ...path];
    }
    return undefined;
  }

  /** Removes a job; false: it was no longer waiting. */
  function remove(path: Account<T>[], waiter: Waiter<T>): boolean {
    const { queue } = path.at(-1) as Account<T>;
    const at = queue.indexOf(waiter);
    if (at < 0) return false;
    queue.splice(at, 1);
    waiter.settle();
    for (const account of path) account.waiting -= 1;
    for (const account of path) forgetIdle(account);
    return true;
  }

  /** Refuses the last work of the owner with most work waiting; the refusal counts as a little used time. */
  function refuseExcess(): void {
    let at = all;
    while (at.queue.length === 0) {
      at = [...at.members.values()].toSorted((a, b) => b.waiting - a.waiting || usedBy(b) - usedBy(a))[0] as Account<T>;
      at.usedMs += REFUSAL_MS;
    }
    at.queue.at(-1)?.refuse(tooBusy());
  }

  return {
    /**
     * Adds work. If it waits for too long, too much waits, or `signal` is aborted, `refuse` is called with the reason, and the work never
     * begins.
     */
    add(owner: Owner, work: T, refuse: (error: unknown) => void, signal?: AbortSignal): void {
      const path = open(owner);
      const leave = (error: unknown): void => void (remove(path, waiter) && refuse(error));
      const onAbort = (): void => leave(signal?.reason);
      const timer = maxWaitMs < Infinity ? setTimeout(() => leave(tooBusy()), maxWaitMs).unref() : undefined;
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter<T> = { work, refuse: leave, settle };
      path.at(-1)?.queue.push(waiter);
      for (const account of path) account.waiting += 1;
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      if (all.waiting > maxWaiting) refuseExcess();
    },

    /** Takes the work to begin next. The caller calls `done` when the work has ended, well or not; a second call does no harm. */
    take(): { work: T; done(): void } | undefined {
      const path = nextIn(all);
      const waiter = path?.at(-1)?.queue.shift();
      if (!path || !waiter) return undefined;
      waiter.settle();
      const run = { sinceMs: now() };
      for (const [depth, account] of path.entries()) {
        account.waiting -= 1;
        const group = path[depth - 1];
        if (!group) continue;
        if (share === 'time') group.startMs = Math.max(group.startMs, usedBy(account));
        // Deleting and setting it again moves the account behind the level ones.
        const name = account.owner.at(-1) as string;
        if (!newestFirst && group.members.delete(name)) group.members.set(name, account);
      }
      for (const account of path) account.running.add(run);
      const done = (): void => {
        const tookMs = share === 'time' ? now() - run.sinceMs : 0;
        for (const account of path.toReversed()) {
          if (account.running.delete(run)) account.usedMs += tookMs;
          forgetIdle(account);
        }
      };
      return { work: waiter.work, done };
    },

    /** Refuses all work that has not begun. */
    clear(error: unknown): void {
      for (const { refuse } of waitersOf(all)) refuse(error);
    },

    waiting: (): number => all.waiting,
  };
}

function newAccount<T>(owner: Owner, usedMs: number): Account<T> {
  return { owner, queue: [], members: new Map(), waiting: 0, usedMs, running: new Set(), startMs: 0 };
}

function waitersOf<T>({ queue, members }: Account<T>): Waiter<T>[] {
  return [...queue, ...[...members.values()].flatMap(waitersOf)];
}
