import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The account that an entry of the audit log is about, where it is not its author's. */
export const auditAccount: Migration = {
  up: async (db: Kysely<unknown>) => void (await sql.raw('alter table audit add column account text').execute(db)),
};
