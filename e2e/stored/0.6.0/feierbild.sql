create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
create table kysely_migration_lock (id varchar(255) primary key, is_locked integer default 0 not null);
insert into kysely_migration_lock values ('migration_lock', 0);

create table operator_keys (
  id integer primary key,
  public_key bytea not null,
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
  public_key bytea not null,
  wrapped bytea not null,
  sealed_operator_key bytea
);

create table recovery_keys (
  id integer primary key,
  public_key bytea not null,
  wrapped bytea not null,
  sealed_operator_key bytea not null,
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
  public_key bytea not null,
  sealed_for_operator bytea not null
);

create table event_secrets (
  event_id text not null references events (id) on delete cascade,
  id integer not null,
  secret bytea not null,
  renew_at bigint,
  primary key (event_id, id)
);

create table event_passwords (
  event_id text not null references events (id) on delete cascade,
  kind text not null,
  verifier text not null,
  sealed bytea not null,
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
  wrapped bytea not null
);


create table sessions (
  id text primary key,
  token_hash bytea not null unique,
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
  wrapped bytea not null
);


create table devices (
  event_id text not null references events (id) on delete cascade,
  device_hash bytea not null,
  first_seen_at bigint not null,
  primary key (event_id, device_hash)
);

create table guest_keys (
  event_id text not null references events (id) on delete cascade,
  device_hash bytea not null,
  sealed_for_event bytea not null,
  primary key (event_id, device_hash)
);

create table photos (
  id text primary key,
  event_id text not null references events (id) on delete cascade,
  device_hash bytea not null,
  description bytea not null,
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
  fingerprint bytea not null,
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
  sealed_for_event bytea not null,
  wrapped_for_device bytea not null,
  facts bytea not null,
  foreign key (event_id, secret_id) references event_secrets (event_id, id)
);

create index photo_keys_event on photo_keys (event_id, secret_id);


create table uploads (
  id text primary key,
  key_hash bytea not null unique,
  event_id text not null references events (id) on delete cascade,
  device_hash bytea not null,
  network bytea not null,
  length bigint not null,
  received bigint not null,
  version integer not null,
  fotobox integer not null,
  description bytea,
  photo_id text references photos (id) on delete cascade,
  expires_at bigint not null
);

create index uploads_open on uploads (event_id, device_hash, network, length) where photo_id is null;

create index uploads_photo on uploads (photo_id);

create index uploads_expiry on uploads (expires_at);

create table upload_keys (
  upload_id text primary key references uploads (id) on delete cascade,
  event_id text not null,
  wrapped bytea not null
);

create table upload_parts (
  upload_id text not null references uploads (id) on delete cascade,
  n integer not null,
  size bigint not null,
  primary key (upload_id, n)
);


create table links (
  token_hash bytea primary key,
  expires_at bigint not null
);

create index links_expiry on links (expires_at);

create table link_keys (
  token_hash bytea primary key references links (token_hash) on delete cascade,
  photo_id text not null references photos (id) on delete cascade,
  wrapped bytea not null
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
  manifest bytea,
  downloaded_bytes bigint not null default 0
);

create table selections (
  id text primary key,
  event_id text not null references events (id) on delete cascade,
  session_id text not null references sessions (id) on delete cascade,
  etag text not null,
  manifest bytea not null,
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
  value bytea not null
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
  id bigint generated always as identity primary key,
  table_name text not null,
  urgent integer not null,
  at bigint not null
);
create function mark_rewrites(urgent integer, tables text[]) returns void language sql as $$
    insert into due_rewrites (table_name, urgent, at)
    select name, $1, (extract(epoch from now()) * 1000)::bigint from unnest($2) as name $$;
create function key_gone() returns trigger language plpgsql as $$ begin
    if exists (select from gone) then perform mark_rewrites(tg_argv[0]::integer, tg_argv[1:]); end if;
    return null;
  end $$;
create function event_gone() returns trigger language plpgsql as $$ begin
    if exists (select from gone) then
      perform mark_rewrites((exists (select from gone left join events on events.id = gone.event_id where events.demo is distinct from 1))::integer, tg_argv[1:]);
    end if;
    return null;
  end $$;
create function photos_gone() returns trigger language plpgsql as $$ begin
    update event_secrets set renew_at = (extract(epoch from now()) * 1000)::bigint
      where renew_at is null and event_id in (select distinct event_id from gone);
    return null;
  end $$;
create trigger photo_keys_deleted after delete on photo_keys
    referencing old table as gone for each statement execute function photos_gone();
create trigger event_keys_deleted after delete on "event_keys"
      referencing old table as gone for each statement execute function event_gone('1', 'event_keys', 'event_secrets', 'event_passwords', 'host_keys', 'session_keys', 'upload_keys', 'link_keys');
create trigger event_secrets_deleted after delete on "event_secrets"
      referencing old table as gone for each statement execute function event_gone('1', 'event_secrets');
create trigger event_keys_updated after update on "event_keys"
      referencing old table as gone for each statement execute function key_gone('1', 'event_keys');
create trigger host_keys_deleted after delete on "host_keys"
      referencing old table as gone for each statement execute function event_gone('1', 'host_keys', 'session_keys');
create trigger event_passwords_deleted after delete on "event_passwords"
      referencing old table as gone for each statement execute function event_gone('1', 'event_passwords');
create trigger admin_keys_deleted after delete on "admin_keys"
      referencing old table as gone for each statement execute function key_gone('1', 'admin_keys', 'session_keys');
create trigger recovery_keys_deleted after delete on "recovery_keys"
      referencing old table as gone for each statement execute function key_gone('1', 'recovery_keys');
create trigger session_keys_deleted after delete on "session_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'session_keys');
create trigger guest_keys_deleted after delete on "guest_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'guest_keys');
create trigger upload_keys_deleted after delete on "upload_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'upload_keys');
create trigger link_keys_deleted after delete on "link_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'link_keys');
create trigger host_keys_updated after update on "host_keys"
      referencing old table as gone for each statement execute function event_gone('1', 'host_keys', 'session_keys');
create trigger event_passwords_updated after update on "event_passwords"
      referencing old table as gone for each statement execute function event_gone('1', 'event_passwords');
create trigger admin_keys_updated after update on "admin_keys"
      referencing old table as gone for each statement execute function key_gone('1', 'admin_keys', 'session_keys');
create trigger recovery_keys_updated after update on "recovery_keys"
      referencing old table as gone for each statement execute function key_gone('1', 'recovery_keys');
create trigger session_keys_updated after update on "session_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'session_keys');
create trigger guest_keys_updated after update on "guest_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'guest_keys');
create trigger upload_keys_updated after update on "upload_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'upload_keys');
create trigger link_keys_updated after update on "link_keys"
      referencing old table as gone for each statement execute function key_gone('0', 'link_keys');
alter table photos add column state text not null default 'stored';
alter table photos add column drawn_by text not null default 'server';
alter table photos add column original_attempt text;
create index photos_unproved on photos (event_id, id) where state in ('announced', 'received');
alter table uploads add column announced integer not null default 0;
alter table events add column announced_count integer not null default 0;

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

alter table devices add column public_key bytea;


create table gallery_keys (
  event_id text primary key references events (id) on delete cascade,
  public_key bytea not null,
  sealed_for_event bytea not null
);

create table invitations (
  event_id text not null references events (id) on delete cascade,
  role text not null,
  wrapped bytea not null,
  sealed_token bytea not null,
  primary key (event_id, role)
);

create table gallery_photo_keys (
  photo_id text primary key references photos (id) on delete cascade,
  event_id text not null,
  secret_id integer not null,
  sealed_for_gallery bytea not null,
  foreign key (event_id, secret_id) references event_secrets (event_id, id)
);

create index gallery_photo_keys_event on gallery_photo_keys (event_id, secret_id);

create table gallery_guests (
  event_id text not null references events (id) on delete cascade,
  device_hash bytea not null,
  name bytea,
  access bytea,
  primary key (event_id, device_hash)
);

create table hearts (
  photo_id text not null references photos (id) on delete cascade,
  device_hash bytea not null,
  event_id text not null,
  primary key (photo_id, device_hash)
);
create trigger gallery_photo_keys_deleted after delete on gallery_photo_keys referencing old table as gone for each statement execute function photos_gone();
create trigger gallery_keys_deleted after delete on gallery_keys referencing old table as gone for each statement execute function event_gone('1', 'gallery_keys', 'invitations', 'session_keys');
create trigger invitations_deleted after delete on invitations referencing old table as gone for each statement execute function event_gone('1', 'invitations', 'session_keys');
create trigger gallery_keys_updated after update on gallery_keys referencing old table as gone for each statement execute function event_gone('1', 'gallery_keys', 'invitations', 'session_keys');
create trigger invitations_updated after update on invitations referencing old table as gone for each statement execute function event_gone('1', 'invitations', 'session_keys');
create trigger gallery_guests_deleted after delete on gallery_guests referencing old table as gone for each statement execute function key_gone('0', 'gallery_guests');

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
  content bytea not null,
  created_at bigint not null
);

create index pictures_photo on pictures (photo_id) where photo_id is not null;

alter table events add column palette text;

alter table events add column welcome text not null default '';

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

update hosts set first_login_at = (select min(at) from audit where audit.event_id = hosts.event_id and audit.action = 'host.login');
create trigger host_contacts_deleted after delete on host_contacts
      referencing old table as gone for each statement execute function event_gone('1', 'host_contacts');
create trigger host_contacts_updated after update on host_contacts
      referencing old table as gone for each statement execute function event_gone('1', 'host_contacts');
create trigger outbox_deleted after delete on outbox
    referencing old table as gone for each statement execute function key_gone('0', 'outbox');

create table api_tokens (
  id text primary key,
  name text not null,
  scopes text not null,
  token_hash bytea not null unique,
  created_at bigint not null,
  created_by text not null,
  last_used_at bigint
);

create table kept_answers (
  id bytea primary key,
  body bytea not null,
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

alter table events add column unproved integer not null default 0;
create table receipts (
  event_id text primary key,
  event_code text not null,
  photos bigint not null,
  videos bigint not null,
  bytes bigint not null,
  begun_at bigint not null,
  rows_gone_at bigint,
  bytes_gone_at bigint,
  keys_destroyed_at bigint,
  backups_gone_by bigint,
  public_key bytea,
  signature bytea
);
create index receipts_code on receipts (event_code);
create table event_notes (
  event_id text primary key references events (id) on delete cascade,
  customer text not null,
  order_number text not null,
  note text not null
);
create trigger event_notes_deleted after delete on event_notes
    referencing old table as gone for each statement execute function event_gone('1', 'event_notes');
create trigger event_notes_updated after update on event_notes
    referencing old table as gone for each statement execute function event_gone('1', 'event_notes');
create table assistant_keys (
  admin_id text primary key references admins (id) on delete cascade,
  public_key bytea not null,
  wrapped bytea not null
);
create trigger assistant_keys_deleted after delete on assistant_keys
    referencing old table as gone for each statement execute function key_gone('1', 'assistant_keys', 'session_keys');
create trigger assistant_keys_updated after update on assistant_keys
    referencing old table as gone for each statement execute function key_gone('1', 'assistant_keys', 'session_keys');

create table totp_factors (
  admin_id text primary key references admins (id) on delete cascade,
  sealed_secret bytea not null,
  last_step bigint not null,
  created_at bigint not null,
  confirmed_at bigint,
  last_used_at bigint
);

create table passkeys (
  id text primary key,
  admin_id text not null references admins (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint
);

create index passkeys_admin on passkeys (admin_id);

create table factor_challenges (
  hash bytea primary key,
  admin_id text not null references admins (id) on delete cascade,
  expires_at bigint not null
);

create index factor_challenges_admin on factor_challenges (admin_id);
alter table failures add column open integer not null default 0;
alter table failures add column open_until bigint not null default 0;
alter table archives add column members bytea;
create index sessions_role on sessions (event_id, role, id);
drop index sessions_event;
alter table kept_answers alter column held_until set default 0;
create function value_gone() returns trigger language plpgsql as $$ begin
    perform mark_rewrites(tg_argv[0]::integer, tg_argv[1:]);
    return null;
  end $$;
create trigger pictures_deleted after delete on pictures referencing old table as gone for each statement execute function event_gone('1', 'pictures');
create trigger outbox_updated after update of payload, answer on outbox for each row
    when (old.payload is distinct from new.payload or (old.answer is not null and old.answer is distinct from new.answer))
    execute function value_gone('0', 'outbox');
create trigger events_deleted after delete on events referencing old table as gone for each statement execute function key_gone('0', 'events');
create trigger events_updated after update of title, subtitle, welcome on events for each row
    when (old.title <> new.title or old.subtitle <> new.subtitle or old.welcome <> new.welcome)
    execute function value_gone('0', 'events');
create trigger reports_deleted after delete on reports referencing old table as gone for each statement execute function key_gone('0', 'reports');
create trigger audit_deleted after delete on audit referencing old table as gone for each statement execute function key_gone('0', 'audit');
create trigger audit_updated after update on audit
    referencing old table as gone for each statement execute function key_gone('0', 'audit');
create trigger kept_answers_deleted after delete on kept_answers referencing old table as gone for each statement execute function key_gone('0', 'kept_answers');
create trigger webhooks_deleted after delete on webhooks referencing old table as gone for each statement execute function key_gone('0', 'webhooks');
create trigger totp_factors_deleted after delete on totp_factors referencing old table as gone for each statement execute function key_gone('0', 'totp_factors');
create table mail_server (
  id integer primary key check (id = 1),
  host text not null,
  port integer not null,
  username text not null,
  sealed_password bytea,
  sender text not null,
  origin text not null
);
create trigger mail_server_deleted after delete on mail_server
    referencing old table as gone for each statement execute function key_gone('0', 'mail_server');
create trigger mail_server_updated after update on mail_server
    referencing old table as gone for each statement execute function key_gone('0', 'mail_server');
create table walls (
  event_id text primary key references events (id) on delete cascade,
  version integer not null,
  state text not null
);
create table wall_codes (
  event_id text primary key references events (id) on delete cascade,
  selector text not null unique,
  wrapped bytea not null,
  expires_at bigint not null
);
create trigger wall_codes_deleted after delete on wall_codes
      referencing old table as gone for each statement execute function event_gone('1', 'wall_codes');
create trigger wall_codes_updated after update on wall_codes
      referencing old table as gone for each statement execute function event_gone('1', 'wall_codes');
alter table events add column link_preview text;
alter table events add column booth_seen_at bigint;
alter table events add column phone_language integer not null default 0;
alter table photos add column large_type text;
alter table photos add column large_size integer;
alter table photos add column large_attempt text;
alter table events add column originals_seq bigint not null default 0;
alter table events add column zip_seq bigint not null default 0;
alter table archives add column seq bigint not null default 0;
update events set originals_seq = change_seq;
update archives set seq = (select change_seq from events where events.id = archives.event_id) where status = 'complete'
    and photo_count = (select count(*) from photos where photos.event_id = archives.event_id and state in ('received', 'stored'));
update events set zip_seq = change_seq where zip_downloaded_at is not null
    and not exists (select 1 from photos where photos.event_id = events.id and photos.created_at >= zip_downloaded_at)
    and not exists (select 1 from archives where archives.event_id = events.id and status = 'complete'
      and (seq < change_seq or downloaded_bytes < size));
alter table photos add column told integer not null default 1;
insert into kysely_migration values ('0001-start', '2026-11-29T14:20:24.552Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-29T14:20:24.560Z');
insert into kysely_migration values ('0003-gallery', '2026-11-29T14:20:24.595Z');
insert into kysely_migration values ('0004-settings', '2026-11-29T14:20:24.610Z');
insert into kysely_migration values ('0005-outbox', '2026-11-29T14:20:24.632Z');
insert into kysely_migration values ('0006-connections', '2026-11-29T14:20:24.651Z');
insert into kysely_migration values ('0007-receipts', '2026-11-29T14:20:24.659Z');
insert into kysely_migration values ('0008-event-notes', '2026-11-29T14:20:24.666Z');
insert into kysely_migration values ('0009-assistants', '2026-11-29T14:20:24.675Z');
insert into kysely_migration values ('0010-second-factor', '2026-11-29T14:20:24.692Z');
insert into kysely_migration values ('0011-open-attempts', '2026-11-29T14:20:24.703Z');
insert into kysely_migration values ('0013-mail-server', '2026-11-29T14:20:24.709Z');
insert into kysely_migration values ('0015-walls', '2026-11-29T14:20:24.721Z');
insert into kysely_migration values ('0016-link-previews', '2026-11-29T14:20:24.724Z');
insert into kysely_migration values ('0017-booths-seen', '2026-11-29T14:20:24.726Z');
insert into kysely_migration values ('0018-phone-language', '2026-11-29T14:20:24.729Z');
insert into kysely_migration values ('0019-large-pictures', '2026-11-29T14:20:24.733Z');
insert into kysely_migration values ('0020-zip-coverage', '2026-11-29T14:20:24.744Z');
insert into kysely_migration values ('0021-told-photos', '2026-11-29T14:20:24.746Z');
insert into operator_keys values ('1', '\x8420a61e30d08461d6cb6f1652d20e064656c0ee8835cc5c7a0405f37b11cb0f', '1795962025202');
insert into admins values ('01a227ad-b36d-7266-871a-8385381bef70', 'admin', '1795962024813', null);
insert into admin_keys values ('01a227ad-b36d-7266-871a-8385381bef70', '\x4117d9a15abaa2de1680fbf1af1886006eec2f326a28caeb0ee32ac470264b2a', '\x0101a96356cd27d0587899785ac33c58e169595bf0d8b0464a62e2db658b9fc084947f4b9562091582466b33f08eb23f819a9d8cc38a1fcc3a9fc46863d5cf7344624c5c6def2a286fa4f474f4d50c87a0f2069c7d131e885f232ce76a8026abe76a7694eb5d4b10ba23d3e7a7bc', '\x01c421d324a4b59cf44d6cd6e0531e7b74de4db0f4ebfccbd71947af07baef887968dd90fce6d6650d0647ef301844b20506d9b504348f276aec81ebfe16dc1ff634ff61df750c5c351d7d5d286882f3e9');
insert into events values ('01a227ad-b828-7327-ab9d-76ef269701fb', 'B5WAPSMG', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '986', '1', '0', '1', '01a227ad-bebc-738b-a52b-a38dceb1ace7', '1', '1', '1795962026024', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0', '1', '0');
insert into changes values ('01a227ad-b828-7327-ab9d-76ef269701fb', '1', 'came', '01a227ad-bebc-738b-a52b-a38dceb1ace7', '1795962027802');
insert into event_keys values ('01a227ad-b828-7327-ab9d-76ef269701fb', '\x9cd3069fb88c36af74eaae701e51842c12aa6cd5270da038220fa6e6ce1f1e22', '\x018e05ee788fd03aa81b100216185e18ffc630da9732bc453598b3458c9dcfa0109e17f03f02e9dad18867f0a2ebd2a13df4ea15e8979030938d1c5d793b7bf3903d5e9b9fd2be37777963a09261003f87');
insert into event_secrets values ('01a227ad-b828-7327-ab9d-76ef269701fb', '1', '\x612763ec656a726029cf503a163f02a1048cc36c937f03603f3ea57ff6fc858b', null);
insert into event_passwords values ('01a227ad-b828-7327-ab9d-76ef269701fb', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$SINNvhABNh0KjKxZ28Fipw$PYLscINLKiKtzR40/GZQzXB/cIgHzmkVRrLdAtGvLFw', '\x01b64d8f449b780f75a2b5e7becd29ee82edea8c4ea58c2bd395039f2c184c840dd41b43fe8f4845bba44aa39926eb3a22cefd76a974388c36aff7');
insert into event_passwords values ('01a227ad-b828-7327-ab9d-76ef269701fb', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$kNXLm4tM/yFWxActXno1jQ$CalUjACNMRhQqdeIvKkNEnUp6GajWVav7dWFLJmDJOY', '\x01118a5127ea2ba97915dc7840e5c67a33b751cb053580c755f713d7fd3007ef7f127194c73c44b4c70dfc46765ae079d7bc9f8c47a4901ad0');
insert into hosts values ('01a227ad-b828-7327-ab9d-76ef269701fb', '1795962027259', null, null, '1795962028210');
insert into host_keys values ('01a227ad-b828-7327-ab9d-76ef269701fb', '\x01017f27b37f4f6c82f611d49072b9b265eace7f9ecd5e24a3c895a31020384de9349f436ba9f21a1d6cc9687129d707947c80060fc7d3d158cb6e9414c9797803be1bb883c0ee450f972a256ba0b97cda07e77a579ba453a831aeaf884c88c327f917eec028b3340c700f1ab878');
insert into sessions values ('01a227ad-b810-71ea-a373-00ad79ee4431', '\xcf35d1b882a042f80d4142ec1c241bb7f9c219c4c3aa81ac443429705681cc07', 'admin', null, '01a227ad-b36d-7266-871a-8385381bef70', '1795962026000', '1795962026000', '1796005226000', '1796566826000');
insert into sessions values ('01a227ad-c0b4-704a-ae9f-085754afe009', '\x88f6ebbfd1ef1513dec58c423f20b478bf7a48e5bb2be99be3038dda660a9dc1', 'user', '01a227ad-b828-7327-ab9d-76ef269701fb', null, '1795962028212', '1795962028212', '1798554028212', '1803738028212');
insert into session_keys values ('01a227ad-b810-71ea-a373-00ad79ee4431', '\x0102ed4f6eb36902df07a08f2bd347e500fc952d670fa63b9bedd7ff8e90f0fb3e3b77115880cad6c39a88b010add59b652ef6c6375fa3b05636c08636c2a9277c338e53e61f7e14248bf7d467637ee0f338a0a84aecc0c5c669eacfabb8cfffe0f563cbe917ee2a3bd0bbe924db');
insert into session_keys values ('01a227ad-c0b4-704a-ae9f-085754afe009', '\x0102a9f1e09a4d9c4ba0690c445418c1a48896e5495f4e9c22c07b6fcc312bf886ce6edf12e919e8ef17b15ac4313896afbc32868144a747054ffd0842777194af74d0eae5f82e8a40bb826aedbd4a39ee829b9e7b4bef4b125d271115f87be97d0bd5d89a40983191cb6e4f6f06');
insert into devices values ('01a227ad-b828-7327-ab9d-76ef269701fb', '\x2092ff52710637eb46d5efa00ce4109e457fc3bd3d1e0e9605c9fb680a66329e', '1795962027790', '\x925e300cecbe26bfebb5a9ffedade50e85b562b217387f165a2b75bb9f640522');
insert into guest_keys values ('01a227ad-b828-7327-ab9d-76ef269701fb', '\x2092ff52710637eb46d5efa00ce4109e457fc3bd3d1e0e9605c9fb680a66329e', '\x01485dcd830d9f957b19e3e16848eca0804854084daa3f9ed1c8121f6bd08db84bb7ccd3ee27de8accab803aef0743d3ef2339655571f9cd3d5937ad5910fad14502e19426e02ec88fcf113b6c1c52a158');
insert into photos values ('01a227ad-bebc-738b-a52b-a38dceb1ace7', '01a227ad-b828-7327-ab9d-76ef269701fb', '\x2092ff52710637eb46d5efa00ce4109e457fc3bd3d1e0e9605c9fb680a66329e', '\x010d5b8a9c2b9ffdac782fa10725f8de91b1da75a52d21e442e12f49e099d875ead3c251dc41cf954014079e5b31ab59e3c8662b254d9088d6833fafc64d388ca5a4953329b4bc246be0424738840aac59e59ba6eabe19f9c07e14c76c', 'image/jpeg', '986', '60', '40', null, null, 'image/jpeg', '1217', null, 'image/jpeg', '1217', '45c34b2486377bdf', '1795962027790', '1', '0', '\xf669a8968f6b5bc09e6dbf751127afaeb24a49d1bd96e09ac23cd2976fe248b7', '1', 'stored', 'server', null, '0', null, null, null, null, '1');
insert into photo_keys values ('01a227ad-bebc-738b-a52b-a38dceb1ace7', '01a227ad-b828-7327-ab9d-76ef269701fb', '1', '\x017b475c182ef68e33adbd8ea0c7fd0b1c0eaa30ce5b28b2e118ac2ff243fb837862e53f39afb1fd290afaccdd9ee2fd0ba7731e91293307bf275da5d503f35563462c98d409e5b2e4700abad31b48938709152cac85f9204f7ddf5126ef09be71bca9fef7abad11bad725b5ac03', '\x01f5b9de834bb5318c398ab364f3892855962c36289ec34b5279a6830ca2e43c5e206692a392d4e5dd72351c1e0e15620fdca5d6ea2f06fadb4a12eb90079c8444a7296c7c99f4dc1319288d6bb38727f740b5a83026242f1f9ea34b07a7746854bdbb83c944de0622e0c5201773edc876cfdcb3e6cc533713a1329c2577e541f1a94e6e1bc3cc67a5ce84', '\x01568b642ead86c77b45e90571d42aae0178102dc9e54c168adae60c31b090fb17bf3fe51eabb59f7d18248fff5344c024ae6ed4bb91b0fe7143b7c1143ed70942');
insert into archives values ('01a227ad-b828-7327-ab9d-76ef269701fb', 'complete', '100', '1795962028227', '1795962028255', 'pNShulT4O0fwCgumVt5qaEzgLoV2wIU-T32SrQ9zcs4', '1208', '1', '\x011c9c5484c9053663dd82a9fa9fccaf6f19fdaa5a39e010af58858ac86c0dee655a65f86412ec46f841c3293446df69fa2fd52c0f7fbdca1fa9f449e01483d4a14d2154891fdac3ab6d870d41fb976957d1d31ecc6186e6787ea3389d0ae9aa530ea0ae666afdb25114a96a4263397f95a8d3af5036703b5bef87fad6890a5f246191291c5965472aaeb60d1b2fae5371c257aaad63dab3d7d59994bad643c3aeaf1f163604eb35038c515f1e1bf893be949daa95c3f779', '0', '\xa52ba38dceb1ace7', '1');
insert into clock values ('1', '1795962025575', null, null);
insert into settings values ('migration 0001-start', '\x39396435656534343961656430383031636331383466646633356261376164646135663164326434303562393131386139356661353461613963643635363664');
insert into settings values ('migration 0002-photo-states', '\x39643738343663663531306665653862343934353837653061373436653533313039373335623737303632326431346431396162363537663033613734343865');
insert into settings values ('migration 0003-gallery', '\x32363261376535326163633931306664623032346562636332313762333862386366326566613666313636343537633837366233643862366336356364653732');
insert into settings values ('migration 0004-settings', '\x61306438393937303434366161366661663238636564366361626237303337643631323863653237663033396162306338393531303238623433643630393931');
insert into settings values ('migration 0005-outbox', '\x30663931623133363734313737313736343263653633643730663663656563363231653163366635306637303936366630346333626166303336346437353264');
insert into settings values ('migration 0006-connections', '\x61646561623136616637373534353964626232353165313761306133333363663663333731363930653237333232346163666466653239383064363863343035');
insert into settings values ('migration 0007-receipts', '\x61336133373038346362663564663864363939333339306634636135373934316634656566306664643930666465376237306539653036613631303061363031');
insert into settings values ('migration 0008-event-notes', '\x36303762613134306530653865633231356635316534366430356330343561333637656463613132356239303238646266393963313464393861313165623936');
insert into settings values ('migration 0009-assistants', '\x38666534643263396635323561323664343164343966383130353836333963353239303866333964646365326366643832336166646633353936616134653631');
insert into settings values ('migration 0010-second-factor', '\x32616162316539343539333239393139643064626234383636313035653564326130323135636230353363633235663836326161656230643161663539313964');
insert into settings values ('migration 0011-open-attempts', '\x64613463373662663762643266366562326132346138663932303230633437333465376230356539633766366438383264353630323765633161623436636166');
insert into settings values ('migration 0013-mail-server', '\x61376436356362643237623531666339323261653332623964626430633439613261333331336564333861336238346139376234323835653163623665393435');
insert into settings values ('migration 0015-walls', '\x31313034356661363665353036623634343036643933316334636233333737663239663063323366376431393534396533616332626332653736613537363930');
insert into settings values ('migration 0016-link-previews', '\x64663066643061633330633136353834396136666233396234613134666264316139363264373365363162343639646135663130346464623734346439616430');
insert into settings values ('migration 0017-booths-seen', '\x37323734613664336562343335343336633139353835353666316230643835333666633335346638393561626437633831373161613832373337663338366562');
insert into settings values ('migration 0018-phone-language', '\x33383561353533363061313431396264633634653064656166646437653332646432356231306333383261646237643633663038396130613238336430336565');
insert into settings values ('migration 0019-large-pictures', '\x66333562366532623639373533363064643765326139666432316239353534613361333262666163616232633564396538326661336162633063333261663364');
insert into settings values ('migration 0020-zip-coverage', '\x35626662356136353733633261343264393836333765623430363033363964383066313962336662653332623562633530613936643231303437336363396535');
insert into settings values ('migration 0021-told-photos', '\x38643438616461326266336233303534363365396262633139376665613863376339393761666666313332343263346231636237323263643562316537633135');
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\xd93a050b5327c21506a82cc9a7c94da43b64f6e91217a844815012a6f4ab2aa4');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353936323032353633322c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373935393632303235363431');
insert into leases values ('webhooks', '01a227ad-b351-727e-8877-2562b4ca9c5e', '0', '1795962025548');
insert into leases values ('retention', '01a227ad-b352-729a-acab-5183b8e9e654', '0', '1795962025548');
insert into audit values ('01a227ad-b80f-7100-86e4-c043ea23c2f2', '1795962025999', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a227ad-bb3c-73da-bbc0-57b17d823924', '1795962026812', 'admin:admin', 'event.created', '01a227ad-b828-7327-ab9d-76ef269701fb', 'B5WAPSMG', '127.0.0.1');
insert into audit values ('01a227ad-bcfd-72a8-a5c8-cf56e092e6ca', '1795962027261', 'admin:admin', 'host.created', '01a227ad-b828-7327-ab9d-76ef269701fb', 'B5WAPSMG', '127.0.0.1');
insert into audit values ('01a227ad-c0b2-72bb-a214-a6ca22b18e33', '1795962028210', 'host', 'host.login', '01a227ad-b828-7327-ab9d-76ef269701fb', 'B5WAPSMG', '127.0.0.1');
