import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Every table of schema.ts, on both engines, and on PostgreSQL the triggers that say which tables must be rewritten. */
export function start(engine: 'sqlite' | 'postgres'): Migration {
  const [bytes, autoId] =
    engine === 'sqlite' ? ['blob', 'integer primary key'] : ['bytea', 'bigint generated always as identity primary key'];
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of tables(bytes, autoId).split(';')) await sql.raw(statement).execute(db);
      if (engine === 'postgres') await createTriggers(db);
    },
  };
}

/** Instants (ms) and sizes (bytes) are bigint, flags integer. */
const tables = (bytes: string, autoId: string): string => `
create table operator_keys (
  id integer primary key,
  public_key ${bytes} not null,
  created_at bigint not null
);
create table admins (
  id text primary key,
  username text not null unique,
  created_at bigint not null,
  password_changed_at bigint
);
create table admin_keys (
  admin_id text primary key references admins (id) on delete cascade,
  public_key ${bytes} not null,
  wrapped ${bytes} not null,
  sealed_operator_key ${bytes}
);
create table recovery_keys (
  id integer primary key,
  public_key ${bytes} not null,
  wrapped ${bytes} not null,
  sealed_operator_key ${bytes} not null,
  created_at bigint not null
);

create table events (
  id text primary key,
  code text not null unique,
  title text not null,
  subtitle text not null,
  start_date text not null,
  end_date text not null,
  is_active integer not null,
  with_nsfw_check integer not null,
  with_random_slideshow integer not null,
  with_fotobox integer not null,
  with_user_upload integer not null,
  with_slideshow integer not null,
  with_slideshow_names integer not null default 1,
  with_videos integer not null,
  with_upload_password integer not null,
  storage_limit bigint,
  used_bytes bigint not null default 0,
  photo_count integer not null default 0,
  video_count integer not null default 0,
  last_position integer not null default 0,
  last_photo text,
  change_seq integer not null default 0,
  device_count integer not null default 0,
  created_at bigint not null,
  purging_at bigint,
  purged_at bigint,
  version integer not null default 1,
  demo integer not null default 0,
  zip_downloaded_at bigint,
  tampered_at bigint
);
create table changes (
  event_id text not null references events (id) on delete cascade,
  seq integer not null,
  kind text not null,
  photo_id text,
  at bigint not null,
  primary key (event_id, seq)
);
create index changes_at on changes (at);
create table event_keys (
  event_id text primary key references events (id) on delete cascade,
  public_key ${bytes} not null,
  sealed_for_operator ${bytes} not null
);
create table event_secrets (
  event_id text not null references events (id) on delete cascade,
  id integer not null,
  secret ${bytes} not null,
  renew_at bigint,
  primary key (event_id, id)
);
create table event_passwords (
  event_id text not null references events (id) on delete cascade,
  kind text not null,
  verifier text not null,
  sealed ${bytes} not null,
  primary key (event_id, kind)
);
create table hosts (
  event_id text primary key references events (id) on delete cascade,
  created_at bigint not null,
  reset_at bigint,
  reset_seen_at bigint
);
create table host_keys (
  event_id text primary key references events (id) on delete cascade,
  wrapped ${bytes} not null
);

create table sessions (
  id text primary key,
  token_hash ${bytes} not null unique,
  role text not null,
  event_id text references events (id) on delete cascade,
  admin_id text references admins (id) on delete cascade,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  expires_at_latest bigint not null
);
create index sessions_event on sessions (event_id);
create index sessions_expiry on sessions (expires_at);
create table session_keys (
  session_id text primary key references sessions (id) on delete cascade,
  wrapped ${bytes} not null
);

create table devices (
  event_id text not null references events (id) on delete cascade,
  device_hash ${bytes} not null,
  first_seen_at bigint not null,
  primary key (event_id, device_hash)
);
create table guest_keys (
  event_id text not null references events (id) on delete cascade,
  device_hash ${bytes} not null,
  sealed_for_event ${bytes} not null,
  primary key (event_id, device_hash)
);
create table photos (
  id text primary key,
  event_id text not null references events (id) on delete cascade,
  device_hash ${bytes} not null,
  description ${bytes} not null,
  type text not null,
  size bigint not null,
  width integer not null,
  height integer not null,
  duration_ms bigint,
  codecs text,
  thumbnail_type text not null,
  thumbnail_size integer not null,
  thumbnail_attempt text,
  preview_type text,
  preview_size integer,
  preview_attempt text,
  created_at bigint not null,
  slideshow integer not null,
  sample integer not null default 0,
  fingerprint ${bytes} not null,
  position integer not null
);
create unique index photos_position on photos (event_id, position);
create index photos_order on photos (event_id, created_at, id);
create unique index photos_fingerprint on photos (event_id, fingerprint);
create index photos_device on photos (event_id, device_hash, id);
create table photo_keys (
  photo_id text primary key references photos (id) on delete cascade,
  event_id text not null,
  secret_id integer not null,
  sealed_for_event ${bytes} not null,
  wrapped_for_device ${bytes} not null,
  facts ${bytes} not null,
  foreign key (event_id, secret_id) references event_secrets (event_id, id)
);
create index photo_keys_event on photo_keys (event_id, secret_id);

create table uploads (
  id text primary key,
  key_hash ${bytes} not null unique,
  event_id text not null references events (id) on delete cascade,
  device_hash ${bytes} not null,
  network ${bytes} not null,
  length bigint not null,
  received bigint not null,
  version integer not null,
  fotobox integer not null,
  description ${bytes},
  photo_id text references photos (id) on delete cascade,
  expires_at bigint not null
);
create index uploads_open on uploads (event_id, device_hash, network, length) where photo_id is null;
create index uploads_photo on uploads (photo_id);
create index uploads_expiry on uploads (expires_at);
create table upload_keys (
  upload_id text primary key references uploads (id) on delete cascade,
  event_id text not null,
  wrapped ${bytes} not null
);
create table upload_parts (
  upload_id text not null references uploads (id) on delete cascade,
  n integer not null,
  size bigint not null,
  primary key (upload_id, n)
);

create table links (
  token_hash ${bytes} primary key,
  expires_at bigint not null
);
create index links_expiry on links (expires_at);
create table link_keys (
  token_hash ${bytes} primary key references links (token_hash) on delete cascade,
  photo_id text not null references photos (id) on delete cascade,
  wrapped ${bytes} not null
);
create index link_keys_photo on link_keys (photo_id);

create table archives (
  event_id text primary key references events (id) on delete cascade,
  status text not null,
  progress integer not null,
  started_at bigint not null,
  finished_at bigint,
  etag text,
  size bigint,
  photo_count integer not null,
  manifest ${bytes},
  downloaded_bytes bigint not null default 0
);
create table selections (
  id text primary key,
  event_id text not null references events (id) on delete cascade,
  session_id text not null references sessions (id) on delete cascade,
  etag text not null,
  manifest ${bytes} not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index selections_session on selections (session_id, created_at);
create index selections_expiry on selections (expires_at);

create table reports (
  id text primary key,
  received_at bigint not null,
  event text not null,
  photo text not null,
  reason text not null,
  name text not null,
  email text not null,
  settled_at bigint,
  settled_by text
);
create index reports_received on reports (received_at);
create table demo (
  id integer primary key,
  code text not null,
  password text not null,
  event_id text,
  reset_at bigint
);

create table clock (
  id integer primary key,
  trusted_at bigint not null,
  refused_at bigint,
  confirmed_at bigint
);
create table settings (
  name text primary key,
  value ${bytes} not null
);
create table failures (
  bucket text primary key,
  window_start bigint not null,
  count integer not null
);
create index failures_window on failures (window_start);
create table leases (
  name text primary key,
  holder text not null,
  expires_at bigint not null,
  ran_at bigint
);
create table orphans (
  key text primary key,
  at bigint not null
);
create table audit (
  id text primary key,
  at bigint not null,
  actor text not null,
  action text not null,
  event_id text,
  event_code text,
  address text
);
create index audit_at on audit (at);
create table due_rewrites (
  id ${autoId},
  table_name text not null,
  urgent integer not null,
  at bigint not null
)`;

/**
 * Tables from which keys are deleted together with an event, and which are small. The keys of its photos open only with a secret in
 * `event_secrets`, those of its guests only with the event's private key: their tables are not rewritten for it.
 */
const KEYS_OF_EVENT = ['event_keys', 'event_secrets', 'event_passwords', 'host_keys', 'session_keys', 'upload_keys', 'link_keys'];

/**
 * PostgreSQL keeps the bytes of deleted rows in a table's pages until the table is rewritten. A trigger on each table with keys
 * therefore records, in the transaction that deletes a key, which tables are due for a rewrite: at once after an event, a
 * password or an administrator was deleted; at night after single photos, links, sessions or the demo were deleted. SQLite
 * overwrites deleted bytes itself (`secure_delete`).
 */
async function createTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`create function mark_rewrites(urgent integer, tables text[]) returns void language sql as $$
    insert into due_rewrites (table_name, urgent, at)
    select name, $1, (extract(epoch from now()) * 1000)::bigint from unnest($2) as name $$`.execute(db);
  await sql`create function key_gone() returns trigger language plpgsql as $$ begin
    if exists (select from gone) then perform mark_rewrites(tg_argv[0]::integer, tg_argv[1:]); end if;
    return null;
  end $$`.execute(db);
  // Not urgent if only the demo was deleted: it is reset every two hours.
  await sql`create function event_gone() returns trigger language plpgsql as $$ begin
    if exists (select from gone) then
      perform mark_rewrites((exists (select from gone left join events on events.id = gone.event_id where events.demo is distinct from 1))::integer, tg_argv[1:]);
    end if;
    return null;
  end $$`.execute(db);

  // Single photos: their event needs a new secret (photo-keys/renewal.ts).
  await sql`create function photos_gone() returns trigger language plpgsql as $$ begin
    update event_secrets set renew_at = (extract(epoch from now()) * 1000)::bigint
      where renew_at is null and event_id in (select distinct event_id from gone);
    return null;
  end $$`.execute(db);
  await sql`create trigger photo_keys_deleted after delete on photo_keys
    referencing old table as gone for each statement execute function photos_gone()`.execute(db);

  // A trigger's first argument is whether the rewrite is urgent; the others are the tables to rewrite.
  const trigger = async (on: string, operation: 'delete' | 'update', urgent: 0 | 1, due = [on], work = 'key_gone'): Promise<void> => {
    const args = sql.join([String(urgent), ...due].map((arg) => sql.lit(arg)));
    await sql`create trigger ${sql.raw(`${on}_${operation}d`)} after ${sql.raw(operation)} on ${sql.table(on)}
      referencing old table as gone for each statement execute function ${sql.raw(work)}(${args})`.execute(db);
  };
  await trigger('event_keys', 'delete', 1, KEYS_OF_EVENT, 'event_gone');
  await trigger('event_secrets', 'delete', 1, ['event_secrets'], 'event_gone');
  // An update means that the operator's key pair was renewed.
  await trigger('event_keys', 'update', 1);
  for (const operation of ['delete', 'update'] as const) {
    await trigger('host_keys', operation, 1, ['host_keys', 'session_keys'], 'event_gone');
    await trigger('event_passwords', operation, 1, ['event_passwords'], 'event_gone');
    await trigger('admin_keys', operation, 1, ['admin_keys', 'session_keys']);
    await trigger('recovery_keys', operation, 1);
    for (const table of ['session_keys', 'guest_keys', 'upload_keys', 'link_keys']) await trigger(table, operation, 0);
  }
}
