import { sql } from 'kysely';
import { untilAborted } from '../lib/deadline.ts';
import { Unavailable } from '../lib/errors.ts';
import type { Db } from './open.ts';

export interface Lease {
  name: string;
  /** The process that takes the lease. */
  holder: string;
  /** Time after which other nodes can take the lease of a crashed node, ms. */
  duration: number;
  /** Least time since the last successful run on any node began, ms; the lease is not taken earlier. */
  every?: number;
  /** Aborted when this process ends. */
  ending?: AbortSignal;
}

/** Time left for work, and then for giving back its lease, once the process ends. */
const ENDING_WORK_MS = 1500;
const ENDING_LEASE_MS = 500;

/** SQL expression for the database's clock, ms since 1970: the same for all nodes. */
export function databaseNow(engine: Db['engine']) {
  return engine === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/**
 * Runs the work only if this node can take the lease row; returns undefined while the lease is taken, even by `holder` itself. All times
 * are the database's. The lease is renewed while the work runs; the signal is aborted when the lease is lost, or when the process ends. The
 * work must stop then, because another node may begin; at the end of the process it is awaited for two seconds at most.
 */
export async function withLease<T>(
  { kysely, engine }: Pick<Db, 'kysely' | 'engine'>,
  { name, holder, duration, every = 0, ending = new AbortController().signal }: Lease,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const now = databaseNow(engine);
  const expires = sql<number>`${now} + ${sql.lit(duration)}`;
  const began = performance.now();
  ending.throwIfAborted();
  // The database's clock was set back if a lease ends much later than one taken now, or if the last run lies in the future.
  const taking = sql<{ began_at: number }>`
    insert into leases (name, holder, expires_at) values (${name}, ${holder}, ${expires})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where (leases.expires_at <= ${now} or leases.expires_at > ${expires} + ${sql.lit(duration)})
      and (leases.ran_at is null or leases.ran_at <= ${now} - ${sql.lit(every)} or leases.ran_at > ${now})
    returning ${now} as began_at`.execute(kysely);
  const [taken] = (await untilAborted(taking, ending, ENDING_WORK_MS)).rows;
  if (!taken) return undefined;

  const lost = new AbortController();
  const lose = (why: string): void => lost.abort(new Unavailable('database', `the lease ${name} ${why}`));
  let end: NodeJS.Timeout | undefined;
  /**
   * Restarts the timer: the lease ends by the database's clock `duration` after it was granted, so never before `duration` after it was
   * asked for.
   */
  const grantedFor = (asked: number): void => {
    clearTimeout(end);
    end = setTimeout(lose, asked + duration - performance.now(), 'could not be renewed');
  };
  grantedFor(began);
  const mine = kysely.updateTable('leases').where('name', '=', name).where('holder', '=', holder);
  let working = true;
  const renewal = setInterval(() => {
    const asked = performance.now();
    mine
      .set({ expires_at: expires })
      .where('expires_at', '>', now)
      .executeTakeFirst()
      .then(
        ({ numUpdatedRows }) => {
          if (!working) return;
          if (numUpdatedRows > 0n) grantedFor(asked);
          else lose('was lost');
        },
        // A failed renewal is repeated before the lease ends.
        () => undefined,
      );
  }, duration / 3);
  let ran = false;
  try {
    const signal = AbortSignal.any([lost.signal, ending]);
    const result = await untilAborted(work(signal), ending, ENDING_WORK_MS);
    ran = !signal.aborted;
    return result;
  } finally {
    working = false;
    clearInterval(renewal);
    clearTimeout(end);
    const givingBack = mine.set({ expires_at: 0, ...(ran && { ran_at: taken.began_at }) }).execute();
    await untilAborted(givingBack, ending, ENDING_LEASE_MS);
  }
}
