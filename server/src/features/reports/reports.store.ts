import { sql, type Selectable } from 'kysely';
import type { Db } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';

export type ReportRow = Selectable<Database['reports']>;

export function createReportStore({ kysely }: Pick<Db, 'kysely'>) {
  return {
    add: async (report: ReportRow): Promise<void> => {
      await kysely.insertInto('reports').values(report).execute();
    },

    /** Open ones first, then the newest. */
    newest: (limit: number): Promise<ReportRow[]> =>
      kysely
        .selectFrom('reports')
        .selectAll()
        .orderBy(sql`case when settled_at is null then 0 else 1 end`)
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    settle: (id: string, settled: Pick<ReportRow, 'settled_at' | 'settled_by'>): Promise<ReportRow | undefined> =>
      kysely.updateTable('reports').set(settled).where('id', '=', id).returningAll().executeTakeFirst(),

    removeUntil: async (receivedAt: number): Promise<void> => {
      await kysely.deleteFrom('reports').where('received_at', '<=', receivedAt).execute();
    },
  };
}
