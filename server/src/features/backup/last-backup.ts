import type { Db } from '../../database/open.ts';

const NAME = 'last_backup';

/** The last complete backup. */
export interface LastBackup {
  /** When it was begun, ms since 1970. */
  at: number;
  /** The folder it was taken into, absolute. */
  folder: string;
}

/** Notes the last backup in the database, so that its age is known without its folder. */
export async function noteBackup({ kysely }: Pick<Db, 'kysely'>, last: LastBackup): Promise<void> {
  const value = Buffer.from(JSON.stringify(last));
  await kysely
    .insertInto('settings')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** What was noted last; null where no backup was taken yet. */
export async function readLastBackup({ kysely }: Pick<Db, 'kysely'>): Promise<LastBackup | null> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst();
  return row ? (JSON.parse(Buffer.from(row.value).toString()) as LastBackup) : null;
}
