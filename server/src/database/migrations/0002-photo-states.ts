import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Photos whose preview comes before their original. */
export const photoStates: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table photos add column state text not null default 'stored'`.execute(db);
    await sql`alter table photos add column drawn_by text not null default 'server'`.execute(db);
    await sql`alter table photos add column original_attempt text`.execute(db);
    await sql`create index photos_unproved on photos (event_id, id) where state in ('announced', 'received')`.execute(db);
    await sql`alter table uploads add column announced integer not null default 0`.execute(db);
    await sql`alter table events add column announced_count integer not null default 0`.execute(db);
  },
};
