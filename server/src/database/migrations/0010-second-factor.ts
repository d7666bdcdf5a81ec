import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What administrators prove themselves with beside their passwords. */
export function secondFactor(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements(bytes).split(';')) await sql.raw(statement).execute(db);
    },
  };
}

const statements = (bytes: string): string => `
create table totp_factors (
  admin_id text primary key references admins (id) on delete cascade,
  sealed_secret ${bytes} not null,
  last_step bigint not null,
  created_at bigint not null,
  confirmed_at bigint,
  last_used_at bigint
);
create table passkeys (
  id text primary key,
  admin_id text not null references admins (id) on delete cascade,
  credential_id text not null unique,
  public_key ${bytes} not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_admin on passkeys (admin_id);
create table factor_challenges (
  hash ${bytes} primary key,
  admin_id text not null references admins (id) on delete cascade,
  expires_at bigint not null
);
create index factor_challenges_admin on factor_challenges (admin_id)`;
