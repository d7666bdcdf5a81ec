import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What is delivered later, the addresses of hosts, and their invitations. */
export function outbox(engine: 'sqlite' | 'postgres'): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of STATEMENTS.split(';')) await sql.raw(statement).execute(db);
      if (engine === 'postgres') for (const statement of TRIGGERS) await sql.raw(statement).execute(db);
    },
  };
}

const STATEMENTS = `
create table outbox (
  id text primary key,
  kind text not null,
  lane text not null,
  topic text not null,
  event_id text references events (id) on delete cascade,
  once text unique,
  payload text,
  keeper text,
  created_at bigint not null,
  due_at bigint not null,
  attempts integer not null,
  held_until bigint not null,
  state text not null,
  answer text,
  answered_at bigint
);
create index outbox_due on outbox (due_at, id) where state = 'waiting';
create index outbox_event on outbox (event_id);
create table host_contacts (
  event_id text primary key references events (id) on delete cascade,
  email text not null,
  name text not null,
  muted text not null
);
alter table invitations add column expires_at bigint;
alter table hosts add column first_login_at bigint;
update hosts set first_login_at = (select min(at) from audit where audit.event_id = hosts.event_id and audit.action = 'host.login')`;

/** As those of the first migrations: what is left of an address goes with its event. */
const TRIGGERS = [
  ...(['delete', 'update'] as const).map(
    (operation) => `create trigger host_contacts_${operation}d after ${operation} on host_contacts
      referencing old table as gone for each statement execute function event_gone('1', 'host_contacts')`,
  ),
  `create trigger outbox_deleted after delete on outbox
    referencing old table as gone for each statement execute function key_gone('0', 'outbox')`,
];
