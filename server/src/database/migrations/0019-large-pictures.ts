import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Photos as walls with many pixels show them. */
export const largePictures: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['large_type text', 'large_size integer', 'large_attempt text'])
      await sql.raw(`alter table photos add column ${column}`).execute(db);
  },
};
