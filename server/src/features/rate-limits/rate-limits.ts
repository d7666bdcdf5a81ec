import {
  BOOTH_TOKEN_FAILURES,
  EVENT_CODE_FAILURES,
  EVENT_PASSWORD_FAILURES,
  FACTOR_FAILURES,
  FAILURES_KEPT,
  LOGIN_FAILURES,
  REPORTS,
} from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { networkPath } from '../../lib/address.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { createProof } from '../proofs/proofs.ts';

const KINDS = {
  /** By sender and name, so that nobody can lock out a host from another network. */
  login: LOGIN_FAILURES,
  /** By account; a browser that has passed a second factor before is counted separately. */
  'second-factor': FACTOR_FAILURES,
  /** By sender, event and which of its passwords. */
  'event-password': EVENT_PASSWORD_FAILURES,
  /** By sender. */
  'event-code': EVENT_CODE_FAILURES,
  /** By sender. */
  'booth-token': BOOTH_TOKEN_FAILURES,
  /** By sender; each report counts. */
  report: REPORTS,
};
/** An IPv6 /48 network has this many times the limit of a /64 network. */
const SITE_FACTOR = 10;
/**
 * How long an attempt may stay open, longer than any request takes. An attempt that is not settled by then (its process was killed, its
 * database did not answer) does not count.
 */
const OPEN_MS = 90_000;
/** Shortest time between two removals of past windows' rows, which happen when an attempt is opened. */
const PRUNE_INTERVAL_MS = 60_000;
/** Attempts of one key that wait on this node; all guests of a party may come at once from one address. */
const MAX_WAITING = 500;
/** Longest wait of these attempts, as long as pages wait for an answer. */
const MAX_WAIT_MS = 30_000;
/** Seconds until a sender may retry if too many wait. */
const RETRY_AFTER_S = 10;

export type LimitKind = keyof typeof KINDS;
/** The sender (an address, or a proof of the browser), then what it tries to access. */
export type LimitKey = [sender: string, ...subject: string[]];

/** One attempt. While it is open it is counted like a failure; it stays counted only after `failed`. */
export interface Attempt {
  /** Counts the attempt as a failure; returns true for the failure that uses up the window. */
  failed(): boolean;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

interface Bucket {
  id: string;
  most: number;
}

/** An attempt that is not settled yet: its window, and its number there among failures and open attempts. */
interface Opened extends Bucket {
  window_start: number;
  nth: number;
}

/** Attempts of one key in `serialized`, counted while somebody observes them. */
interface Progress extends Disposable {
  entered: number;
  done: number;
  watchers: number;
}

/**
 * Failures are counted in the database, so that limits hold on all nodes and after a restart. Rows contain hashes keyed by the
 * installation's key, but no addresses or names.
 */
export function createRateLimits({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const proof = createProof(db);
  const mutex = createFairSemaphore(({ length }) => (length === 0 ? Infinity : 1), { maxWaitMs: MAX_WAIT_MS });
  const progress = new Map<string, Progress>();
  let pruned = 0;

  /** Returns the bucket of the sender, and for an IPv6 address also the bucket of its /48 network. */
  async function bucketsOf(kind: LimitKind, [sender, ...subject]: LimitKey): Promise<Bucket[]> {
    const { count } = KINDS[kind];
    const networks = networkPath(sender).toReversed();
    return Promise.all(
      networks.map(async (network, wide) => ({ id: await proof(kind, network, ...subject), most: wide ? count * SITE_FACTOR : count })),
    );
  }

  /** Whether a row's window is over: by its time, or because a clock began it that was ahead, which would lock out for days. */
  const fresh = (kind: LimitKind, now: number) =>
    sql<boolean>`failures.window_start not between ${now - KINDS[kind].window + 1} and ${now + CLOCK_SKEW_MS}`;

  /** Returns the latest end that an attempt of now may have; a later one is of a clock that was ahead. */
  const latestEnd = (now: number): number => now + OPEN_MS + CLOCK_SKEW_MS;

  /** Reads the rows of these buckets whose window is open. */
  const current = (kind: LimitKind, buckets: Bucket[]) =>
    db.kysely
      .selectFrom('failures')
      .selectAll()
      .where(
        'bucket',
        'in',
        buckets.map(({ id }) => id),
      )
      .where(sql<boolean>`not ${fresh(kind, clock.now())}`)
      .execute();

  /** Counts the failures and the open attempts of a row. */
  const taken = (row: { count: number; open: number; open_until: number }): number =>
    row.count + (row.open_until > clock.now() && row.open_until <= latestEnd(clock.now()) ? row.open : 0);

  /** Opens an attempt in all buckets, or in none. Throws Refusal too_many_attempts if one of them is full. */
  async function open(kind: LimitKind, buckets: Bucket[]): Promise<Opened[]> {
    if (Math.abs(clock.now() - pruned) >= PRUNE_INTERVAL_MS) await prune();
    const opened: Opened[] = [];
    for (const bucket of buckets) {
      const row = await openIn(kind, bucket);
      if (!row) {
        await close(opened);
        const [full] = await current(kind, [bucket]);
        // Without a row the window has just ended. Open attempts may still turn out right.
        const window = (full?.window_start ?? clock.now() - KINDS[kind].window) + KINDS[kind].window;
        const ends = full && full.count < bucket.most ? full.open_until : window;
        throw new Refusal('too_many_attempts', { retryAfter: (ends - clock.now()) / 1000 });
      }
      opened.push({ ...bucket, window_start: row.window_start, nth: row.count + row.open });
    }
    return opened;
  }

  /** Opens an attempt in one bucket; undefined if the bucket is full. */
  async function openIn(kind: LimitKind, { id, most }: Bucket) {
    const now = clock.now();
    const anew = fresh(kind, now);
    const over = sql<boolean>`failures.open_until not between ${now + 1} and ${latestEnd(now)}`;
    const others = sql<number>`(case when ${over} then 0 else failures.open end)`;
    return db.kysely
      .insertInto('failures')
      .values({ bucket: id, window_start: now, count: 0, open: 1, open_until: now + OPEN_MS })
      .onConflict((conflict) =>
        conflict
          .column('bucket')
          .doUpdateSet({
            count: sql<number>`case when ${anew} then 0 else failures.count end`,
            window_start: sql<number>`case when ${anew} then ${now} else failures.window_start end`,
            open: sql<number>`${others} + 1`,
            open_until: sql<number>`case when ${over} or failures.open = 0 then ${now + OPEN_MS} else failures.open_until end`,
          })
          .where(sql<boolean>`(${anew} or failures.count + ${others} < ${most})`),
      )
      .returning(['count', 'window_start', 'open'])
      .executeTakeFirst();
  }

  const oneLess = sql<number>`case when failures.open > 0 then failures.open - 1 else 0 end`;

  /** Ends attempts that did not fail. A window without failures leaves no row: the next failure begins its own. */
  async function close(opened: Opened[]): Promise<void> {
    for (const { id } of opened) {
      const row = await db.kysely
        .updateTable('failures')
        .set({ open: oneLess })
        .where('bucket', '=', id)
        .returning(['count', 'open'])
        .executeTakeFirst();
      if (row?.count === 0 && row.open === 0)
        await db.kysely.deleteFrom('failures').where('bucket', '=', id).where('count', '=', 0).where('open', '=', 0).execute();
    }
  }

  /** Ends attempts that failed; they count in the current window, even if their own has ended. */
  async function fail(kind: LimitKind, opened: Opened[]): Promise<void> {
    const now = clock.now();
    const anew = fresh(kind, now);
    for (const { id } of opened)
      await db.kysely
        .insertInto('failures')
        .values({ bucket: id, window_start: now, count: 1 })
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet({
            count: sql<number>`case when ${anew} then 1 else failures.count + 1 end`,
            window_start: sql<number>`case when ${anew} then ${now} else failures.window_start end`,
            open: oneLess,
          }),
        )
        .execute();
  }

  /** Removes the rows of past windows, and of windows that a clock began which was ahead. */
  async function prune(): Promise<void> {
    pruned = clock.now();
    await db.kysely
      .deleteFrom('failures')
      .where((is) => is.not(is.between('window_start', pruned - FAILURES_KEPT, pruned + CLOCK_SKEW_MS)))
      .execute();
  }

  /** Returns the counters of a bucket, which exist while anybody uses them. */
  function progressOf(bucket: string): Progress {
    const attempts: Progress = progress.get(bucket) ?? {
      entered: 0,
      done: 0,
      watchers: 0,
      [Symbol.dispose]: () => void (--attempts.watchers === 0 && progress.delete(bucket)),
    };
    attempts.watchers += 1;
    progress.set(bucket, attempts);
    return attempts;
  }

  return {
    /**
     * Allows an answer without work: returns true if failures would be left even if all attempts in `serialized` failed. On false, the
     * request has to go through `serialized`.
     */
    async checkAhead(kind: LimitKind, ...key: LimitKey): Promise<boolean> {
      const buckets = await bucketsOf(kind, key);
      using attempts = progressOf((buckets[0] as Bucket).id);
      // Finished attempts are counted in the database; all others that have started may still fail.
      const { done } = attempts;
      const rows = await current(kind, buckets);
      const left = buckets.map(({ id, most }) => {
        const row = rows.find(({ bucket }) => bucket === id);
        return most - (row ? taken(row) : 0);
      });
      return Math.min(...left) > attempts.entered - done;
    },
    /**
     * Runs an attempt. The database counts it before it begins, so that parallel guesses, on other nodes too, cannot exceed the limit; an
     * interrupted attempt is no failure. On this node the attempts of a key run one after another: right passwords of many senders do not
     * use up the window. Throws Refusal too_many_attempts, and unavailable if too many wait, or for too long.
     */
    async serialized<T>(kind: LimitKind, key: LimitKey, work: (attempt: Attempt) => Promise<T>): Promise<T> {
      const buckets = await bucketsOf(kind, key);
      const { id } = buckets[0] as Bucket;
      using attempts = progressOf(id);
      if (attempts.entered - attempts.done > MAX_WAITING) throw new Refusal('unavailable', { retryAfter: RETRY_AFTER_S });
      attempts.entered += 1;
      try {
        using _place = await mutex.acquire([id]);
        const opened = await open(kind, buckets);
        let failed = false;
        const attempt: Attempt = {
          failed() {
            failed = true;
            return opened.some(({ nth, most }) => nth === most);
          },
        };
        try {
          return await work(attempt);
        } finally {
          await (failed ? fail(kind, opened) : close(opened));
        }
      } finally {
        attempts.done += 1;
      }
    },
    prune,
  };
}
