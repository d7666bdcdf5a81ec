import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';

export type DemoRow = Selectable<Database['demo']>;

/** One row, id 1. Code and password stay the same over all resets, so that printed ones keep working. */
export function createDemoStore({ kysely }: Pick<Db, 'kysely'>) {
  const read = (): Promise<DemoRow | undefined> => kysely.selectFrom('demo').selectAll().where('id', '=', 1).executeTakeFirst();
  return {
    read,
    /** The row; created with this code and password if there is none yet. */
    async ensure(code: string, password: string): Promise<DemoRow> {
      await kysely
        .insertInto('demo')
        .values({ id: 1, code, password, event_id: null, reset_at: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await read()) as DemoRow;
    },
    set: async (trx: Trx, eventId: string, resetAt: number): Promise<void> => {
      await trx.updateTable('demo').set({ event_id: eventId, reset_at: resetAt }).where('id', '=', 1).execute();
    },
    clear: async (): Promise<void> => {
      await kysely.deleteFrom('demo').execute();
    },
  };
}
