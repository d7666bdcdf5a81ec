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
insert into kysely_migration values ('0001-start', '2026-11-28T03:16:12.588Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-28T03:16:12.603Z');
insert into kysely_migration values ('0003-gallery', '2026-11-28T03:16:12.653Z');
insert into kysely_migration values ('0004-settings', '2026-11-28T03:16:12.670Z');
insert into kysely_migration values ('0005-outbox', '2026-11-28T03:16:12.696Z');
insert into kysely_migration values ('0006-connections', '2026-11-28T03:16:12.717Z');
insert into kysely_migration values ('0007-receipts', '2026-11-28T03:16:12.726Z');
insert into kysely_migration values ('0008-event-notes', '2026-11-28T03:16:12.736Z');
insert into kysely_migration values ('0009-assistants', '2026-11-28T03:16:12.746Z');
insert into kysely_migration values ('0010-second-factor', '2026-11-28T03:16:12.778Z');
insert into kysely_migration values ('0011-open-attempts', '2026-11-28T03:16:12.797Z');
insert into kysely_migration values ('0013-mail-server', '2026-11-28T03:16:12.806Z');
insert into kysely_migration values ('0015-walls', '2026-11-28T03:16:12.821Z');
insert into kysely_migration values ('0016-link-previews', '2026-11-28T03:16:12.825Z');
insert into kysely_migration values ('0017-booths-seen', '2026-11-28T03:16:12.828Z');
insert into kysely_migration values ('0018-phone-language', '2026-11-28T03:16:12.833Z');
insert into kysely_migration values ('0019-large-pictures', '2026-11-28T03:16:12.838Z');
insert into kysely_migration values ('0020-zip-coverage', '2026-11-28T03:16:12.851Z');
insert into operator_keys values ('1', '\x7f1a33e2e837a762e589c42bfacd5f63620b3775564d64ba7dd4e3efea1ae376', '1795835773516');
insert into admins values ('01a22027-4009-718b-93e5-5059e6a740e2', 'admin', '1795835772937', null);
insert into admin_keys values ('01a22027-4009-718b-93e5-5059e6a740e2', '\x97daf52e9f7e1d1185d0bab3f40a555cb9f3de8963b7c1eac8b5db1d9b970b1a', '\x01010f70a7243a9286adc9425a7c4be29e5b0a883ee8054abde54eb5dbecd4886368d542c989f5b17a463fa3bc605581e5bf6359dbfc78e593346c69b8115c85f155b751863ecff29c844dc14fee14f576b1d2d315e2ab64a34ec8b0fc186ef8d2239e3c2927610a43663bf0244c', '\x0109554e006867e1a96fdf8dfe735b66a4b27a8e47215835a0bba3570ce19adb5a56d458fb3f8bfac5bbe071156c4284f0fd34af9f0bdddb91eb6609b84487fda53fc9a0403cd244820f16f8d4d0c25871');
insert into events values ('01a22027-470e-7183-99de-84af5f2c842a', 'YM3RNH56', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '983', '1', '0', '1', '01a22027-507e-73b9-84be-78cff6fb8c4a', '1', '1', '1795835774734', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0', '1', '0');
insert into changes values ('01a22027-470e-7183-99de-84af5f2c842a', '1', 'came', '01a22027-507e-73b9-84be-78cff6fb8c4a', '1795835777283');
insert into event_keys values ('01a22027-470e-7183-99de-84af5f2c842a', '\xe01ed2489781ecfc9fbe9fc62d1e79175fe102f1599ffb93eab7696df03b3e44', '\x012d9d0e392e1e66b7859f83bcd3af62171b6790e9fa449b60939c1066afb56612359a1b2de49b8467408a21dd4931f2cc1c60623bf7548c5f309216cd697408c0bdb9c17bc8117ce8329fe760dde1c514');
insert into event_secrets values ('01a22027-470e-7183-99de-84af5f2c842a', '1', '\x5b2230ee463dc444aff552bdd86b8ff665841be89be790c181cf86221cee0640', null);
insert into event_passwords values ('01a22027-470e-7183-99de-84af5f2c842a', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$DHiApSzZKFinfMK1ULPKLw$RhdKx+ZwipRggoCBkS8qeFhYriAfgBzFUP4DWoB6Ft4', '\x01217495d7fe7f38aa3651cc516fb46a098d4884908d6b6db4d20f8b27ec3ef5129cc50bf8aae856a62bb31015c65133641ddb4e590e98e172b897');
insert into event_passwords values ('01a22027-470e-7183-99de-84af5f2c842a', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$EtcSPOV4tw5WE/QI744LlA$MW0aX1h8QaR80b+9MpZA8mx9KMEOSi5+DEmhbHSGQns', '\x0123e6a4a0a411cd1e104e04b984a83e8dfe40e87b3834788da54156cc054d912ad79febb8aa62e2aad4179a6f3b803de0890d8dca5d0fe14d');
insert into hosts values ('01a22027-470e-7183-99de-84af5f2c842a', '1795835776543', null, null, '1795835777878');
insert into host_keys values ('01a22027-470e-7183-99de-84af5f2c842a', '\x010157a5585895d656eb26241d70f5e3a98710dec365f9cf70132322ce3f4321dceb3a034455746f0de553d3893cec5f132631f574e500883141eb8ac52f75317a5cab9f224d01febefc8b0ec5994e3edba962a48910bc4beacc32e46b7e9d6982e33c35becd01a26ecb5682504f');
insert into sessions values ('01a22027-46eb-7189-ad83-297cd44e5799', '\x52ba4f12090458fb1f24479d945d6644e7e3bab15c7fed108e2d0a2ae36d735a', 'admin', null, '01a22027-4009-718b-93e5-5059e6a740e2', '1795835774699', '1795835774699', '1795878974699', '1796440574699');
insert into sessions values ('01a22027-535a-7047-96a4-7d1595a835a3', '\x1b03baa10a6f391cb6a5f09733800ef6e2abd4107bb1c608b0c7472d263dc910', 'user', '01a22027-470e-7183-99de-84af5f2c842a', null, '1795835777882', '1795835777882', '1798427777882', '1803611777882');
insert into session_keys values ('01a22027-46eb-7189-ad83-297cd44e5799', '\x01029b97dd0bba0974c9c5079638790162c764b3c27e082994be9d2a65eb0dd6fe29356ec17e17663d77091366e50c36e45081dba4360013e0ea579a88c8f02d50cc4e9bfac7debb6037d520c8ae154f07aefe2cf8c63660592c022c4f4c4fe2da327b2548909faa56e20962e227');
insert into session_keys values ('01a22027-535a-7047-96a4-7d1595a835a3', '\x0102e90b53317c5c21d70e4ba9f5cc26380c7cbaadd30c573582fc434c70d750d923a0639d5d1af1951279a8fe48373acdd0a771ed07765f84f11b348da43b50663199a1c2ffe1a86b2d423ac68185ff7ec2d7eda13894ca118d3893a6765163a6ce8120c19870bbe0dec4ac66d6');
insert into devices values ('01a22027-470e-7183-99de-84af5f2c842a', '\x72891724ffe1aa45dbcd936e922cabc14fc790f437c5c3153e98ab6c71ff273b', '1795835777258', '\x0c5dd02b67e9ea3958ae21c6be4cff30941d699decf778ee5d61472d45d45445');
insert into guest_keys values ('01a22027-470e-7183-99de-84af5f2c842a', '\x72891724ffe1aa45dbcd936e922cabc14fc790f437c5c3153e98ab6c71ff273b', '\x011a0a443ac8b685d7986505c05687908e42513f2a174cd760f0d16843f53ae86ad47f0d73770ad1d0e23b32d4f1ce5d41510110e4b05e80cb3ef298ba9049388dffeba56033891fa1a035171b9499f05a');
insert into photos values ('01a22027-507e-73b9-84be-78cff6fb8c4a', '01a22027-470e-7183-99de-84af5f2c842a', '\x72891724ffe1aa45dbcd936e922cabc14fc790f437c5c3153e98ab6c71ff273b', '\x0155f19b5bd54d86ba1cd2d08f2ffc63ead932d61ae58f089818c2f2c8194a8bf21e7f9218c2ec2d363c76886e42b2f32247dfa2089baa581442f03f8ca8171c3aacc39373fad621faa36481af3537c1af42d559d988ec51b9224870bd', 'image/jpeg', '983', '60', '40', null, null, 'image/jpeg', '1213', null, 'image/jpeg', '1213', '80d193b2ecb5e8e4', '1795835777258', '1', '0', '\xfa6034ea17f299f1f41081542eacbd40be5869cec53b81b22ba56cb742e73d68', '1', 'stored', 'server', null, '0', null, null, null, null);
insert into photo_keys values ('01a22027-507e-73b9-84be-78cff6fb8c4a', '01a22027-470e-7183-99de-84af5f2c842a', '1', '\x01978a36980170b194ff54bf6f54321449d984cee1fc43ff1f2e50a9b52aacf245b3c1bf2bf60056c0c22e68a14f59f36d93bbf73a121ac1d58657d0e7b950b82f08bfc736238829d445c2ee30439d02bc1911ba1aa93d34483f9640c2f83263282eb7d230fd3299066545c24bc1', '\x019d39d0715aecc14b3f12ca8d27f7beeb475de869badc7c6e624525d17fc40e4b5fa96bcbe75d7fc533891d71b5342bfc80694bfa68dac54771aea1394415ab2601ca748b5dbc1033fef7c212a96463b65890e2e414e255a7022378077eb946c865f54b7e943ba511dd25781f55c8e8465e1f54afcc0dadf33fa9bf89134391e656eafc607fdf18c69ad9', '\x01d69ba12254dbdfd6b9aed131d7cd45631e719583918a291ca6badff158933793ee6633f51d7c4f02e85f280e9f1c1e342187b7aa9f9178bc46afe53386d1ee3a');
insert into archives values ('01a22027-470e-7183-99de-84af5f2c842a', 'complete', '100', '1795835777908', '1795835777950', 'b8SGK7dXNiUCZ757hjDy9qLgab3WEv3Ot6xct_Y_Oe8', '1205', '1', '\x0117033d543a836412be08c3ac4893a3d6a19ac4393a252a1f7e2725489b446a068df5d8ab7d21779f32793658653d286f04ceaa12205a081e1ec0d048072bf9cbca201217a3ff826ced9f49a4d528e0b9e4d4d3add0e7eafef84d9175c4ef99c164e8f6947550eadd53b3b70f95259873928e231d89eebc932d90044b82291e742c84d9ea0bbeb164b77f4d1a4513d28b133bebeafb7feb4c8ebab701ee532e7cff601062ed085d624c5f62ba062814a1468747e0744d12', '0', '\x84be78cff6fb8c4a', '1');
insert into clock values ('1', '1795835774114', null, null);
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
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\xf26fc3c1e8fe841c08f66635602503f38206d3f5c50ca29700f728cb81326535');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353833353737343136352c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373935383335373734313737');
insert into leases values ('webhooks', '01a22027-3fe0-73c8-9240-af4efe223a4e', '0', '1795835774066');
insert into leases values ('retention', '01a22027-3fe1-73d3-a612-07469f4bf324', '0', '1795835774063');
insert into audit values ('01a22027-46e9-72e4-bc4e-e7e7bc460878', '1795835774697', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a22027-4bc5-730a-b3b8-e98135b258c0', '1795835775941', 'admin:admin', 'event.created', '01a22027-470e-7183-99de-84af5f2c842a', 'YM3RNH56', '127.0.0.1');
insert into audit values ('01a22027-4e24-710e-9404-ac33cf465b9b', '1795835776548', 'admin:admin', 'host.created', '01a22027-470e-7183-99de-84af5f2c842a', 'YM3RNH56', '127.0.0.1');
insert into audit values ('01a22027-5358-7050-877c-92656016b069', '1795835777880', 'host', 'host.login', '01a22027-470e-7183-99de-84af5f2c842a', 'YM3RNH56', '127.0.0.1');
