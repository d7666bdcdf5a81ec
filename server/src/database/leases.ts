import type { Clock } from '../lib/clock.ts';
import type { Db } from './open.ts';

/**
 * Runs work once among all nodes: whoever takes the lease row. Answers undefined while it is held, also by `holder` itself.
 * It is renewed as long as the work goes on; `duration` (ms) is how long a node that crashed keeps the others waiting.
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
        // A lease that ends later than one taken now was taken by a clock that ran ahead; nodes may differ by `duration`.
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
    // The next one comes soon enough.
    renewed.execute().catch(() => undefined);
  }, duration / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await db.kysely.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
  }
}
