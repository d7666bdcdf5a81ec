import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Signed receipts of the deletion of events. */
export function receipts(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up(db: Kysely<unknown>) {
      await sql
        .raw(
          `create table receipts (
  event_id text primary key,
  event_code text not null,
  photos bigint not null,
  videos bigint not null,
  bytes bigint not null,
  begun_at bigint not null,
  rows_gone_at bigint,
  bytes_gone_at bigint,
  keys_destroyed_at bigint,
  backups_gone_by bigint,
  public_key ${bytes},
  signature ${bytes}
)`,
        )
        .execute(db);
      await sql.raw('create index receipts_code on receipts (event_code)').execute(db);
    },
  };
}
