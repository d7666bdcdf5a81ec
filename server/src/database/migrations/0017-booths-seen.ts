import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a Fotobox last showed an event's password. */
export const boothsSeen: Migration = {
  up: async (db: Kysely<unknown>) => void (await sql.raw('alter table events add column booth_seen_at bigint').execute(db)),
};
