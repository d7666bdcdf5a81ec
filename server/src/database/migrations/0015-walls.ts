import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What hosts choose for the walls of their event, and the codes that are typed on televisions. */
export function walls(engine: 'sqlite' | 'postgres'): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
      for (const statement of statementsWith(bytes)) await sql.raw(statement).execute(db);
      if (engine === 'postgres') for (const statement of TRIGGERS) await sql.raw(statement).execute(db);
    },
  };
}

const statementsWith = (bytes: string): string[] => [
  `create table walls (
  event_id text primary key references events (id) on delete cascade,
  version integer not null,
  state text not null
)`,
  `create table wall_codes (
  event_id text primary key references events (id) on delete cascade,
  selector text not null unique,
  wrapped ${bytes} not null,
  expires_at bigint not null
)`,
];

/** As those of the first migrations: what is left of a wrapped key goes with it. */
const TRIGGERS = (['delete', 'update'] as const).map(
  (operation) => `create trigger wall_codes_${operation}d after ${operation} on wall_codes
      referencing old table as gone for each statement execute function event_gone('1', 'wall_codes')`,
);
