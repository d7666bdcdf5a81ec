import { sql } from 'kysely';
import type { Db } from '../../database/open.ts';

export function createRetentionStore({ kysely, engine }: Pick<Db, 'kysely' | 'engine'>) {
  return {
    /** Events whose last day lies before `day` and whose photos are still there, those first whose purge was interrupted. */
    due: (day: string) =>
      kysely
        .selectFrom('events')
        .select(['id', 'code'])
        .where('purged_at', 'is', null)
        .where((where) => where.or([where('purging_at', 'is not', null), where('end_date', '<', day)]))
        .orderBy((order) => order.case().when('purging_at', 'is not', null).then(0).else(1).end())
        .orderBy('end_date')
        .execute(),

    purgedSince: async (instant: number): Promise<string[]> =>
      (await kysely.selectFrom('events').select('id').where('purged_at', '>', instant).execute()).map(({ id }) => id),

    forgetEvents: (purgedBefore: number) => kysely.deleteFrom('events').where('purged_at', '<', purgedBefore).execute(),

    forgetAudit: (before: number) => kysely.deleteFrom('audit').where('at', '<', before).execute(),

    /** Rows from [after, before) that still tell an address, by `id`; `id` rises with time. */
    addresses: (before: number, limit: number) =>
      kysely
        .selectFrom('audit')
        .select(['id', 'address'])
        .where('at', '<', before)
        .where('address', 'is not', null)
        .where('address', 'not like', '%.0')
        .where('address', 'not like', '%::')
        .limit(limit)
        .execute(),

    shorten: (id: string, address: string) => kysely.updateTable('audit').set({ address }).where('id', '=', id).execute(),

    /** What was deleted stays in SQLite's log until it is written back; the file itself overwrites it (secure_delete). */
    async emptyLog(): Promise<void> {
      if (engine === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(kysely);
    },
  };
}
