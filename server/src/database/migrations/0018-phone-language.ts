import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether an event's guests are spoken to in their phones' language by itself. */
export const phoneLanguage: Migration = {
  up: async (db: Kysely<unknown>) =>
    void (await sql.raw('alter table events add column phone_language integer not null default 0').execute(db)),
};
