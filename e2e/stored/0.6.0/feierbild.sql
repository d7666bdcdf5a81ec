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
insert into kysely_migration values ('0001-start', '2026-11-27T21:25:38.535Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-27T21:25:38.555Z');
insert into kysely_migration values ('0003-gallery', '2026-11-27T21:25:38.681Z');
insert into kysely_migration values ('0004-settings', '2026-11-27T21:25:38.725Z');
insert into kysely_migration values ('0005-outbox', '2026-11-27T21:25:38.763Z');
insert into kysely_migration values ('0006-connections', '2026-11-27T21:25:38.780Z');
insert into kysely_migration values ('0007-receipts', '2026-11-27T21:25:38.788Z');
insert into kysely_migration values ('0008-event-notes', '2026-11-27T21:25:38.796Z');
insert into kysely_migration values ('0009-assistants', '2026-11-27T21:25:38.806Z');
insert into kysely_migration values ('0010-second-factor', '2026-11-27T21:25:38.823Z');
insert into kysely_migration values ('0011-open-attempts', '2026-11-27T21:25:38.859Z');
insert into kysely_migration values ('0013-mail-server', '2026-11-27T21:25:38.871Z');
insert into kysely_migration values ('0015-walls', '2026-11-27T21:25:38.897Z');
insert into kysely_migration values ('0016-link-previews', '2026-11-27T21:25:38.908Z');
insert into kysely_migration values ('0017-booths-seen', '2026-11-27T21:25:38.917Z');
insert into kysely_migration values ('0018-phone-language', '2026-11-27T21:25:38.927Z');
insert into kysely_migration values ('0019-large-pictures', '2026-11-27T21:25:38.940Z');
insert into kysely_migration values ('0020-zip-coverage', '2026-11-27T21:25:38.950Z');
insert into operator_keys values ('1', '\x7b14a3f9edf9b1cc057a4740c521ef09dc925209b36e130b0c533ac25ecde05c', '1795814739688');
insert into admins values ('01a21ee6-4c7f-73f4-a161-a5b0bac88cd4', 'admin', '1795814739071', null);
insert into admin_keys values ('01a21ee6-4c7f-73f4-a161-a5b0bac88cd4', '\xafe3519d6cbd520d1d4d37ebb8d3b7db9f8f345ed86f0ab678a6cbe29e12b03d', '\x01015b831b3d5afb5fa4431004f66a2634fd4a5a220fc1097e492a60a9a4b7a52802bc9c14b3886cda816877330ab9c16f4d8fedad619ccdd0d6d87924279484908d115a3abc08f73d87bec70d11ac80c253e9d146362de34ddb9274746d0f50d71f03fa8790e745edad5b1154aa', '\x01d26adc342578257434dc9a7332e53b8823a877e641845965ea013ad6dff19a23415f754f6de472587d51bb59341e774406f626ee9ec3ce221ce8d87018fc200a83fd9ad8c9a480d6e91256f02918ca90');
insert into events values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '3ZHJRP4T', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '996', '1', '0', '1', '01a21ee6-5b26-7198-8848-38de4693f279', '1', '1', '1795814740755', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0', '1', '0');
insert into changes values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '1', 'came', '01a21ee6-5b26-7198-8848-38de4693f279', '1795814742902');
insert into event_keys values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '\xc919f141b7536aa555b840675a810a2002bd1942fb41b5cd503315de949d5f19', '\x0133976ca6381926b34851dba086dbf9e9c05bb9895a36e7dc00970d88dad0560b142755d0d105bda84d7d736686a091f0a56ce6c6ce42acf0ba1b04f185e43d796a44d04a86ce12bc90ec4fbcb054368b');
insert into event_secrets values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '1', '\xae03ce2ad9c1ac8d9d933af5ff95be9d96ea7710f592b979d4057c052664f3c6', null);
insert into event_passwords values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$YtDBTidgp5iR76UFXRtheg$MBzcJMXPgQNZ6yLR5F+u0pap5lN60z7l3ogHr5BwgtA', '\x018166e560cb796ca11ac3e5e7fdb65d6e693499e433c373e66c5f6831b55e9b206fdf484ce5f567fd02f085eaae23fe41ba805b0d77acb4a071a3');
insert into event_passwords values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$Nf49tzTm0AiuS0Z1At94Sg$rTFbDJ6OGTTi9CzPObJCSvg/IrSSMiugfQjopc5dASI', '\x0132107472176919e04712e96343708a60ffeb92e77880acd95552f223ad916651f2c2b1ef535a54c824c440498b595c012b11ac853b4f455f');
insert into hosts values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '1795814742262', null, null, '1795814743396');
insert into host_keys values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '\x0101aff0b4200b1bc24d7273535b084371b9c481260d1c40dade7480d587db9a2d1c45d13f83bba6b46aadf41d2f15748a075b7f13e59c9b0ee122a2110bf74345d75230efc310230abfd4c267ad06e1563ffd203af42f4311f1908653f717601fd56d7aef2f96630a142cdb69af');
insert into sessions values ('01a21ee6-52fa-7248-8d67-5db0b5a1337c', '\xc56312063d8b8d35a249f1969dfd9bd33d7944c9305e713a42c239096bb8d32a', 'admin', null, '01a21ee6-4c7f-73f4-a161-a5b0bac88cd4', '1795814740730', '1795814740730', '1795857940730', '1796419540730');
insert into sessions values ('01a21ee6-5d66-7327-8f88-9df268d8fb1e', '\xa25b42a242a3f589f7059ec7f291d837719f460684e9b03dcb7c2563fac0d521', 'user', '01a21ee6-5313-71a8-ac5a-b311f6da0608', null, '1795814743398', '1795814743398', '1798406743398', '1803590743398');
insert into session_keys values ('01a21ee6-52fa-7248-8d67-5db0b5a1337c', '\x01021d7da0793f1f8f43afa3ad62f1e2e39acb4779aafb80f2c41ca4607054799d9f0e39f4f2a41ff033ed898b1cfb2ce410e753f0d68b60e600b733d0bfcfebc88fd93bb53c4f12681366e38cd0466779ec3e83684498bd2f3eb813688caa708fb35ff4ab041159b4e060a1364d');
insert into session_keys values ('01a21ee6-5d66-7327-8f88-9df268d8fb1e', '\x0102386a78984ee0ea7dc3acce76d4ce2acaba4b911a0dbe860d81211fba4743f9e7e29d79f8cb4563d52ea2e55062758ae4e5c05bcd84ef7de736dec4d5166e07c0204c1e3b45e0088c4ec842ef4e8a6e71e883e648cb24539c035d61928556587221b8d177135f991fd50f8f75');
insert into devices values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '\xf2e9a6d0b1557c376be46b1b41ed77da94bad69930397c0d78c0f90c6edb6157', '1795814742893', '\x0638012d281352dd0acb02580c5580f6750b52d2974eee86a3302f5034f55c33');
insert into guest_keys values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', '\xf2e9a6d0b1557c376be46b1b41ed77da94bad69930397c0d78c0f90c6edb6157', '\x01f7db650bf9076e8309119a2dee1071356c18a8533fc49a344bd0b21b977f7f667bd16333a8b1967663133cd5c47770eb4736c4d01825bfd73318e5638e07abde220270f78c20fa40718e7134cf9f5d9e');
insert into photos values ('01a21ee6-5b26-7198-8848-38de4693f279', '01a21ee6-5313-71a8-ac5a-b311f6da0608', '\xf2e9a6d0b1557c376be46b1b41ed77da94bad69930397c0d78c0f90c6edb6157', '\x01177458c1dc63173f4b162d8a3d76d086421555cbf1e092cb312bdd0cce84f45d697e83e60532c848cc32a55c4ab41c9244c9443e9d710f93512bf7f46b319bf410e96aa161bc5d9e96e7ff6eee71e368276954601f554091e50b3bf5', 'image/jpeg', '996', '60', '40', null, null, 'image/jpeg', '1229', null, 'image/jpeg', '1229', 'a0bd36d48f687116', '1795814742893', '1', '0', '\x6edae5fd6be0317dfbe4a434859866ff0b993d17acfb7d8de074077336a47f12', '1', 'stored', 'server', null, '0', null, null, null, null);
insert into photo_keys values ('01a21ee6-5b26-7198-8848-38de4693f279', '01a21ee6-5313-71a8-ac5a-b311f6da0608', '1', '\x01becb7ddea40cb1020776f3ece4fb1dbcbf56927fd8720ee4ae052db32ee1f8860a257e9344f31623bcbff9e2738a5c43625b09eea68b68f542ccea3ae2fe8e2f9819cfd3a01b3e557df77dc961706d4880a40b4ac1ff94896be2fe108b146d0f20b2655273f05cca41f105f5b8', '\x01c0a5e5d1b76b2ca80dcbb0d57022393670016938bfe049bbf2dca3851df08260d21f56c6de048e4ec0cb4fd8531e3d8cc797e7e4ec25e4f91a45f1c5d35fdba32e68485c9d2f979361602b7f3d9408b301d03402a46445701a6ec1f14033431de3d232a1993711247c032bfc0ba95f5c7f536a3529b9b71196475ee742386aa6f4efccdf197452df957b', '\x01d734829c7a00a039e268866d0c14083bbe409e39b1ab9a184dda5ed140b5f045f490152e72ad6f260ecc3e9820ec4733b42518e1f84b1fb20638430183482375');
insert into archives values ('01a21ee6-5313-71a8-ac5a-b311f6da0608', 'complete', '100', '1795814743417', '1795814743466', 'bsUjxGhILuiMwrII6FsRAtCWdgL20QMK0ldfwpAnYQI', '1218', '1', '\x01bc003d1da6446e844d60a1a1555e6428cef174121d9d2056d711d8fbaea9696037330e718c61ede88a3fd79e55d1a2889079e1267b18b9a29f3c2e0827248c287c9aaa8aa47aaa8e0140817e1a09f38de7a43abcfb51a9856c21ea33efde755f74a20b6259b2da533bc68a990c97a3c9bdd840cd0bc884038cc6a7533feb8bcee056f78e4b01e1aaded17daf615f8f2efcbd657440e5d8260cc467abaefc4d59fb2e56f44b2b1449b124f771ec6a8c66d7a509f8f52768', '0', '\x884838de4693f279', '1');
insert into clock values ('1', '1795814740199', null, null);
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
insert into settings values ('migration 0020-zip-coverage', '\x31383164323937396565343762656635376564613538313862646166383538376530376230333538643165663030353831633131623865666161333434326238');
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\x4a618c55aad9a710cd371251ed481bf230fe55d951c92af444e59ca1f38c4e6b');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353831343734303233382c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373935383134373430323438');
insert into leases values ('webhooks', '01a21ee6-4c45-70d4-88df-a53097c1592c', '0', '1795814740176');
insert into leases values ('retention', '01a21ee6-4c47-704a-806a-969efeeed741', '0', '1795814740185');
insert into audit values ('01a21ee6-52f9-71c6-bae3-bf2cfb3f733d', '1795814740729', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a21ee6-5701-70d4-9b64-943a26bfa85d', '1795814741761', 'admin:admin', 'event.created', '01a21ee6-5313-71a8-ac5a-b311f6da0608', '3ZHJRP4T', '127.0.0.1');
insert into audit values ('01a21ee6-58fa-7068-a217-1662e1f3d7ff', '1795814742266', 'admin:admin', 'host.created', '01a21ee6-5313-71a8-ac5a-b311f6da0608', '3ZHJRP4T', '127.0.0.1');
insert into audit values ('01a21ee6-5d65-72aa-ba28-405fefdd51f1', '1795814743397', 'host', 'host.login', '01a21ee6-5313-71a8-ac5a-b311f6da0608', '3ZHJRP4T', '127.0.0.1');
