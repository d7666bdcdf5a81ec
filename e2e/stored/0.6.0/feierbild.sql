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
alter table archives add column parts text;
alter table audit add column account text;
insert into kysely_migration values ('0001-start', '2026-12-01T14:27:14.890Z');
insert into kysely_migration values ('0002-photo-states', '2026-12-01T14:27:14.910Z');
insert into kysely_migration values ('0003-gallery', '2026-12-01T14:27:14.963Z');
insert into kysely_migration values ('0004-settings', '2026-12-01T14:27:14.986Z');
insert into kysely_migration values ('0005-outbox', '2026-12-01T14:27:15.020Z');
insert into kysely_migration values ('0006-connections', '2026-12-01T14:27:15.043Z');
insert into kysely_migration values ('0007-receipts', '2026-12-01T14:27:15.054Z');
insert into kysely_migration values ('0008-event-notes', '2026-12-01T14:27:15.065Z');
insert into kysely_migration values ('0009-assistants', '2026-12-01T14:27:15.075Z');
insert into kysely_migration values ('0010-second-factor', '2026-12-01T14:27:15.096Z');
insert into kysely_migration values ('0011-open-attempts', '2026-12-01T14:27:15.116Z');
insert into kysely_migration values ('0013-mail-server', '2026-12-01T14:27:15.128Z');
insert into kysely_migration values ('0015-walls', '2026-12-01T14:27:15.141Z');
insert into kysely_migration values ('0016-link-previews', '2026-12-01T14:27:15.144Z');
insert into kysely_migration values ('0017-booths-seen', '2026-12-01T14:27:15.147Z');
insert into kysely_migration values ('0018-phone-language', '2026-12-01T14:27:15.152Z');
insert into kysely_migration values ('0019-large-pictures', '2026-12-01T14:27:15.157Z');
insert into kysely_migration values ('0020-zip-coverage', '2026-12-01T14:27:15.172Z');
insert into kysely_migration values ('0021-told-photos', '2026-12-01T14:27:15.176Z');
insert into kysely_migration values ('0022-zip-parts', '2026-12-01T14:27:15.182Z');
insert into kysely_migration values ('0023-audit-account', '2026-12-01T14:27:15.186Z');
insert into operator_keys values ('1', '\x3774df41871d2a66b2f6637c860d2e8646bb9d1efa168dc06874558a360b934c', '1796135235599');
insert into admins values ('01a23200-aeb7-71cc-aa55-5f2cb5370def', 'admin', '1796135235255', null);
insert into admin_keys values ('01a23200-aeb7-71cc-aa55-5f2cb5370def', '\x3d49813cb20234ef599e722498260099cdd6d08278e14f2b493a9c5131c1fd51', '\x0101f3cbe1883a5bc0d22e38c18c8a36a4d90ff05c2d37c89208f2e6649cd3b711082eff03890be548a6431015e1bcef940979282d2ae71c18c93d1c1792a28f37b8bf5a363b44dbf9393d2a4fb4adfc4db152bf983e3c5cd0aa2f091b4f37835bea17afb6c668ae69af8c0d76d6', '\x01562629705682644dbeefd2a6d59318599dc8bf6417a5b29955dc5e58647f7839f67390c2bcd99c66d083a676fc9f0801d5dd74e67849deaf54ee5b2734bd14d5e69ce605ff194324ccf8bcd6e6fb6356');
insert into events values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', 'B94Y4HSX', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '977', '1', '0', '1', '01a23200-baa8-711a-95cd-8488b5e24afe', '1', '1', '1796135236531', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0', '1', '0');
insert into changes values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', '1', 'came', '01a23200-baa8-711a-95cd-8488b5e24afe', '1796135238431');
insert into event_keys values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', '\x15f69aae29d7d41a2df8cf1c79912671602c585b8d17d1f6febd90613c45757f', '\x0119a2c566db002a9fdc3cb24a86c80c9b3f0e904df25552aa675f664d5223cc54f269b96b9bedfea5b70535da62f6a2db4333abfc75d9f52998224745bc8c8de461b1aa26a04167c462f2dfce2b51eab3');
insert into event_secrets values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', '1', '\x422cde8829dfa536ac72cf88c65b3eccfe214497945ae3c075abba24de2654b3', null);
insert into event_passwords values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$P3ofelKTreVTNQ0RxvSrtw$Qlc95D/LzPkXePomZItVGY2y4iMjsxhoSPmaWlHTv+E', '\x01f5c1fb20f0d2ffd9a9f3c6d1bcc1dca70f0587a962622614ba02b577554dbf74abf350947f9f1b19c6aae98f6ea2dcf000bd0f6cf7079ee6e82e');
insert into event_passwords values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$tihrBgX1jEQ9cHtabOi1Lg$z+/VZIb7SvQmLvZvhB+2tzVlqcTNuL1X8EtRbMOY8Os', '\x01339935f0f03081adaaec62ab2bdbbb9ec521469b5eab037497935171c3de1558d5602c0c7356df02f3fc3a2aa4ab954173c3a528df685e7b');
insert into hosts values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', '1796135237850', null, null, '1796135238908');
insert into host_keys values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', '\x0101cb47e6df384cc7b5ca45c71d6e9cf65c80d09e6fc74a6d2047a48db28fe238e345c9764be1a4ad1b68aa5a31d31eedf53a8cd6fa69c76a5781bb35b4149ffcedc12623367d859386d4f18b0cd05a20c9c7becaec8441887b5197a672e8f53f32e025df640a66cadef1607285');
insert into sessions values ('01a23200-b38d-705f-a2a5-b2fba117ef9b', '\x0a2516407f43c51d71b76433cc586346cc4eb884f1aedc64dd2c76a561ae7125', 'admin', null, '01a23200-aeb7-71cc-aa55-5f2cb5370def', '1796135236493', '1796135236493', '1796178436493', '1796740036493');
insert into sessions values ('01a23200-bd00-711b-92f1-2279659b1478', '\x5268a490ddc5bc905e4c74bf9f2e0f3cbe4aaf190be04e1f981f9e93898ce742', 'user', '01a23200-b3b3-737e-b44b-d8f73b6239f3', null, '1796135238912', '1796135238912', '1798727238912', '1803911238912');
insert into session_keys values ('01a23200-b38d-705f-a2a5-b2fba117ef9b', '\x0102c0f898ddd573dd6de26e2d66ddc80def05655b28609afbfcd5278d9fa4f683f815a5decf68e41b286161f1e56f1a626240e21020b42fa8683efa2d7c776ce525893e1d9d592dbf35e49895d08149449a25b7ca769740ed00b34070038e198255902f7a13054c6a078b825ba1');
insert into session_keys values ('01a23200-bd00-711b-92f1-2279659b1478', '\x0102e901eb71aa4e754c8ba8a8cb701a81037c35055920b9ecb5c70c44f0da27adceec6b28f0015692290f709e8e0df83758b8cda190bbbb01724e6cf2de482723525ed0e0fd02720e9ff50f12a05a3ee1bb8d5d239324a140ffe4d99e0f5b691367b3531a0af893f244d6eecec7');
insert into devices values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', '\xfd94a40ba308d4d3693d8528341dbb5a6023c043a0eb88b8fe991991bb9e9cea', '1796135238416', '\x9ea9280c84cba9eb50539d816dfe7f7ca6b2188e0741dafc9d1310e050bccb0b');
insert into guest_keys values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', '\xfd94a40ba308d4d3693d8528341dbb5a6023c043a0eb88b8fe991991bb9e9cea', '\x01053b2392f30492836f309b26e3f52ac700e6a064593011c09832e948ca82fe3a5f7cee6204aa093ca3ca82dc40c11867df9975de4217882ed684821ce2d9fa2a803dde60b8b86385e01f6f0169c7a42e');
insert into photos values ('01a23200-baa8-711a-95cd-8488b5e24afe', '01a23200-b3b3-737e-b44b-d8f73b6239f3', '\xfd94a40ba308d4d3693d8528341dbb5a6023c043a0eb88b8fe991991bb9e9cea', '\x01759e2f9e309c7e1826b9a2fe23c826d717144bca5d3a5571f976013126f2c08ad8e4fffffc3c2efd9feb7817d77a55388ffca0b65d5aff7aa46531ce9980c32f9c2326b46ffa70c5243170e00da530cf1e8f25e8d2f714a66cf64a88', 'image/jpeg', '977', '60', '40', null, null, 'image/jpeg', '1217', null, 'image/jpeg', '1217', '270508c42d749e15', '1796135238416', '1', '0', '\xb910deac1122af6f3099ba022da9f13a3d04fdc2a4922bce3cb6b93dc891a2a5', '1', 'stored', 'server', null, '0', null, null, null, null, '1');
insert into photo_keys values ('01a23200-baa8-711a-95cd-8488b5e24afe', '01a23200-b3b3-737e-b44b-d8f73b6239f3', '1', '\x0167401e7a60f73287b940cb0afbe40c7ddc6cfec446069fc2d47e92a3db671187d1d7ef5ccc2677e00f15992db85c12e0d784029b5dfd714534d6a9b05239b76633ecf809ef18b327bdd6966bff2d1cac6fc42bae770d33b95c66136b5a490680e07f0980640818c149eee54eea', '\x010da6e0b1f3e302d57376a1573538d6cc959fe08876c1398e5becb001a39c74079b8fc826ea3d05d8d1f3c991c9862367aa4b582ef31c00ad2ea5e9a60ee903e11615455e89193b3d8ddaee97b5f049cf962bae168dc8b3e86cf517b2109a63d49251b79b403ac1d8782bebcb50086e1abd452addfd0edbc518b6fbbd21e7a697cc80c11839f7c59ed2ad', '\x0168de908a24ea9009a38f8ac24ca16196d010b99e5eda5bb8edfbb89e22d944903db8363f12236c853b4ac8f642fcc7c526399391046fcd8e46ba57f0c7dc2aea');
insert into archives values ('01a23200-b3b3-737e-b44b-d8f73b6239f3', 'complete', '100', '1796135238939', '1796135238987', 'ldKnj-PWRz-doqKKhrTXe6Joh4kBCvfUcJLdbEKrTkA', '1199', '1', '\x016dbedf5ba3730fe6c8ec154a7807e832abdad21fd82edc00408a141840eb2e387f205a66157c96958fb4a12baee35288457245fdc24209fcab0a90870fb29b2b4cf5f64701aca7f614b8a49c8c52082c230c497c71924644999ff65b6eec42b206bf9e2028e63ed3c5280849cab57527b514dd948607ef584e468b155dc3fa29eac5ef6cb1e93418f9f077787b0c737d7994c669e8e53f33155878d06610a6ede0880230de8261713fbe707a1ca01491f49975c88920f6', '0', '\x95cd8488b5e24afe', '1', null);
insert into clock values ('1', '1796135235979', null, null);
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
insert into settings values ('migration 0022-zip-parts', '\x37633031613661303036313464656534663664386365333130333066363337656131333937306238363065333638626665353938383933613463336436393135');
insert into settings values ('migration 0023-audit-account', '\x34383566623138656330353137393365633361373933666665343633396432373830616539623438393136653739323731663863306631376235343139653963');
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\x1b79661cc3c85f74c6dfabad5e000e76a93e0175664a245e8ea6e0ae632e2fe2');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739363133353233363135332c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373936313335323336313734');
insert into leases values ('webhooks', '01a23200-ae8f-7043-8144-946a6ab68f30', '0', '1796135236010');
insert into leases values ('retention', '01a23200-ae90-71ad-b6c2-0de8af890bbb', '0', '1796135236006');
insert into audit values ('01a23200-b38b-7160-9790-dfc9d1d3284a', '1796135236491', 'admin:admin', 'admin.login', null, null, '127.0.0.1', null);
insert into audit values ('01a23200-b713-712d-ac78-8e07fa340eed', '1796135237395', 'admin:admin', 'event.created', '01a23200-b3b3-737e-b44b-d8f73b6239f3', 'B94Y4HSX', '127.0.0.1', null);
insert into audit values ('01a23200-b8dd-70fb-8bd2-d92c8f42ea22', '1796135237853', 'admin:admin', 'host.created', '01a23200-b3b3-737e-b44b-d8f73b6239f3', 'B94Y4HSX', '127.0.0.1', null);
insert into audit values ('01a23200-bcfe-73b6-81bf-a7dcb55b2d65', '1796135238910', 'host', 'host.login', '01a23200-b3b3-737e-b44b-d8f73b6239f3', 'B94Y4HSX', '127.0.0.1', null);
