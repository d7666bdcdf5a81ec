import type { Db } from '../../database/open.ts';

/** The SQL that finds events to purge and removes their remaining rows. */
export function createRetentionStore(db: Db) {
  return {
    /** Starts the purge of events that ended on that day or before: from now on they accept no uploads or changes. */
    async markDue(latestEndDate: string, now: number): Promise<void> {
      await db.kysely
        .updateTable('events')
        .set({ purging_at: now })
        .where('end_date', '<=', latestEndDate)
        .where('purging_at', 'is', null)
        .execute();
    },
    /** The events whose purge has begun, the oldest first. */
    unfinished: (): Promise<{ id: string }[]> =>
      db.kysely
        .selectFrom('events')
        .select('id')
        .where('purging_at', 'is not', null)
        .where('purged_at', 'is', null)
        .orderBy('purging_at')
        .orderBy('id')
        .execute(),
    /** Number of events that ended on that day or before and still have something to purge. */
    async notPurged(latestEndDate: string): Promise<number> {
      const { count } = await db.kysely
        .selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('end_date', '<=', latestEndDate)
        .where('purged_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async removePurged(until: number): Promise<void> {
      await db.kysely.deleteFrom('events').where('purged_at', '<=', until).execute();
    },
  };
}
