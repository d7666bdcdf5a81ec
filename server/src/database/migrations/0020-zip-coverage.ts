import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which originals the ZIP that a host has downloaded contains: all that came by a change up to a number. */
export const zipCoverage: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['events add column originals_seq', 'events add column zip_seq', 'archives add column seq'])
      await sql.raw(`alter table ${column} bigint not null default 0`).execute(db);
  },
};
