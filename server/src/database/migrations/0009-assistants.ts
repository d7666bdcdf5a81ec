import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts of assistants: rows of `admins` whose key pair is here, and leads to no other key. */
export function assistants(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up(db: Kysely<unknown>) {
      await sql
        .raw(
          `create table assistant_keys (
  admin_id text primary key references admins (id) on delete cascade,
  public_key ${bytes} not null,
  wrapped ${bytes} not null
)`,
        )
        .execute(db);
      if (engine === 'postgres') for (const statement of TRIGGERS) await sql.raw(statement).execute(db);
    },
  };
}

/** As those of administrators: with the wrapped key of an earlier password one could guess it. */
const TRIGGERS = (['delete', 'update'] as const).map(
  (operation) => `create trigger assistant_keys_${operation}d after ${operation} on assistant_keys
    referencing old table as gone for each statement execute function key_gone('1', 'assistant_keys', 'session_keys')`,
);
