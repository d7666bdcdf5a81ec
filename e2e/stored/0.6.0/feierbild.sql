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
insert into kysely_migration values ('0001-start', '2026-11-26T19:29:48.667Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-26T19:29:48.685Z');
insert into kysely_migration values ('0003-gallery', '2026-11-26T19:29:48.726Z');
insert into kysely_migration values ('0004-settings', '2026-11-26T19:29:48.742Z');
insert into kysely_migration values ('0005-outbox', '2026-11-26T19:29:48.764Z');
insert into kysely_migration values ('0006-connections', '2026-11-26T19:29:48.781Z');
insert into kysely_migration values ('0007-receipts', '2026-11-26T19:29:48.788Z');
insert into kysely_migration values ('0008-event-notes', '2026-11-26T19:29:48.796Z');
insert into kysely_migration values ('0009-assistants', '2026-11-26T19:29:48.803Z');
insert into kysely_migration values ('0010-second-factor', '2026-11-26T19:29:48.822Z');
insert into kysely_migration values ('0011-open-attempts', '2026-11-26T19:29:48.835Z');
insert into kysely_migration values ('0013-mail-server', '2026-11-26T19:29:48.843Z');
insert into kysely_migration values ('0015-walls', '2026-11-26T19:29:48.856Z');
insert into kysely_migration values ('0016-link-previews', '2026-11-26T19:29:48.859Z');
insert into kysely_migration values ('0017-booths-seen', '2026-11-26T19:29:48.861Z');
insert into kysely_migration values ('0018-phone-language', '2026-11-26T19:29:48.864Z');
insert into operator_keys values ('1', '\xed77217ef31276fa693905b49f3ea4c380de2b80282c81e9f85d272d77db0049', '1795721389316');
insert into admins values ('01a21955-e37b-71e3-be0c-927e5ae08f05', 'admin', '1795721388923', null);
insert into admin_keys values ('01a21955-e37b-71e3-be0c-927e5ae08f05', '\xc4d5853113d3700afc5bb7ff02cb81fe4f2c5bbe2f2c7a44f7ab67910f833133', '\x01010fa0607737140fc57de5cc6465cd4912e539eeddd1f2974bfbd465b7dc1a18cc642d5439f224d96a2f9035eb37e64f5080f48588317fa9e85869dfb824dcf2332fb17960131782054b2ea0c5beba2b97b63c23b4330e0b6f856ad9f95b0b1f0de9e7411d8e1732ed65d5aca8', '\x016bc3690307b0cb2f2d7e198a8c1e9a128f5498ea9194b87f2d9b8902b2e64f082d633c0258e14061d6e06d0070a2279b5632d321f0e688f18bfbe16a11b13c37dfdcc599cadac889e66fd63b2b95976a');
insert into events values ('01a21955-e84f-73a2-a734-9864ea0aebef', 'HBC8NUN5', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '983', '1', '0', '1', '01a21955-eeb0-7302-b072-a45130dc7e8e', '1', '1', '1795721390159', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0', null, null, '0');
insert into changes values ('01a21955-e84f-73a2-a734-9864ea0aebef', '1', 'came', '01a21955-eeb0-7302-b072-a45130dc7e8e', '1795721391906');
insert into event_keys values ('01a21955-e84f-73a2-a734-9864ea0aebef', '\x85e4808f101edba3845fb8fed942f63d349c97df617d5117ef249d9216567313', '\x011a8fa78c3dfee8d6bff2807efde388d777b37d02d815e90f545f191302399427cd1ea815cd2801a8c0d1483dfdbeb285925b97e62a82c97489b9f335f0273fad22647c7297b6f02195b6392d94348159');
insert into event_secrets values ('01a21955-e84f-73a2-a734-9864ea0aebef', '1', '\x83a5b59329dce22396a008f9a3716dff6d51508f88e11a07c8b40425e9053499', null);
insert into event_passwords values ('01a21955-e84f-73a2-a734-9864ea0aebef', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$FL4kAEVWQg6wKbWn/GB9lw$QZ7rYASwyQi2xOqoKkUTZLM416H3IzSiIMeH18RXLas', '\x01af6df10c1d2f480d315e9c43d5fed5212b67c32559c9fe8a9ae3d050cfd5ee5cb3c9c68e85e4da21c4d29ac01bd489fe81d74af18da3f19a9804');
insert into event_passwords values ('01a21955-e84f-73a2-a734-9864ea0aebef', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$BKXOLRBv/bcmOFyumVCJ5Q$NWnXsI8CRS8vM7PRsxTB42yDxR3MeqfLsqI9eZOWUCM', '\x01636dce2c7b304eb93694c606c83e363749df725b851f2dd11d992de1db9e3a3951007e651ac5d835f185472cf3b8759f8ebc0f8394ed8793');
insert into hosts values ('01a21955-e84f-73a2-a734-9864ea0aebef', '1795721391364', null, null, '1795721392320');
insert into host_keys values ('01a21955-e84f-73a2-a734-9864ea0aebef', '\x01014925aeed0e1c4e8787e9fac4c6d0c491008bc715d7b20ebc205d558e92e17a4802290410c04d85910b6b86fb50872d1bbc099743c5bfac2c41ee09ee886fbc473fe28a556b93aef19a2784284fd1e22fa4f6612ee6515f1e3484369e199e1b87b34c45297206186d3f58c258');
insert into sessions values ('01a21955-e838-735a-b4c2-443ba58c11b5', '\xbd0f1f671c27463d83ec5a880a1d39ab1ba96670277bbfdbde441dfe602b5c6e', 'admin', null, '01a21955-e37b-71e3-be0c-927e5ae08f05', '1795721390136', '1795721390136', '1795764590136', '1796326190136');
insert into sessions values ('01a21955-f0c2-712f-87dd-d89946027a6b', '\xfda546aea295d8d8f65abdd1f62c1910d80556e3e496bbb008ccf961a83a2f41', 'user', '01a21955-e84f-73a2-a734-9864ea0aebef', null, '1795721392322', '1795721392322', '1798313392322', '1803497392322');
insert into session_keys values ('01a21955-e838-735a-b4c2-443ba58c11b5', '\x010260a136dc2c1542073d988bf8137f26e4eb2eb194a105f0497f1ef87bcaf4e9d645d256112c2e518b672f1e209d9e03b1c0e0f914c0316e853e529d5762487c62631b9525812b35978b71151fd246c5c5c241c158932931bc54ac53b4da70e8511483492ba407eb75d0ff2ff9');
insert into session_keys values ('01a21955-f0c2-712f-87dd-d89946027a6b', '\x01021113146a91020d4cb27d22a5f80ea4c860071215bbf588c3603ba6665eaa26ce3a4a55ebc7dbfb8978239df58b00a20e520d7c844f3965a184d417a0c3f5c57b09c714ae6bf57469c0d18fa1b6ac6d35aff310b97c349626cdcbc86e765966fb2c485f38712f9278abd8b206');
insert into devices values ('01a21955-e84f-73a2-a734-9864ea0aebef', '\x24059849ac15c539894289cf141180b44c92840d12d48d41ff2e9acdc21b9a5d', '1795721391894', '\x581b2abbbd1badd222ee9e083ec9ebfce2999b63ef842a4a9007a4acb32a0e05');
insert into guest_keys values ('01a21955-e84f-73a2-a734-9864ea0aebef', '\x24059849ac15c539894289cf141180b44c92840d12d48d41ff2e9acdc21b9a5d', '\x017417958ff10534e4b04be2fbbf513de366fbddc9d79a84844f50c5bb11ffb851510a63dbbf6fa7b0878b40f6f539206d4730cd61e8f9f40cf6f61a48fd3a2bafe0c7fa97d1aeede1f10855bb68e4e37d');
insert into photos values ('01a21955-eeb0-7302-b072-a45130dc7e8e', '01a21955-e84f-73a2-a734-9864ea0aebef', '\x24059849ac15c539894289cf141180b44c92840d12d48d41ff2e9acdc21b9a5d', '\x01c56f7b185544fa3566a9bbb903dae1e86362191c11ea9ee16c02d4be76f1711977390ca8f0ee343619ffccc74f5ad0c5ea53f25d8b7465691a6eae0bc83edd6faaf05d6b72f56c065196a8fe3f1777da2681dbcc02869bcdfefc4592', 'image/jpeg', '983', '60', '40', null, null, 'image/jpeg', '1211', null, 'image/jpeg', '1211', '520cab9df14e7ddb', '1795721391894', '1', '0', '\x8b148d83d6f5e9fcc44e4d08e04c324d6c122705795fc244183050cf9be46b7e', '1', 'stored', 'server', null, '0', null);
insert into photo_keys values ('01a21955-eeb0-7302-b072-a45130dc7e8e', '01a21955-e84f-73a2-a734-9864ea0aebef', '1', '\x01d863f3eb0205e72e8d3a937b33919d34acced444a7ed9b3bf2ce9a5900503182ae647f4ebeec91cbc345728365e444d3c84eedf9db75af2b22d1e2421c52ab91530369075b32a9acba3f4ba49406df821b6450db80dedd8384e647e73964fe9f80df72ffae0cedc4215617c219', '\x01a00cf3a68a2f27588db9b0d22ddf8e528d8b5fbdfa95d460a60c892d21f1c00ca659f1c68e726d66a0c41c88c293744789d944606b919812921873301c2261ab2d1f4c402bc18ee14562843b4615ac94fee695b6103bc6b88dd593cdf1762746af61331c2530557b8d2e97d218305860d305dd24f40f71c85a3d2eab3c88d3ef122dd946c387a3922844', '\x01c0465f9969e942df63cab53e16c1a6b77f3413cf567818112a145c2c27b9fd64403a91b849390a77b9b565eb7835b2f0612d14248c225c3ec6dc1653c3916e9a');
insert into archives values ('01a21955-e84f-73a2-a734-9864ea0aebef', 'complete', '100', '1795721392337', '1795721392374', 'uroiOqMoWLRx_LV0yd37sIiRtUiXxMWskD4vjb369yc', '1205', '1', '\x013d7439fe3668916a90935d60ce867221ac814fb276b1fdcf01f60a2ba85239221f47910a4f4da4023ab25c1be53b611029f2513178653ef4665a1a4f0d9cce95300019c48eaf714125b924abcda4090e80559769a873bc610fa1cf71bfe819f0832f26af8b105bc1583747a1b82f2e7e176f333782a2723b502d238cdbfae8835377d3512043a50756424e7a08e954ea62e8e74bd304f2f6fb6b3b444db0d58e984609e23c3128c9db9e9b376ed98d5ed9fd7b22985f', '0', '\xb072a45130dc7e8e');
insert into clock values ('1', '1795721389707', null, null);
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
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('installation_key', '\x7c0134ec29790e13a0af9ef6dd7445203a34bbeb13a7ab4ab32c8efe8db65867');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353732313338393735312c226166746572223a6e756c6c7d');
insert into settings values ('last_cleaning', '\x31373935373231333839373538');
insert into leases values ('webhooks', '01a21955-e35c-7170-8cf5-a8bf26486005', '0', '1795721389662');
insert into leases values ('retention', '01a21955-e35d-708e-bb6c-d74c15321816', '0', '1795721389696');
insert into audit values ('01a21955-e837-7006-8a30-93289059020f', '1795721390135', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a21955-eb64-7245-af5a-63da6874d5d9', '1795721390948', 'admin:admin', 'event.created', '01a21955-e84f-73a2-a734-9864ea0aebef', 'HBC8NUN5', '127.0.0.1');
insert into audit values ('01a21955-ed08-7319-838d-99766ab439a4', '1795721391368', 'admin:admin', 'host.created', '01a21955-e84f-73a2-a734-9864ea0aebef', 'HBC8NUN5', '127.0.0.1');
insert into audit values ('01a21955-f0c1-73fc-b679-4f086cd6dc82', '1795721392321', 'host', 'host.login', '01a21955-e84f-73a2-a734-9864ea0aebef', 'HBC8NUN5', '127.0.0.1');
