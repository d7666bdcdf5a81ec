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
insert into kysely_migration values ('0001-start', '2026-12-01T04:17:31.770Z');
insert into kysely_migration values ('0002-photo-states', '2026-12-01T04:17:31.790Z');
insert into kysely_migration values ('0003-gallery', '2026-12-01T04:17:31.857Z');
insert into kysely_migration values ('0004-settings', '2026-12-01T04:17:31.876Z');
insert into kysely_migration values ('0005-outbox', '2026-12-01T04:17:31.911Z');
insert into kysely_migration values ('0006-connections', '2026-12-01T04:17:31.937Z');
insert into kysely_migration values ('0007-receipts', '2026-12-01T04:17:31.949Z');
insert into kysely_migration values ('0008-event-notes', '2026-12-01T04:17:31.963Z');
insert into kysely_migration values ('0009-assistants', '2026-12-01T04:17:31.973Z');
insert into kysely_migration values ('0010-second-factor', '2026-12-01T04:17:32.001Z');
insert into kysely_migration values ('0011-open-attempts', '2026-12-01T04:17:32.018Z');
insert into kysely_migration values ('0013-mail-server', '2026-12-01T04:17:32.037Z');
insert into kysely_migration values ('0015-walls', '2026-12-01T04:17:32.063Z');
insert into kysely_migration values ('0016-link-previews', '2026-12-01T04:17:32.068Z');
insert into kysely_migration values ('0017-booths-seen', '2026-12-01T04:17:32.076Z');
insert into kysely_migration values ('0018-phone-language', '2026-12-01T04:17:32.085Z');
insert into kysely_migration values ('0019-large-pictures', '2026-12-01T04:17:32.096Z');
insert into kysely_migration values ('0020-zip-coverage', '2026-12-01T04:17:32.124Z');
insert into kysely_migration values ('0021-told-photos', '2026-12-01T04:17:32.135Z');
insert into kysely_migration values ('0022-zip-parts', '2026-12-01T04:17:32.146Z');
insert into operator_keys values ('1', '\x8779161f1960114a9bfb7aca50c6177855e822adee763b3dfaf25d9a127e6230', '1796098652714');
insert into admins values ('01a22fd2-785e-7387-8367-be567c2bb593', 'admin', '1796098652254', null);
insert into admin_keys values ('01a22fd2-785e-7387-8367-be567c2bb593', '\x25ea79f0a906306aec0e6bb78843b4b4dda68399d37c88793bdccb943d549e68', '\x0101f2cb0e8b460f1f97f86b65d20f266ecc4f4378e690292ade3d29b40be4f9e07762067739ae8766b09951cfeb9ce3e0231cc9d72f147ee97ace863d410144c64d969f43fc6c69daa6a1e9777e7a025a55570417c94845666f9a3a56f7300100bfb1bb31a68c3d5242f5373990', '\x013d4564b9cb2a9b83e9006bdee20200e3413935236b234766ea09a63334107666865471ced63f1f8ba68400e242f6b7e59724c48f63eb9382df7436dfa25cc556d967bbface28726e0437b45bfddc5aac');
insert into events values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', 'FKAHPX6R', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '995', '1', '0', '1', '01a22fd2-869f-7195-a30c-2da76a905970', '1', '1', '1796098653858', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0', '1', '0');
insert into changes values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '1', 'came', '01a22fd2-869f-7195-a30c-2da76a905970', '1796098656022');
insert into event_keys values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '\xc7c29bd627cce5cde717b26f4b3c2a73cf6ba3c2d277b7c3f4ebd26986afab1c', '\x01620096e8eb787e9e9438c94263a060141ff791c1120d830b045f3a6cfd7a2f2a56fe15f0238533d99c38355831abc12ca4ffd8f011d4285b3d713a0cefdff482508b40e5a0835741ab12d67e43dd4810');
insert into event_secrets values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '1', '\xa60746d1b642cbb2af982d223fc683270485608bf00395b3900adab16a1c5cae', null);
insert into event_passwords values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$ilxy2vujsF3/K4ma0JZnzA$XZDTULk4ZJRv1F+vbxtSSuTAhhkK3QU/pl1+EBO5I4o', '\x018a7dab3bc21e0e9a221357265a8749dc27d11f419285fedc485fce84ef669d6610d57b0790f05caccf57f38f913187f2246ab2e6d34242ab308c');
insert into event_passwords values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$nK+svgTP9qaCx3wEZb27dQ$bYN/EfhNGdu3a/cY4xDfDEECzJRTBTUvNj/U0MxuZXE', '\x0146e5f756e3f9780f10bad13b153b2c300021b6ecf0710e0d5fadddf5d6ce543b1e10011e341dbc7fd78e2badb844bc87cc002aacf5af60b2');
insert into hosts values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '1796098655329', null, null, '1796098656541');
insert into host_keys values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '\x0101acc1cafdc8eddd8ff129a0154cd706c653689967bdbd2bfb2936d51ffea3b9657df093230cf88371cb2bdc50a356062f9596336f310cfd01b5d5089f8148428369457dee135f1599b0832384a4b23d890c37d7f1d2dc076885a1cf2360f562d3d8acadea43216d41fe2efbed');
insert into sessions values ('01a22fd2-7e74-72be-b697-216a4dc27afd', '\xa98375ebd9cadfafa2df8a2d1f00c32e1bb801b4b16ccc9129c89417fa0c9fc8', 'admin', null, '01a22fd2-785e-7387-8367-be567c2bb593', '1796098653812', '1796098653812', '1796141853812', '1796703453812');
insert into sessions values ('01a22fd2-8921-7336-9897-e6e30f91c31a', '\xe505504beeb15b74a88b346f6fe61ca68a9e5fe9d73229b4a22b02ab3788af4e', 'user', '01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', null, '1796098656545', '1796098656545', '1798690656545', '1803874656545');
insert into session_keys values ('01a22fd2-7e74-72be-b697-216a4dc27afd', '\x0102ed569838599dc8ec60253677916c4d614298494fe1b820f3b471cbce63ad9812dbbd150c2e568eebc942c2ef14a35e1bb63432cb2b303dd347b5ee1393bf44f6b0898bd568ff6bea08f72edb451cce38fea5477b07b62dc07fd4af553b4a62170a152917889b64491d2fcdef');
insert into session_keys values ('01a22fd2-8921-7336-9897-e6e30f91c31a', '\x0102164ba78e4f3c138eba646486e30091c97753f4b13878de2d6d654d0847f71902854fc19c0b67fedb9416525a935b78fdb3a2a0585db08c028700eec6ef87c4eaae1a2abaa4c611195b3f68a376c39cc3e0d0bee11dc26c73d96d1a2d4a4de5afb6ac1c192095f775a499d94d');
insert into devices values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '\x1690d052990b503452967f9fd4493f6cc1a1d87e77ce092efa1d5167696e707a', '1796098656003', '\xd0dd98cb7592ff4720d4ed568bbb718c5ed88d47227c0e6c8fe6a3305cb8962c');
insert into guest_keys values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '\x1690d052990b503452967f9fd4493f6cc1a1d87e77ce092efa1d5167696e707a', '\x0146e328c3b64aff6a26c685739469e4a7906403f4ec6e363774646a5794286f64929d922b4872110c7e69b0523f265b562dc2db9207daedfba542d8ded8ccfc5415522aba73a4e8822f9aa9315632e211');
insert into photos values ('01a22fd2-869f-7195-a30c-2da76a905970', '01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '\x1690d052990b503452967f9fd4493f6cc1a1d87e77ce092efa1d5167696e707a', '\x01e79ca4818086da9d80072a64c98d72f6aee7261c457dcbfe0f91738c84133a92c0ef73059d11c91aa7b0d4d0fed0faa8476ee629590f2ad784abdcd6882c653723e011d44937be0f922c246a9cebf6fae504de71152d6c029ddd544a', 'image/jpeg', '995', '60', '40', null, null, 'image/jpeg', '1222', null, 'image/jpeg', '1222', '201f9c74a0e6f0e3', '1796098656003', '1', '0', '\x5e0768a0b53d38a3b1a53e9726e31e9cdc9d22f2fcc04c83dbfa30b15490b637', '1', 'stored', 'server', null, '0', null, null, null, null, '1');
insert into photo_keys values ('01a22fd2-869f-7195-a30c-2da76a905970', '01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', '1', '\x0141c8161e969dd705df90722b5aa687e2514026b6200099e6ffa7a249af20fd0dc06ec7b82f13efce0eaba3362e6b0d969ed4a8bc9ded5e80e09e50d800eef512ae72b7c28700a7c1c7c1284af39b0f813a4870d532f115cbc64f1f66d5fb317ee3a70b46dae7ec8fcce1bc908b', '\x01489d89f72529931ffe12420f7f9b23c75751b5823f72404ac10185801c568a511203cc0647f5cde1afccb4ede166d3f1d5957ac8198fe2ccdf9ef8eb3d7f66e9ea321e8554ce77d37be2e5b2a610c40f97c1901a07a8441e5592a871b86e01d570a796e6402e962df7f53596df5e51d553cee308c919f2959c7c0e71d010edb0bf88e686901d27276e9a', '\x01c33672e31801bc7219fecb56c3d30022bb6bed40d41351893967680c91d5783a34dca5b6cd429c4fe5ca5cdf230f2fd1c072c8de444f38c5857021174c9590c2');
insert into archives values ('01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', 'complete', '100', '1796098656578', '1796098656658', 'eOSdrh9Pc_S-IlOAxHfTOfMO-kDScdI4HiDV7lNF9Tc', '1217', '1', '\x015e42dcf7d4bae807498af898dcbeb4d134eb9cec5d4fecde16228b0b49550b419493129eaf103612fa5b81083603b35454663fbf9c4ef983c435466d456f0d42dc4faf2774d7164d60efaee872e27ded6f1bb33d1f0083e1a802e3d3d254c0ba86199fb28bde9d20a166f2016e66f61b31e52e541b413e0b922cb7bcd87a98da3d520e15b70c253190bb4ff011675801798ce7b5e65297f70428cc2324ca26e82c6f494275768d986ce451f79706628715a53a56fd948a', '0', '\xa30c2da76a905970', '1', null);
insert into clock values ('1', '1796098653249', null, null);
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
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\x4dfafdcf5de3258d12eefe2ee14ff54d4e438a8a819f4aed9ccb3e439c84c6ad');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739363039383635333336382c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373936303938363533333935');
insert into leases values ('webhooks', '01a22fd2-781b-71a4-9574-9d84d2f7336b', '0', '1796098653205');
insert into leases values ('retention', '01a22fd2-781d-700e-b87b-1919be675faf', '0', '1796098653218');
insert into audit values ('01a22fd2-7e72-70e9-8453-7b544fb7b4ff', '1796098653810', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a22fd2-8260-735a-98ad-aa7dc137a995', '1796098654816', 'admin:admin', 'event.created', '01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', 'FKAHPX6R', '127.0.0.1');
insert into audit values ('01a22fd2-8468-7343-8f4b-c7c918f3a52f', '1796098655336', 'admin:admin', 'host.created', '01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', 'FKAHPX6R', '127.0.0.1');
insert into audit values ('01a22fd2-891e-71e7-b4de-5907f081538f', '1796098656542', 'host', 'host.login', '01a22fd2-7ea2-73c2-a6e1-7dd544d91f24', 'FKAHPX6R', '127.0.0.1');
