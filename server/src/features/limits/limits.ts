import { createHmac } from 'node:crypto';
import { EVENT_CODE_FAILURES, EVENT_PASSWORD_FAILURES, LOGIN_FAILURES, REPORTS } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { createInstallationKey } from '../../database/installation-key.ts';
import type { Db } from '../../database/open.ts';
import { networkPath } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { createKeyedMutex } from '../../lib/concurrency/keyed-mutex.ts';
import { Refusal } from '../../lib/errors.ts';

const KINDS = {
  /** By sender and name, so that nobody can lock out a host from another network. */
  login: LOGIN_FAILURES,
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

export type LimitKind = keyof typeof KINDS;
/** The sender (an address, or a proof of the browser), then what it tries to access. */
export type LimitKey = [sender: string, ...subject: string[]];

export interface Limits {
  /**
   * Throws `too_many_attempts` if the failures of this key have used up their window. To be called before expensive work.
   */
  check(kind: LimitKind, ...key: LimitKey): Promise<void>;
  /**
   * The same for an answer without work: true if failures would be left even if all attempts in `serialized` failed. If false, the
   * answer has to go through `serialized`.
   */
  checkAhead(kind: LimitKind, ...key: LimitKey): Promise<boolean>;
  /** Counts one failure; true for the one that uses up the window. */
  fail(kind: LimitKind, ...key: LimitKey): Promise<boolean>;
  /** Runs an attempt (check, work and count) one after another for each key, so that parallel attempts cannot exceed the limit. */
  serialized<T>(kind: LimitKind, key: LimitKey, attempt: () => Promise<T>): Promise<T>;
  /** Removes the rows of past windows. */
  prune(): Promise<void>;
}

interface Bucket {
  id: string;
  most: number;
}

/** Attempts of one key in `serialized`, counted while somebody observes them. */
interface Progress {
  entered: number;
  done: number;
  watchers: number;
}

/**
 * Failures are counted in the database, so that limits hold on all nodes and after a restart. Rows contain hashes keyed by the
 * installation's key, but no addresses or names.
 */
export function createLimits({ db, clock }: { db: Db; clock: Clock }): Limits {
  const installationKey = createInstallationKey(db);
  const longest = Math.max(...Object.values(KINDS).map(({ window }) => window));
  const mutex = createKeyedMutex();
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

  /** How many failures are left in these buckets. Throws too_many_attempts if none are. */
  async function remaining(kind: LimitKind, buckets: Bucket[]): Promise<number> {
    const ids = buckets.map(({ id }) => id);
    const { window } = KINDS[kind];
    const now = clock.now();
    const rows = await db.kysely
      .selectFrom('failures')
      .selectAll()
      .where('bucket', 'in', ids)
      .where('window_start', '>', now - window)
      .execute();
    const lefts = buckets.map(({ id, most }) => {
      const row = rows.find(({ bucket }) => bucket === id);
      if (row && row.count >= most) throw new Refusal('too_many_attempts', { retryAfter: (row.window_start + window - now) / 1000 });
      return most - (row?.count ?? 0);
    });
    return Math.min(...lefts);
  }

  async function count(kind: LimitKind, { id, most }: Bucket): Promise<boolean> {
    const now = clock.now();
    const fresh = sql<boolean>`failures.window_start <= ${now - KINDS[kind].window}`;
    const row = await db.kysely
      .insertInto('failures')
      .values({ bucket: id, window_start: now, count: 1 })
      .onConflict((conflict) =>
        conflict.column('bucket').doUpdateSet({
          count: sql<number>`case when ${fresh} then 1 else failures.count + 1 end`,
          window_start: sql<number>`case when ${fresh} then ${now} else failures.window_start end`,
        }),
      )
      .returning('count')
      .executeTakeFirstOrThrow();
    return row.count === most;
  }

  async function prune(): Promise<void> {
    pruned = clock.now();
    await db.kysely
      .deleteFrom('failures')
      .where('window_start', '<', pruned - longest)
      .execute();
  }

  /** Runs `use` with the counters of a bucket, which are kept while anybody uses them. */
  async function withProgress<T>(bucket: string, use: (attempts: Progress) => Promise<T>): Promise<T> {
    const attempts = progress.get(bucket) ?? { entered: 0, done: 0, watchers: 0 };
    progress.set(bucket, attempts);
    attempts.watchers += 1;
    try {
      return await use(attempts);
    } finally {
      attempts.watchers -= 1;
      if (attempts.watchers === 0) progress.delete(bucket);
    }
  }

  return {
    async check(kind, ...key) {
      await remaining(kind, await bucketsOf(kind, key));
    },
    async checkAhead(kind, ...key) {
      const buckets = await bucketsOf(kind, key);
      return withProgress((buckets[0] as Bucket).id, async (attempts) => {
        // Finished attempts are counted in the database; all others that have started may still fail.
        const { done } = attempts;
        return (await remaining(kind, buckets)) > attempts.entered - done;
      });
    },
    async fail(kind, ...key) {
      if (Math.abs(clock.now() - pruned) >= PRUNE_INTERVAL_MS) await prune();
      let last = false;
      for (const bucket of await bucketsOf(kind, key)) last = (await count(kind, bucket)) || last;
      return last;
    },
    async serialized(kind, key, attempt) {
      const [{ id }] = (await bucketsOf(kind, key)) as [Bucket];
      return withProgress(id, async (attempts) => {
        attempts.entered += 1;
        try {
          return await mutex.run(id, attempt);
        } finally {
          attempts.done += 1;
        }
      });
    },
    prune,
  };
}
