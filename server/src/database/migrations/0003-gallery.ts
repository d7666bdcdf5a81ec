import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The guests' gallery: its keys, links, hearts, and the release of photos. */
export function gallery(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements(bytes).split(';')) await sql.raw(statement).execute(db);
      if (engine === 'postgres') for (const statement of TRIGGERS) await sql.raw(statement).execute(db);
    },
  };
}

const statements = (bytes: string): string => `
alter table events add column with_release integer not null default 0;
alter table events add column release_minutes integer;
alter table events add column gallery_mode text not null default 'drop';
alter table events add column gallery_opens_at bigint;
alter table events add column gallery_revealed_at bigint;
alter table events add column gallery_photos_per_device integer;
alter table events add column gallery_originals integer not null default 0;
alter table events add column gallery_own_meanwhile integer not null default 1;
alter table events add column gallery_wall_meanwhile integer not null default 1;
alter table photos add column release_state integer not null default 0;
alter table photos add column release_at bigint;
create index photos_release on photos (event_id, position) where release_state = 1;
create index photos_release_at on photos (release_at) where release_at is not null;
alter table devices add column public_key ${bytes};

create table gallery_keys (
  event_id text primary key references events (id) on delete cascade,
  public_key ${bytes} not null,
  sealed_for_event ${bytes} not null
);
create table invitations (
  event_id text not null references events (id) on delete cascade,
  role text not null,
  wrapped ${bytes} not null,
  sealed_token ${bytes} not null,
  primary key (event_id, role)
);
create table gallery_photo_keys (
  photo_id text primary key references photos (id) on delete cascade,
  event_id text not null,
  secret_id integer not null,
  sealed_for_gallery ${bytes} not null,
  foreign key (event_id, secret_id) references event_secrets (event_id, id)
);
create index gallery_photo_keys_event on gallery_photo_keys (event_id, secret_id);
create table gallery_guests (
  event_id text not null references events (id) on delete cascade,
  device_hash ${bytes} not null,
  name ${bytes},
  access ${bytes},
  primary key (event_id, device_hash)
);
create table hearts (
  photo_id text not null references photos (id) on delete cascade,
  device_hash ${bytes} not null,
  event_id text not null,
  primary key (photo_id, device_hash)
)`;

const trigger = (name: string, on: string, operation: string, work: string): string =>
  `create trigger ${name} after ${operation} on ${on} referencing old table as gone for each statement execute function ${work}`;

/**
 * Triggers as in the first migration: the remains of a photo that leaves the gallery go with the event's secret, those of a link by a
 * rewrite.
 */
const TRIGGERS = [
  trigger('gallery_photo_keys_deleted', 'gallery_photo_keys', 'delete', 'photos_gone()'),
  ...(['delete', 'update'] as const).flatMap((operation) => [
    trigger(`gallery_keys_${operation}d`, 'gallery_keys', operation, "event_gone('1', 'gallery_keys', 'invitations', 'session_keys')"),
    trigger(`invitations_${operation}d`, 'invitations', operation, "event_gone('1', 'invitations', 'session_keys')"),
  ]),
  // A name that was sealed anew leaves what the same key opens.
  trigger('gallery_guests_deleted', 'gallery_guests', 'delete', "key_gone('0', 'gallery_guests')"),
];
