import { createHash } from 'node:crypto';
import { EVENT_CODE_FAILURES, EVENT_PASSWORD_FAILURES, LOGIN_FAILURES, REPORTS } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { createKeyedMutex } from '../../lib/concurrency/keyed-mutex.ts';
import { Refusal } from '../../lib/errors.ts';

const KINDS = {
  /** By address and name: nobody can lock a host out from elsewhere. */
  login: LOGIN_FAILURES,
  /** By event and address. */
  'event-password': EVENT_PASSWORD_FAILURES,
  /** By address. */
  'event-code': EVENT_CODE_FAILURES,
  /** By address; each counts. */
  report: REPORTS,
};
/** Rows of past windows are removed at most this often, by the failures that come, ms. */
const PRUNE_INTERVAL = 60_000;
export type LimitKind = keyof typeof KINDS;

export interface Limits {
  /** Throws `too_many_attempts` where the failures of this key have used up their window. Ask before expensive work. */
  check(kind: LimitKind, ...key: string[]): Promise<void>;
  /** Counts one failure; true for the one that uses up the window. */
  fail(kind: LimitKind, ...key: string[]): Promise<boolean>;
  /** Removes the rows of past windows. */
  prune(): Promise<void>;
  /** Runs what checks, works and counts: one after another for each key, so that parallel guesses do not overrun the limit. */
  inTurn<T>(kind: LimitKind, key: string[], attempt: () => Promise<T>): Promise<T>;
}

/** Failures are counted in the database, so that limits hold on all nodes and after a restart; rows hold no address in clear. */
export function createLimits({ db, clock }: { db: Db; clock: Clock }): Limits {
  const bucketOf = (kind: LimitKind, key: string[]): string =>
    createHash('sha256')
      .update(JSON.stringify([kind, ...key]))
      .digest('base64url');
  const longest = Math.max(...Object.values(KINDS).map(({ window }) => window));
  const attempts = createKeyedMutex();
  let pruned = 0;

  async function prune(): Promise<void> {
    const now = clock.now();
    pruned = now;
    await db.kysely
      .deleteFrom('failures')
      .where('window_start', '<', now - longest)
      .execute();
  }

  return {
    async check(kind, ...key) {
      const { count, window } = KINDS[kind];
      const row = await db.kysely.selectFrom('failures').selectAll().where('bucket', '=', bucketOf(kind, key)).executeTakeFirst();
      const over = row ? row.window_start + window : 0;
      if (row && row.count >= count && clock.now() < over) {
        throw new Refusal('too_many_attempts', { retryAfter: (over - clock.now()) / 1000 });
      }
    },
    async fail(kind, ...key) {
      const now = clock.now();
      const { count, window } = KINDS[kind];
      const fresh = sql<boolean>`failures.window_start <= ${now - window}`;
      if (Math.abs(now - pruned) >= PRUNE_INTERVAL) await prune();
      const row = await db.kysely
        .insertInto('failures')
        .values({ bucket: bucketOf(kind, key), window_start: now, count: 1 })
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet({
            count: sql<number>`case when ${fresh} then 1 else failures.count + 1 end`,
            window_start: sql<number>`case when ${fresh} then ${now} else failures.window_start end`,
          }),
        )
        .returning('count')
        .executeTakeFirstOrThrow();
      return row.count === count;
    },
    prune,
    inTurn: (kind, key, attempt) => attempts.run(bucketOf(kind, key), attempt),
  };
}
