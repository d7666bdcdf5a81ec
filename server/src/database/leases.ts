import type { Clock } from '../lib/clock.ts';
import type { Db } from './open.ts';

/**
 * Runs work once among all nodes: whoever takes the lease row. Answers undefined while it is held, also by `holder` itself.
 * `duration` (ms) must be longer than the work can take: it only ends the lease of a node that crashed.
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
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ holder, expires_at }).where('leases.expires_at', '<=', now))
    .executeTakeFirst();
  if (Number(taken.numInsertedOrUpdatedRows ?? 0) === 0) return undefined;
  try {
    return await work();
  } finally {
    await db.kysely
      .deleteFrom('leases')
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('expires_at', '=', expires_at)
      .execute();
  }
}
