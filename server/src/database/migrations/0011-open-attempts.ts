import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Attempts that are open, the photos that a ZIP has, the newest sessions of an event, and the erasing of what was left in PostgreSQL's files. */
export function openAttempts(engine: 'sqlite' | 'postgres'): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const all = engine === 'sqlite' ? [...statements('blob'), ...SQLITE] : [...statements('bytea'), ...POSTGRES];
      for (const statement of all) await sql.raw(statement).execute(db);
    },
  };
}

const statements = (bytes: string): string[] => [
  'alter table failures add column open integer not null default 0',
  'alter table failures add column open_until bigint not null default 0',
  `alter table archives add column members ${bytes}`,
  'create index sessions_role on sessions (event_id, role, id)',
  'drop index sessions_event',
];

/** `held_until` of kept answers is not used; the release before this one still writes it. */
const SQLITE = [
  `create table kept_answers_new (
  id blob primary key,
  body blob not null,
  answer text,
  held_until bigint not null default 0,
  expires_at bigint not null
)`,
  'insert into kept_answers_new select id, body, answer, held_until, expires_at from kept_answers',
  'drop table kept_answers',
  'alter table kept_answers_new rename to kept_answers',
  'create index kept_answers_expiry on kept_answers (expires_at)',
];

const deleted = (table: string, work: string): string =>
  `create trigger ${table}_deleted after delete on ${table} referencing old table as gone for each statement execute function ${work}`;

/** Triggers for what the lists of the earlier migrations have left out. Where only some columns say something, their changes count alone. */
const POSTGRES = [
  'alter table kept_answers alter column held_until set default 0',
  `create function value_gone() returns trigger language plpgsql as $$ begin
    perform mark_rewrites(tg_argv[0]::integer, tg_argv[1:]);
    return null;
  end $$`,
  // The one picture of a photo that is not sealed.
  deleted('pictures', "event_gone('1', 'pictures')"),
  `create trigger outbox_updated after update of payload, answer on outbox for each row
    when (old.payload is distinct from new.payload or (old.answer is not null and old.answer is distinct from new.answer))
    execute function value_gone('0', 'outbox')`,
  deleted('events', "key_gone('0', 'events')"),
  `create trigger events_updated after update of title, subtitle, welcome on events for each row
    when (old.title <> new.title or old.subtitle <> new.subtitle or old.welcome <> new.welcome)
    execute function value_gone('0', 'events')`,
  deleted('reports', "key_gone('0', 'reports')"),
  deleted('audit', "key_gone('0', 'audit')"),
  `create trigger audit_updated after update on audit
    referencing old table as gone for each statement execute function key_gone('0', 'audit')`,
  deleted('kept_answers', "key_gone('0', 'kept_answers')"),
  deleted('webhooks', "key_gone('0', 'webhooks')"),
  deleted('totp_factors', "key_gone('0', 'totp_factors')"),
];
