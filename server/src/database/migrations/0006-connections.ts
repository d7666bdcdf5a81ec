import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tokens of programs, answers that are repeated, webhooks, and events that programs made. */
export function connections(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements(bytes).split(';')) await sql.raw(statement).execute(db);
    },
  };
}

const statements = (bytes: string): string => `
create table api_tokens (
  id text primary key,
  name text not null,
  scopes text not null,
  token_hash ${bytes} not null unique,
  created_at bigint not null,
  created_by text not null,
  last_used_at bigint
);
create table kept_answers (
  id ${bytes} primary key,
  body ${bytes} not null,
  answer text,
  held_until bigint not null,
  expires_at bigint not null
);
create index kept_answers_expiry on kept_answers (expires_at);
create table webhooks (
  id text primary key,
  name text not null,
  url text not null,
  topics text not null,
  secret text not null,
  active integer not null,
  created_at bigint not null,
  told_until bigint not null
);
alter table events add column unproved integer not null default 0`;
