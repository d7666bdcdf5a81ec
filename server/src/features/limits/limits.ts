import { createHmac } from 'node:crypto';
import {
  EVENT_CODE_FAILURES,
  EVENT_PASSWORD_FAILURES,
  FACTOR_FAILURES,
  FAILURES_KEPT,
  LOGIN_FAILURES,
  REPORTS,
} from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { createInstallationKey } from '../../database/settings.ts';
import { networkPath } from '../../lib/address.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Ground } from '../ground.ts';

const KINDS = {
  /** By sender and name, so that nobody can lock out a host from another network. */
  login: LOGIN_FAILURES,
  /** By account; a browser that has given one before has its own. */
  'second-factor': FACTOR_FAILURES,
  /** By sender and event. */
  'event-password': EVENT_PASSWORD_FAILURES,
  /** By sender. */
  'event-code': EVENT_CODE_FAILURES,
  /** By sender; each report counts. */
  report: REPORTS,
};
/** An IPv6 /48 network has this many times the limit of a /64 network. */
const SITE_FACTOR = 10;
/** Rows of past windows are removed at most once in this time, when a failure is counted. */
const PRUNE_INTERVAL_MS = 60_000;
/** Attempts of one key that wait on this node; all guests of a party may come at once from one address. */
const MAX_WAITING = 500;
/** Longest wait for these, as long as pages wait for an answer. */
const MAX_WAIT_MS = 30_000;
/** Seconds until a sender may retry where too many wait. */
const RETRY_AFTER_S = 10;

export type LimitKind = keyof typeof KINDS;
/** The sender (an address, or a proof of the browser), then what it tries to access. */
export type LimitKey = [sender: string, ...subject: string[]];

/** One attempt, counted as a failure until it has ended without one. */
export interface Attempt {
  /** Leaves the attempt counted; true for the one that uses up the window. */
  failed(): boolean;
}

export type Limits = ReturnType<typeof createLimits>;

interface Bucket {
  id: string;
  most: number;
}

/** An attempt as it is counted in a bucket: in which window, and as which one. */
interface Counted extends Bucket {
  window_start: number;
  count: number;
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
export function createLimits({ db, clock }: Pick<Ground, 'db' | 'clock'>) {
  const installationKey = createInstallationKey(db);
  const mutex = createFairSemaphore(({ length }) => (length === 0 ? Infinity : 1), { maxWaitMs: MAX_WAIT_MS });
  const progress = new Map<string, Progress>();
  let pruned = 0;

  /** The bucket of the sender, and for an IPv6 address also the bucket of its /48 network. */
  async function bucketsOf(kind: LimitKind, [sender, ...subject]: LimitKey): Promise<Bucket[]> {
    const secret = await installationKey();
    const { count } = KINDS[kind];
    return networkPath(sender)
      .toReversed()
      .map((network, wide) => ({
        id: createHmac('sha256', secret)
          .update(JSON.stringify([kind, network, ...subject]))
          .digest('base64url'),
        most: wide ? count * SITE_FACTOR : count,
      }));
  }

  /** The rows of these buckets whose window is not over. */
  const current = (kind: LimitKind, buckets: Bucket[]) =>
    db.kysely
      .selectFrom('failures')
      .selectAll()
      .where(
        'bucket',
        'in',
        buckets.map(({ id }) => id),
      )
      .where('window_start', '>', clock.now() - KINDS[kind].window)
      .execute();

  /** Counts in all buckets, or in none. Throws too_many_attempts where one of them is full. */
  async function count(kind: LimitKind, buckets: Bucket[]): Promise<Counted[]> {
    if (Math.abs(clock.now() - pruned) >= PRUNE_INTERVAL_MS) await prune();
    const counted: Counted[] = [];
    for (const bucket of buckets) {
      const row = await countIn(kind, bucket);
      if (!row) {
        await takeBack(counted);
        const [full] = await current(kind, [bucket]);
        // Without a row the window has ended just now.
        const ends = (full?.window_start ?? clock.now() - KINDS[kind].window) + KINDS[kind].window;
        throw new Refusal('too_many_attempts', { retryAfter: (ends - clock.now()) / 1000 });
      }
      counted.push({ ...bucket, ...row });
    }
    return counted;
  }

  /** Undefined where the bucket is full. */
  async function countIn(kind: LimitKind, { id, most }: Bucket) {
    const now = clock.now();
    const fresh = sql<boolean>`failures.window_start <= ${now - KINDS[kind].window}`;
    return db.kysely
      .insertInto('failures')
      .values({ bucket: id, window_start: now, count: 1 })
      .onConflict((conflict) =>
        conflict
          .column('bucket')
          .doUpdateSet({
            count: sql<number>`case when ${fresh} then 1 else failures.count + 1 end`,
            window_start: sql<number>`case when ${fresh} then ${now} else failures.window_start end`,
          })
          .where(sql<boolean>`(${fresh} or failures.count < ${most})`),
      )
      .returning(['count', 'window_start'])
      .executeTakeFirst();
  }

  /** A window without failures leaves no row: the next failure begins its own. */
  async function takeBack(counted: Counted[]): Promise<void> {
    for (const { id, window_start } of counted) {
      const row = await db.kysely
        .updateTable('failures')
        .set((old) => ({ count: old('count', '-', 1) }))
        .where('bucket', '=', id)
        .where('window_start', '=', window_start)
        .where('count', '>', 0)
        .returning('count')
        .executeTakeFirst();
      if (row?.count === 0) await db.kysely.deleteFrom('failures').where('bucket', '=', id).where('count', '=', 0).execute();
    }
  }

  /** Removes the rows of past windows. */
  async function prune(): Promise<void> {
    pruned = clock.now();
    await db.kysely
      .deleteFrom('failures')
      .where('window_start', '<', pruned - FAILURES_KEPT)
      .execute();
  }

  /** The counters of a bucket, which are kept while anybody uses them. */
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
     * For an answer without work: true if failures would be left even if all attempts in `serialized` failed. If false, the answer
     * has to go through `serialized`.
     */
    async checkAhead(kind: LimitKind, ...key: LimitKey): Promise<boolean> {
      const buckets = await bucketsOf(kind, key);
      using attempts = progressOf((buckets[0] as Bucket).id);
      // Finished attempts are counted in the database; all others that have started may still fail.
      const { done } = attempts;
      const rows = await current(kind, buckets);
      const left = buckets.map(({ id, most }) => most - (rows.find(({ bucket }) => bucket === id)?.count ?? 0));
      return Math.min(...left) > attempts.entered - done;
    },
    /**
     * Runs an attempt. It is counted in the database before it begins and taken back where it did not fail, so that neither parallel
     * guesses nor those at other nodes overrun the limit. On this node the attempts of a key run one after another: right passwords
     * of many senders do not use up the window. Throws Refusal too_many_attempts, and unavailable where too many wait, or for too long.
     */
    async serialized<T>(kind: LimitKind, key: LimitKey, work: (attempt: Attempt) => Promise<T>): Promise<T> {
      const buckets = await bucketsOf(kind, key);
      const { id } = buckets[0] as Bucket;
      using attempts = progressOf(id);
      if (attempts.entered - attempts.done > MAX_WAITING) throw new Refusal('unavailable', { retryAfter: RETRY_AFTER_S });
      attempts.entered += 1;
      try {
        using _place = await mutex.acquire([id]);
        const counted = await count(kind, buckets);
        let failed = false;
        const attempt: Attempt = {
          failed() {
            failed = true;
            return counted.some(({ count: nth, most }) => nth === most);
          },
        };
        try {
          return await work(attempt);
        } finally {
          if (!failed) await takeBack(counted);
        }
      } finally {
        attempts.done += 1;
      }
    },
    prune,
  };
}
