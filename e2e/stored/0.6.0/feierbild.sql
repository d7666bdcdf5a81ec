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
    and not exists (select 1 from archives where archives.event_id = events.id and status = 'complete' and seq < change_seq);
insert into kysely_migration values ('0001-start', '2026-11-28T01:40:40.532Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-28T01:40:40.624Z');
insert into kysely_migration values ('0003-gallery', '2026-11-28T01:40:41.023Z');
insert into kysely_migration values ('0004-settings', '2026-11-28T01:40:41.111Z');
insert into kysely_migration values ('0005-outbox', '2026-11-28T01:40:41.240Z');
insert into kysely_migration values ('0006-connections', '2026-11-28T01:40:41.292Z');
insert into kysely_migration values ('0007-receipts', '2026-11-28T01:40:41.315Z');
insert into kysely_migration values ('0008-event-notes', '2026-11-28T01:40:41.337Z');
insert into kysely_migration values ('0009-assistants', '2026-11-28T01:40:41.357Z');
insert into kysely_migration values ('0010-second-factor', '2026-11-28T01:40:41.419Z');
insert into kysely_migration values ('0011-open-attempts', '2026-11-28T01:40:41.541Z');
insert into kysely_migration values ('0013-mail-server', '2026-11-28T01:40:41.591Z');
insert into kysely_migration values ('0015-walls', '2026-11-28T01:40:41.663Z');
insert into kysely_migration values ('0016-link-previews', '2026-11-28T01:40:41.703Z');
insert into kysely_migration values ('0017-booths-seen', '2026-11-28T01:40:41.757Z');
insert into kysely_migration values ('0018-phone-language', '2026-11-28T01:40:41.828Z');
insert into kysely_migration values ('0019-large-pictures', '2026-11-28T01:40:41.919Z');
insert into kysely_migration values ('0020-zip-coverage', '2026-11-28T01:40:42.026Z');
insert into operator_keys values ('1', '\x995344085ab1acf8fa46bc0d3b2b206d41f5609ec0a1d0e16ae9c4ab2f64b246', '1795830045325');
insert into admins values ('01a21fcf-d002-73fd-a70f-392424583192', 'admin', '1795830042626', null);
insert into admin_keys values ('01a21fcf-d002-73fd-a70f-392424583192', '\x89f9d6d139130dd698a74053e565ac65b5fcf0f702e5d36b838b66d5852d0e6e', '\x0101c1fc748e90b17a72e4cb929686b01b435adc73a0a15bc419f88b711038cede824544ff6780b247e4f8ba0c5df34e60826189d184dc28d2fed032892c403f05df52516770d790d4cdf5dd3d1a8df30e0745c6758f4e061524a90e3386c8b0323101634ec087aaea2d195b2576', '\x012f5689e01685d6c832266e58ecdde1c6e0a5e3536dc830b1237828a42f5a2716634ace3e616284f3c0ffc30c1c52ce16a7fd4f7b975b09016c2fef183523c47e8bad8d3661259273bda96ad8aa46ec4a');
insert into events values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '9HG35X43', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '990', '1', '0', '1', '01a21fd0-4960-709a-b904-a70c329e5292', '1', '1', '1795830051135', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0', '1', '0');
insert into changes values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '1', 'came', '01a21fd0-4960-709a-b904-a70c329e5292', '1795830075063');
insert into event_keys values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '\x34337f6e32d6397a063217d96485dfd26bf84fd7e955b2366916ae45ef2e3a02', '\x014c1ce5ad0f4efab38711887a55360cd18394267cfb23ab9c52fbd214fc5c263c16c84ddc55129bf9cf156d8f364c09531cf12aae9f3bd424c2fb2d557c110be9d8da9a6fac64c9426861e8fa7311d963');
insert into event_secrets values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '1', '\x65d5be53c3b516227b8d7adccafcdce0638d6b4414d9d9d7f0263172e3316a31', null);
insert into event_passwords values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$KPxWwG1QQUgHcYBuCOdChg$z5vxNMQJUvJ+W8BkrUYlGN1gKntNkA6R1Gz9mk4eDHI', '\x012626398cedeae48f4008d5339b32615c8e00d86ce915c95c7991c3c875262f2ac86a30ff4dfc3bbcb2b48f77059fdf6a598130197b8e89aa723e');
insert into event_passwords values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$o29xq4LIoKbVQH4lvdj/9g$1tDY1p1tdXsfFija/YZm2xN6mE07uzyfop2YDV6eAYw', '\x01b4fc4c6eb1598a9c07911bb53126a4bf7911f79bff0a41c23795e4c4f05b3b2b5e89ef269000bdfa425496e8dd6eabd21a840629533240f9');
insert into hosts values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '1795830068264', null, null, '1795830079056');
insert into host_keys values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '\x010116f40df247f7f3be22607e6e3393b1ea205e5266d471d0a35d8440dd7ed063018095ee289ccf8a158b9b5be67e18373d3514e08a3e95598d79bbabf6c7068efd6c9a07230d8b20b2f0e76fe4d52b5dfb8bf2be8abda0f05bd32955e447865ed18dd8f97891aa94cffa038bd6');
insert into sessions values ('01a21fcf-f0e3-7169-ae10-d08013c159c1', '\xb0f677846312184ab002ca51901de13ec616377579bee453b41e3cd6f7b3317e', 'admin', null, '01a21fcf-d002-73fd-a70f-392424583192', '1795830051043', '1795830051043', '1795873251043', '1796434851043');
insert into sessions values ('01a21fd0-5e60-7176-98c0-d80aa46d765c', '\x951e35bc1b8c2e3b275edfc2f90ccfde5f4e3087df4c55759b5ee3c10e317585', 'user', '01a21fcf-f13f-70fb-96e8-ea3c59008e10', null, '1795830079072', '1795830079072', '1798422079072', '1803606079072');
insert into session_keys values ('01a21fcf-f0e3-7169-ae10-d08013c159c1', '\x01023af9c9f6809878bff9e1b50d5f3580bb4ff3a025a7edb74570a941ca0d553c73aa86c08c8cdcff71318e95ca0324c636c4bf1f4d8e153dda9411964792cf2a8cc01fbb4ad6cd41c5f8dd50b5bcb96fad61d7aab38c442195c19069d93f7592551bc6794bc81cf5e9c26178fe');
insert into session_keys values ('01a21fd0-5e60-7176-98c0-d80aa46d765c', '\x01021cfef1eab7d6be446d70ad1cce7e6bd75a44a293242f043f880456fec1ca00af7fe95d04573060f71ee51e8e5027e33ba9d7df775e05914520515e44bb6c344754e8b7b7e3cb5b1099239819af9ff623ecc01f035001706a60d898ce8479c6da3d5ad3802aabbf5bea4b74f0');
insert into devices values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '\xe37d5af161876fa79a283bb1c8dfff360bbc8a9f67ad72e901c4f15bf547b04e', '1795830074941', '\x0fa0d779138acfa7370ba64420b63d42f5861d9249e77fc696dcc985d7532d06');
insert into guest_keys values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', '\xe37d5af161876fa79a283bb1c8dfff360bbc8a9f67ad72e901c4f15bf547b04e', '\x01bb9278560205b35e599aa91d0ca169e079926698400e23376a970c9cacd12e62f7c291d2c0693e17641593843d4acbe0969f36ae4dad0e658c2d108e82551f4e6619d5a3900e3d24b0f4daefc6f6e4c6');
insert into photos values ('01a21fd0-4960-709a-b904-a70c329e5292', '01a21fcf-f13f-70fb-96e8-ea3c59008e10', '\xe37d5af161876fa79a283bb1c8dfff360bbc8a9f67ad72e901c4f15bf547b04e', '\x01b1458891db0be542f39e3a0f61f797bac0e2156e9a8ca63912c660d019fe3d16dca7e06404dd9411dbdbd434986097be17370b7623acb812286eb71d9c36fc8d880556935a366d804a0eb81123c5d8bd1db6c867cbaa04fdc359c8f3', 'image/jpeg', '990', '60', '40', null, null, 'image/jpeg', '1218', null, 'image/jpeg', '1218', '92f2aa8cf80a876c', '1795830074941', '1', '0', '\x3d80d11f15d4ac1419f05b32b42079679dc792341eab6e4585af8ea8be5b4450', '1', 'stored', 'server', null, '0', null, null, null, null);
insert into photo_keys values ('01a21fd0-4960-709a-b904-a70c329e5292', '01a21fcf-f13f-70fb-96e8-ea3c59008e10', '1', '\x0150450c2d1e40ac5519d59cd4569963767167380b82f8ed330f8aa5a7e8eef513052462d31fff784fa7e5ce7e957ab45d06cb3584ccd572e899012a11f1bbbaacfba5455efc82f2df01b7ce0450beef4138c6055a5aca0f40e3623aa32e63163dc06808d39a0d58254f5e581a3d', '\x01b7a6f84c3f5226f89e617d2357f46713577a38cabc9155264f587353e0b41711a84720e8d95292dfd980305739e87593024ca6980caffcbe524ce60364ec9b238487c578ca7a30d5da474768a5993babbd5e7b587f897c3de9265c5c0cc203363920551d856d8a2ccc004eaf69cd730dc2a0be1a5b973954fbef9142f294e4919282112731e158faf836', '\x01812348aba3a1811758484c11f612a28955fe1599922df66cd3272f242eb267855bb9e1d31614960ed580718e9c080155fa4a75da0735ddaa9a6fe1066815a556');
insert into archives values ('01a21fcf-f13f-70fb-96e8-ea3c59008e10', 'complete', '100', '1795830079167', '1795830079311', 'sufHv1nThhlgBmeWc8usHe51VRWs3fSTjbxRGQi2oFI', '1212', '1', '\x0173d745010276627291ec355baad6ce06d5a2d09402c5f553235d277fd53e2141c9cd6aaaf87800bddd3ec9e55f7ed495f6534fef016f110c73aa3210e09ff7d950e1a883e6d76c9b880508e2e8e4252a215c2f1ad495582d642f9f07b3b3a333d9f3a7d5275209f3b80173f67aadabd3be01c4704c6a4d7191f8b26f0bdf13a7af53f925c7c589a6fa0a9ea1f3f450eaa13bae8ce4f3dd3630c2e5e1abc752f39e64f7ba72482a13c2990520faf8a1f809103135fb7624', '0', '\xb904a70c329e5292', '1');
insert into clock values ('1', '1795830048443', null, null);
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
insert into settings values ('migration 0020-zip-coverage', '\x33373338613264343364356438376530356435666135613262393161326239356534336566336538346436663834383665653066373134656238383035323163');
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\x6d80567d9b93499c83e10cb641f8b7c458fc04ca4120cfa48b3fa31ff8f9f0b3');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353833303034383731302c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373935383330303438383237');
insert into leases values ('webhooks', '01a21fcf-cf13-70a8-8cf4-2b51eb841904', '0', '1795830048242');
insert into leases values ('retention', '01a21fcf-cf24-735e-9b7c-2029fe0a9118', '0', '1795830048254');
insert into audit values ('01a21fcf-f0e1-7060-9975-b5ec781d8a95', '1795830051041', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a21fd0-1746-7124-ba95-8b67528249d4', '1795830060870', 'admin:admin', 'event.created', '01a21fcf-f13f-70fb-96e8-ea3c59008e10', '9HG35X43', '127.0.0.1');
insert into audit values ('01a21fd0-3497-724c-8941-7f4cbccb4fd4', '1795830068375', 'admin:admin', 'host.created', '01a21fcf-f13f-70fb-96e8-ea3c59008e10', '9HG35X43', '127.0.0.1');
insert into audit values ('01a21fd0-5e53-716e-9380-415270215aef', '1795830079059', 'host', 'host.login', '01a21fcf-f13f-70fb-96e8-ea3c59008e10', '9HG35X43', '127.0.0.1');
