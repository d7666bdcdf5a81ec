import { sql } from 'kysely';
import { Unavailable } from '../lib/errors.ts';
import type { Db } from './open.ts';

export interface Lease {
  name: string;
  /** Who takes it; differs by process. */
  holder: string;
  /** Ms; when a node crashes, the others can take its lease after this time. */
  duration: number;
  /** Ms; not taken if the last run that succeeded, on any node, began less than this ago. */
  every?: number;
}

/**
 * Runs the work only if this node can take the lease row; returns undefined while the lease is taken, also if by `holder` itself.
 * All times are the database's. The lease is renewed while the work runs; the signal is aborted when it was lost, or ended because the
 * database did not answer. The work must stop then, because another node may have begun.
 */
export async function withLease<T>(
  { kysely, engine }: Pick<Db, 'kysely' | 'engine'>,
  { name, holder, duration, every = 0 }: Lease,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const now =
    engine === 'sqlite'
      ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
      : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const expires = sql<number>`${now} + ${sql.lit(duration)}`;
  const began = performance.now();
  const taken = await kysely
    .insertInto('leases')
    .values({ name, holder, expires_at: expires })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires_at: expires })
        // A lease that ends much later than one taken now is from before the database's clock was set back.
        .where(({ or, eb }) =>
          or([eb('leases.expires_at', '<=', now), eb('leases.expires_at', '>', sql<number>`${expires} + ${sql.lit(duration)}`)]),
        )
        .where(({ or, eb }) =>
          or([
            eb('leases.ran_at', 'is', null),
            eb('leases.ran_at', '<=', sql<number>`${now} - ${sql.lit(every)}`),
            eb('leases.ran_at', '>', now),
          ]),
        ),
    )
    .returning(now.as('began_at'))
    .executeTakeFirst();
  if (!taken) return undefined;

  const lost = new AbortController();
  const lose = (why: string): void => lost.abort(new Unavailable('database', `the lease ${name} ${why}`));
  let end: NodeJS.Timeout | undefined;
  /** The lease ends by the database's clock `duration` after it was granted, so never before `duration` after it was asked for. */
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
    const result = await work(lost.signal);
    ran = !lost.signal.aborted;
    return result;
  } finally {
    working = false;
    clearInterval(renewal);
    clearTimeout(end);
    await mine.set({ expires_at: 0, ...(ran && { ran_at: taken.began_at }) }).execute();
  }
}
