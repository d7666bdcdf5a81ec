import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What messengers show of an event's link. */
export const linkPreviews: Migration = {
  up: async (db: Kysely<unknown>) => void (await sql.raw('alter table events add column link_preview text').execute(db)),
};
