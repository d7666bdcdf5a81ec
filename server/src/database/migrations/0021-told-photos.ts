import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How often booths were told that a photo is stored. */
export const toldPhotos: Migration = {
  up: async (db: Kysely<unknown>) => void (await sql.raw('alter table photos add column told integer not null default 1').execute(db)),
};
