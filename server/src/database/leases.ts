import type { Clock } from '../lib/clock.ts';
import type { Db } from './open.ts';

/**
 * Runs the work only if this node can take the lease row; returns undefined while the lease is taken, also if by `holder` itself.
 * The lease is renewed while the work runs. `duration` (ms): when a node crashes, the others can take its lease after this time.
 */
export async function withLease<T>(
  { db, clock }: { db: Db; clock: Clock },
  { name, holder, duration }: { name: string; holder: string; duration: number },
  work: () => Promise<T>,
): Promise<T | undefined> {
  const now = clock.now();
  const expires_at = now + duration;
  const taken = await db.kysely
    .insertInto('leases')
    .values({ name, holder, expires_at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires_at })
        // A lease that ends much later than one taken now comes from a clock that was ahead. Clocks may differ by `duration`.
        .where((lease) => lease.or([lease('leases.expires_at', '<=', now), lease('leases.expires_at', '>', expires_at + duration)])),
    )
    .executeTakeFirst();
  if (Number(taken.numInsertedOrUpdatedRows ?? 0) === 0) return undefined;
  const renewal = setInterval(() => {
    const renewed = db.kysely
      .updateTable('leases')
      .set({ expires_at: clock.now() + duration })
      .where('name', '=', name)
      .where('holder', '=', holder);
    // A failed renewal is repeated before the lease ends.
    renewed.execute().catch(() => undefined);
  }, duration / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await db.kysely.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
  }
}
