import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Settings that operators make in the browser, pictures that everybody may see, and the look of events. */
export function settings(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements(bytes).split(';')) await sql.raw(statement).execute(db);
    },
  };
}

const statements = (bytes: string): string => `
create table setting_versions (
  section text not null,
  version integer not null,
  value text,
  restored integer,
  changed_at bigint not null,
  changed_by text not null,
  primary key (section, version)
);
create table pictures (
  id text primary key,
  event_id text unique references events (id) on delete cascade,
  photo_id text references photos (id) on delete cascade,
  type text not null,
  width integer not null,
  height integer not null,
  content ${bytes} not null,
  created_at bigint not null
);
create index pictures_photo on pictures (photo_id) where photo_id is not null;
alter table events add column palette text;
alter table events add column welcome text not null default ''`;
