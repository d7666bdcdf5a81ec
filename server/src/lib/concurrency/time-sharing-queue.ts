/** Whose work it is: names from the widest group to the narrowest, for example an event, or a network and an account in it. */
export type Owner = readonly string[];

/** Work that waits, by owner. */
export interface TimeSharingQueue<T> {
  add(owner: Owner, work: T): void;
  /** The work to begin next; `done` is called when it has ended, whether well or not. */
  take(): { work: T; done(): void } | undefined;
  /** Takes work out that has not begun. False where it has begun or was never added. */
  remove(owner: Owner, work: T): boolean;
  /** Takes out the last work of whoever has most waiting, who then counts as having used a little time. */
  removeExcess(): T | undefined;
  /** Takes out all work that has not begun. */
  clear(): T[];
  waiting(): number;
}

interface Options {
  /** Of owners that have used the same time the one that came last goes first, so that a crowd of new owners cannot delay it. */
  newestFirst?: boolean;
  /** Monotonic, ms. */
  now?: () => number;
}

/** An owner, or a group of owners. */
interface Account<T> {
  /** Work of this owner itself. */
  queue: T[];
  members: Map<string, Account<T>>;
  /** Work that waits here and in all members. */
  waiting: number;
  /** ms used by work that has ended, counted from where the account started. */
  usedMs: number;
  /** When each running work began. */
  running: Set<{ sinceMs: number }>;
  /** What the member taken last had used by then. A new member starts here, so that it need not be caught up with. */
  startMs: number;
}

/** Accounts at rest that are remembered in a group, at most; what they have used is forgotten beyond. */
const MAX_IDLE = 1000;
/**
 * What a refusal counts as, ms: otherwise whoever was refused and retries at once would be a newcomer, and a crowd of them would
 * push out those who came before.
 */
const REFUSAL_MS = 10;

/**
 * Takes from the owner that has used the least time so far, so that owners share time, not the number of jobs: one with jobs of
 * 30 s delays the others' jobs of 0.1 s once, not at each turn. Groups share the time likewise, and their members what the group
 * gets. An owner's own jobs are taken in order.
 */
export function createTimeSharingQueue<T>({ newestFirst = false, now = () => performance.now() }: Options = {}): TimeSharingQueue<T> {
  const all = newAccount<T>(0);

  const usedBy = (account: Account<T>): number => [...account.running].reduce((sum, { sinceMs }) => sum + now() - sinceMs, account.usedMs);
  const isIdle = ({ waiting, running }: Account<T>): boolean => waiting === 0 && running.size === 0;

  /** The accounts from all to the owner; undefined where there is none. */
  function find(owner: Owner): Account<T>[] | undefined {
    const path = [all];
    for (const name of owner) {
      const member = path.at(-1)?.members.get(name);
      if (!member) return undefined;
      path.push(member);
    }
    return path;
  }

  function open(owner: Owner): Account<T>[] {
    const path = [all];
    let group = all;
    for (const name of owner) {
      const member = group.members.get(name) ?? newAccount<T>(group.startMs);
      // An owner without work saves up no time.
      if (isIdle(member)) member.usedMs = Math.max(member.usedMs, group.startMs);
      group.members.set(name, member);
      path.push(member);
      group = member;
    }
    return path;
  }

  /** Accounts at rest that are not ahead of the others would start at the same point anew. */
  function forgetIdle(group: Account<T>): void {
    let excess = group.members.size - MAX_IDLE;
    for (const [name, member] of group.members) {
      if (!isIdle(member)) continue;
      if (member.usedMs <= group.startMs || excess > 0) group.members.delete(name);
      excess -= 1;
    }
  }

  function nextOf(group: Account<T>): Account<T> | undefined {
    let next: Account<T> | undefined;
    let least = Infinity;
    for (const member of group.members.values()) {
      if (member.waiting === 0) continue;
      const used = usedBy(member);
      if (used < least || (newestFirst && used === least)) [next, least] = [member, used];
    }
    if (next) group.startMs = Math.max(group.startMs, least);
    return next;
  }

  return {
    add(owner, work) {
      const path = open(owner);
      for (const account of path) account.waiting += 1;
      path.at(-1)?.queue.push(work);
    },
    take() {
      const path: Account<T>[] = [];
      for (let at: Account<T> | undefined = all; at; at = at.queue.length > 0 ? undefined : nextOf(at)) path.push(at);
      const work = path.at(-1)?.queue.shift();
      if (work === undefined) return undefined;
      const run = { sinceMs: now() };
      for (const account of path) {
        account.waiting -= 1;
        account.running.add(run);
      }
      const done = (): void => {
        const tookMs = now() - run.sinceMs;
        for (const account of path.toReversed()) {
          if (account.running.delete(run)) account.usedMs += tookMs;
          forgetIdle(account);
        }
      };
      return { work, done };
    },
    remove(owner, work) {
      const path = find(owner);
      const queue = path?.at(-1)?.queue ?? [];
      const at = queue.indexOf(work);
      if (!path || at < 0) return false;
      queue.splice(at, 1);
      for (const account of path) account.waiting -= 1;
      return true;
    },
    removeExcess() {
      const path = [all];
      for (let at = all; at.queue.length === 0 && at.waiting > 0;) {
        at = [...at.members.values()].toSorted((a, b) => b.waiting - a.waiting || usedBy(b) - usedBy(a))[0] as Account<T>;
        path.push(at);
      }
      const work = path.at(-1)?.queue.pop();
      if (work === undefined) return undefined;
      for (const account of path) account.waiting -= 1;
      for (const account of path.slice(1)) account.usedMs += REFUSAL_MS;
      return work;
    },
    clear: () => clear(all),
    waiting: () => all.waiting,
  };
}

function newAccount<T>(usedMs: number): Account<T> {
  return { queue: [], members: new Map(), waiting: 0, usedMs, running: new Set(), startMs: 0 };
}

function clear<T>(account: Account<T>): T[] {
  account.waiting = 0;
  return [...account.queue.splice(0), ...[...account.members.values()].flatMap(clear)];
}
