import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The mail server that an operator set in the browser. */
export function mailServer(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(tableWith(bytes)).execute(db);
      if (engine === 'postgres') for (const statement of TRIGGERS) await sql.raw(statement).execute(db);
    },
  };
}

const tableWith = (bytes: string): string => `create table mail_server (
  id integer primary key check (id = 1),
  host text not null,
  port integer not null,
  username text not null,
  sealed_password ${bytes},
  sender text not null,
  origin text not null
)`;

/** What is left of an earlier password goes from the table's files, as keys do. */
const TRIGGERS = (['delete', 'update'] as const).map(
  (operation) => `create trigger mail_server_${operation}d after ${operation} on mail_server
    referencing old table as gone for each statement execute function key_gone('0', 'mail_server')`,
);
