import type { Clock } from '../lib/clock.ts';
import type { Db } from './open.ts';

/** Runs work on exactly one node: whoever holds the lease row. Answers undefined where another node holds it. */
export async function withLease<T>(
  { db, clock }: { db: Db; clock: Clock },
  { name, holder, duration }: { name: string; holder: string; duration: number },
  work: () => Promise<T>,
): Promise<T | undefined> {
  const now = clock.now();
  const taken = await db.kysely
    .insertInto('leases')
    .values({ name, holder, expires_at: now + duration })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires_at: now + duration })
        .where((row) => row.or([row('leases.expires_at', '<=', now), row('leases.holder', '=', holder)])),
    )
    .executeTakeFirst();
  if (Number(taken.numInsertedOrUpdatedRows ?? 0) === 0) return undefined;
  try {
    return await work();
  } finally {
    await db.kysely.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
  }
}
