import type { Selectable } from 'kysely';
import type { Db } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';

type SelectionRow = Selectable<Database['selections']>;

/** The SQL of selections. */
export function createSelectionStore(db: Db) {
  return {
    /** Stores a selection; the session keeps only its newest `most` selections. */
    async add(row: SelectionRow, most: number): Promise<void> {
      await db.transaction(async (trx) => {
        await trx.insertInto('selections').values(row).execute();
        const older = trx
          .selectFrom('selections')
          .select('id')
          .where('session_id', '=', row.session_id)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset(most)
          .limit(1000);
        await trx.deleteFrom('selections').where('id', 'in', older).execute();
      });
    },

    find: (id: string): Promise<SelectionRow | undefined> =>
      db.kysely.selectFrom('selections').selectAll().where('id', '=', id).executeTakeFirst(),

    async endExpired(now: number): Promise<void> {
      await db.kysely.deleteFrom('selections').where('expires_at', '<=', now).execute();
    },
  };
}
