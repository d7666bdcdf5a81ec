import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What operators note about their events. */
export function eventNotes(engine: 'sqlite' | 'postgres'): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(TABLE).execute(db);
      if (engine === 'postgres') for (const statement of TRIGGERS) await sql.raw(statement).execute(db);
    },
  };
}

const TABLE = `create table event_notes (
  event_id text primary key references events (id) on delete cascade,
  customer text not null,
  order_number text not null,
  note text not null
)`;

/** As those of the first migrations: what is left of a customer goes with the event. */
const TRIGGERS = (['delete', 'update'] as const).map(
  (operation) => `create trigger event_notes_${operation}d after ${operation} on event_notes
    referencing old table as gone for each statement execute function event_gone('1', 'event_notes')`,
);
