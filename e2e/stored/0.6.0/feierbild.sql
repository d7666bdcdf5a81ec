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
insert into kysely_migration values ('0001-start', '2026-11-27T08:18:26.856Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-27T08:18:26.873Z');
insert into kysely_migration values ('0003-gallery', '2026-11-27T08:18:26.928Z');
insert into kysely_migration values ('0004-settings', '2026-11-27T08:18:26.945Z');
insert into kysely_migration values ('0005-outbox', '2026-11-27T08:18:26.978Z');
insert into kysely_migration values ('0006-connections', '2026-11-27T08:18:27.003Z');
insert into kysely_migration values ('0007-receipts', '2026-11-27T08:18:27.016Z');
insert into kysely_migration values ('0008-event-notes', '2026-11-27T08:18:27.050Z');
insert into kysely_migration values ('0009-assistants', '2026-11-27T08:18:27.078Z');
insert into kysely_migration values ('0010-second-factor', '2026-11-27T08:18:27.100Z');
insert into kysely_migration values ('0011-open-attempts', '2026-11-27T08:18:27.119Z');
insert into kysely_migration values ('0013-mail-server', '2026-11-27T08:18:27.132Z');
insert into kysely_migration values ('0015-walls', '2026-11-27T08:18:27.150Z');
insert into kysely_migration values ('0016-link-previews', '2026-11-27T08:18:27.153Z');
insert into kysely_migration values ('0017-booths-seen', '2026-11-27T08:18:27.161Z');
insert into kysely_migration values ('0018-phone-language', '2026-11-27T08:18:27.164Z');
insert into kysely_migration values ('0019-large-pictures', '2026-11-27T08:18:27.170Z');
insert into operator_keys values ('1', '\x4699fc6b5f649193de3c79c18353202eee9e5edb357a9fcfbab60a30e882772b', '1795767508580');
insert into admins values ('01a21c15-9972-720b-9c4b-f9b3c820b42e', 'admin', '1795767507314', null);
insert into admin_keys values ('01a21c15-9972-720b-9c4b-f9b3c820b42e', '\x611733fd784c1a80a598c47d9016dcb7a676af6094c3fece809bc0be6fdbed23', '\x0101a4d363d468debdf0b55531bf0b31b16209bf04e4b7dbbc729017dd18f10f4cabfc74d471e2659263bdda3299e9a481ed69de111856f94e5da04d9d7ddf8f100fc078ab7598459491acfc011245eef8eae589c1a50a7e3a335de9452a181e47d38bad9243c78c2075753ba53b', '\x0195030420a2ea9adfdeb89503d8115e9f691d93ae8a072bec87b6bf065b91b932370f441a70020fca3ff90e6a472b9dafffe9a3045761a21f88e8a81db4dae553ee93cd55a909ca600fd4543709095ab6');
insert into events values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '2RJ39T42', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '973', '1', '0', '1', '01a21c15-c305-73ba-80af-694aa35ae50e', '1', '1', '1795767513253', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0');
insert into changes values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '1', 'came', '01a21c15-c305-73ba-80af-694aa35ae50e', '1795767518277');
insert into event_keys values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '\xf2528e52af0da1f46bf3ee1f76c8ad08c23faa95648691514b9a8d6fb2d5de66', '\x012d8811328de76ce04d203c72bb5ed07dc77af2eb6f7b070e1d0aacc37cb9777ad82e2f1197c2d7e5f2a81003c9ad395587f35f0293b60fc3d95f15c235233e660d2bbc2ea9e2d9deedc76c8855d43fa3');
insert into event_secrets values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '1', '\xe391f81969a50e0b7bff76e44ebca2b7f025ed0b93748165bbf20791898e8f06', null);
insert into event_passwords values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$RVt1ZoQC19s+OEpowVW4Xg$yrTKLTd0fnrM3uK60zOYiOaGyaUeplTvVmRMgliWB/s', '\x01d4991d612c74b120b65c5824de7619536da0a4580e9cd41d3a856c29dbd7b92bef09619b005d8a1a20b6c61799ebaed1cc53aa3c9dbf91c7dec2');
insert into event_passwords values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$xe2fBGMX21t8ecWREvnO0w$Cb0bC2MMaBM9U8wizH6w/HVnw6eeT1auzzPgeQzeBU8', '\x015fe093c66cbc5b510cc226004ccb4ef653f2f4f78cf9ce5f3069c78deff75b7d01bb00afd7bdd4c79c2db584341d67e63108ad2876bd6e3b');
insert into hosts values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '1795767516705', null, null, '1795767519532');
insert into host_keys values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '\x010100cc5601bf4f8b1299d5609f9559c772b59ed25b91bd697aecc5a3fee79d7ddb60d10054440fa4e4a2917dcf11ede807502430a89fc4923a914d7f616cdc65697f9483b1d090c8d4f06ded3fa25ba26387bde55333ae654766d03441fa3fb599503ff59df3782337870975d8');
insert into sessions values ('01a21c15-b07f-739c-832a-40623007e472', '\xfca5b22aa5d23f88810b462c8765c71b6a864498b023eefe382191e10a8104ee', 'admin', null, '01a21c15-9972-720b-9c4b-f9b3c820b42e', '1795767513215', '1795767513215', '1795810713215', '1796372313215');
insert into sessions values ('01a21c15-c92f-7073-a3ad-9380dd52a73b', '\xb15407b299da1520c61c4a1623441889e63e378c0faac6a5672f17e30189a647', 'user', '01a21c15-b0a5-7333-8661-d1ab231c0d4a', null, '1795767519535', '1795767519535', '1798359519535', '1803543519535');
insert into session_keys values ('01a21c15-b07f-739c-832a-40623007e472', '\x01022a59f82d2ee4c4995781125a0c6cb6983656347eb43e9dffa4204419e21c0d5fc1a66a493896f191a7cc4b8bb3687cb60b96d1745675649ebd4b31f843cc4cdd7c04f331326e223de851934ea006f7c8a441fc768262f2dc055d0d591b74d7eb65539c0c6d79608eae3c7553');
insert into session_keys values ('01a21c15-c92f-7073-a3ad-9380dd52a73b', '\x01022cb3c91d8c7cb808176dcca995638e87391cdfbd530fbb6d1fed2e1898ffa8e6c208f86011547b4d674da4d984fc0cae57843d16075944cac98dcb9bf7603009f79d865f9ac6a0db4d6f529d818b5988ced5591793b274f304de406639801c6203e9560af0673f60ee311955');
insert into devices values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '\x1426defa6f734266bfe3dcdfff7a2790f6f82d5277c4e15e3035baad1ad4cdde', '1795767518255', '\xc1cfba771c831362e05a0b3e34d8723df80addc15d0eec696c99c83d6e85971d');
insert into guest_keys values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', '\x1426defa6f734266bfe3dcdfff7a2790f6f82d5277c4e15e3035baad1ad4cdde', '\x01fb57a4fb19b4e31fd2354f8fa8025de33b5ae8c489b3554946e4b5bae8ed2b56100ee7d3ddf89c09ab4a41eba10c9e7dcbbeb6524a8c80f7ca95549b5c216ec4dd7914458b7cea89ba15fb71cefc7001');
insert into photos values ('01a21c15-c305-73ba-80af-694aa35ae50e', '01a21c15-b0a5-7333-8661-d1ab231c0d4a', '\x1426defa6f734266bfe3dcdfff7a2790f6f82d5277c4e15e3035baad1ad4cdde', '\x01da9120cf26d0c271633ffe98c5eaa6f0c6c418153be3b34b400046837c807b0a4fd0e717753490594452cf45d00960f37b307cb086cc03b926398a58a1878783361165baaef7b7442245e43ad544d245c532a90263e51b620c801834', 'image/jpeg', '973', '60', '40', null, null, 'image/jpeg', '1203', null, 'image/jpeg', '1203', 'f8ed4162aa0876f0', '1795767518255', '1', '0', '\xc5eae812db8e26bbf02aa7bdd9e234462261d8e7912677b32522932c58bbcc20', '1', 'stored', 'server', null, '0', null, null, null, null);
insert into photo_keys values ('01a21c15-c305-73ba-80af-694aa35ae50e', '01a21c15-b0a5-7333-8661-d1ab231c0d4a', '1', '\x01ace218c9c49294875bafa71ebc58bf0d695a4938f4b092e45770e93ef49556de5c5808f6389b0bb204dcae762fc2c190df2e8cc349cbe2cfea38ab8b0aac19f764aec8a2c7d26b6f838f0de6621351fcb8b97ccd9ee4d4964ba6d430946fff30f01e926661cca55dd515acf916', '\x0105368b129648e31693780fb1618a089fc3c475e1d9a61f7e1b4e7b1cc474aaa56e017f12f2f4f0e0c5199d550d5d9fd64d67739b312b773640376eff1efcf950566a0d87272f472ca2419a1872e8fe5b6234309244fd7abb9f7add1fedc970b3a2e62c02864eb38a437cc6f930bc91450d227596a550f70cc02f636758e3bb2b9af24b0a2f1daa1340d4', '\x0197184fa125afdf9fb20ab8666617d298ac3b174df223a839cc5358b0a735497b62409c5abab2b28ffa908dc11eb72f98da9572be8408d3d296e8bb071b71a5a7');
insert into archives values ('01a21c15-b0a5-7333-8661-d1ab231c0d4a', 'complete', '100', '1795767519573', '1795767519649', 'cQfc9z1Hgqr3pzfDJOqEG0n_iXS9DnKY6PX05_FL0Ys', '1195', '1', '\x01a811db29fd0b7c95cfd7aa6ffc39dd2890a80274b9a237eb056bc3a87518ca6dd9ba801df1c5c8f0616d6e188518d484b1babd9f82702f183fe284aa880ec5b640aa28b94e43e7fa06fa562d5e12660d04cf742f67376745b4f5b04191c89e4f79f129ce7d983b13918e87a29026cf9ae12e1a34a9621d6c98a1bdfdecc2a72d1404eec1ba57b8d8231e1fa31f8273d4971d00d18b3c433aa3c60e8704331b98d22280a6751c99e7b5b7e31ec5915f6e1582f149cb9b8b', '0', '\x80af694aa35ae50e');
insert into clock values ('1', '1795767510668', null, null);
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
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\x5dde7fe526c766a1cc4bfaeb339f4ec34e5c01f9a5bd9eb2ac4894d57e30401c');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353736373531303830302c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373935373637353130383235');
insert into leases values ('webhooks', '01a21c15-9935-70a9-8f0d-a3b23ae25468', '0', '1795767510578');
insert into leases values ('retention', '01a21c15-9936-711e-9e7e-af05ac4e1456', '0', '1795767510581');
insert into audit values ('01a21c15-b07d-7146-aecb-8ab7c722b3b2', '1795767513213', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a21c15-ba5b-73f0-8100-4ced40a91177', '1795767515739', 'admin:admin', 'event.created', '01a21c15-b0a5-7333-8661-d1ab231c0d4a', '2RJ39T42', '127.0.0.1');
insert into audit values ('01a21c15-be29-7391-a4c8-f453c641dd85', '1795767516713', 'admin:admin', 'host.created', '01a21c15-b0a5-7333-8661-d1ab231c0d4a', '2RJ39T42', '127.0.0.1');
insert into audit values ('01a21c15-c92d-7397-8a30-dc1687377604', '1795767519533', 'host', 'host.login', '01a21c15-b0a5-7333-8661-d1ab231c0d4a', '2RJ39T42', '127.0.0.1');
