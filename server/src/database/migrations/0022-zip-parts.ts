import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The parts of a ZIP that went out before those in front of them. */
export const zipParts: Migration = {
  up: async (db: Kysely<unknown>) => void (await sql.raw('alter table archives add column parts text').execute(db)),
};
