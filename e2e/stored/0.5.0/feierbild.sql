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
insert into kysely_migration values ('0001-start', '2026-11-24T04:10:51.743Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-24T04:10:51.748Z');
insert into kysely_migration values ('0003-gallery', '2026-11-24T04:10:51.764Z');
insert into kysely_migration values ('0004-settings', '2026-11-24T04:10:51.771Z');
insert into kysely_migration values ('0005-outbox', '2026-11-24T04:10:51.778Z');
insert into kysely_migration values ('0006-connections', '2026-11-24T04:10:51.785Z');
insert into kysely_migration values ('0007-receipts', '2026-11-24T04:10:51.788Z');
insert into kysely_migration values ('0008-event-notes', '2026-11-24T04:10:51.791Z');
insert into kysely_migration values ('0009-assistants', '2026-11-24T04:10:51.794Z');
insert into kysely_migration values ('0010-second-factor', '2026-11-24T04:10:51.802Z');
insert into operator_keys values ('1', '\x5045cba57403f0f7b61cf7f0f6637ed50ac82fcd431eda98152d2654d3a1dc64', '1795493451964');
insert into admins values ('01a20bbf-d82d-720f-b5c4-784c204f91e4', 'admin', '1795493451821', null);
insert into admin_keys values ('01a20bbf-d82d-720f-b5c4-784c204f91e4', '\xf8fe4f38d99df17916d3e402bca044b821a68be018d72113d564a7109c65aa0f', '\x0101da986ba947f35723d9e276c903971aa733d071baff86936faf4f892d420b57b0ad0aa8a4d9fdbe5992df4d3b61aa38d65c6a7323074e037912c2dbd0b707c930d4f436b37618115a4741e48aca5e3b964e1dd37287a481355bf0eea7a36c6fa0d6c9edc500f314e6f9023714', '\x01a6db35dace858bafd7e60fd349e47e58803e23081785a58c70f5c6fd152a7e63863b7bbaeb7fbe7d6f389a2e635a0b475fcfdb92b4de52c2249c709030418a424ca767cbf603460290a67944b6f3e3b7');
insert into events values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', 'JAJQHM4E', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '977', '1', '0', '1', '01a20bbf-dc28-705c-baa3-276bd8324889', '1', '1', '1795493452269', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1', null, '', '0');
insert into changes values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', '1', 'came', '01a20bbf-dc28-705c-baa3-276bd8324889', '1795493452882');
insert into event_keys values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', '\x09ae6be31ed2fde36c9d4c10b31cd41e287a7a01c49ecc93085cee5da551cc58', '\x01f073ab142ffb5573dee3c4adde8fd94419bdc0fe416dcacc34d31c496a68dc0181b1cd34684b43f3c07b692ba575b591cdc2cd71035651d86ae98cc7e137d3640653222d487d337fef8f4930f210d129');
insert into event_secrets values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', '1', '\xb3e011e87d87c1b80a3279a81d21d3050502b6b6e0d5941d114fecf0d10e534f', null);
insert into event_passwords values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$6lQLoIHL5ABrzYsc2YBUVA$vbVKN1JNJkAcPhd0A91/6B/ZPU2S/AXAMJS+sX820CQ', '\x0136984fa7b86dc1d1c5a89936327e884021340857e34086004376fd51d74d5549e073d1efe7ab5e2906fd3302bc038598fb9e01fed190818468c4');
insert into event_passwords values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$MdxsqBr4Mrk/6ux+Ibv5kA$Az9t68tcyM+pGOqagCJxCBN+zO4Cf0yqDiWw8kxRNRU', '\x01f12f3c1bb35386043dba3ad1988381e00a589186e9dafc7b832b556c1e0aa11436a22228804fb9ddaab0c1f506f481ffe2a22b76e2fc87f5');
insert into hosts values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', '1795493452691', null, null, '1795493453027');
insert into host_keys values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', '\x01019cfd6a8cd8fb582757ff595aa48a1ab257f45e7600a42c54034678906b2d69ae618ee3f68ee7fea2f26bf029020a07dcfe0d3b14e47cda051b07e39c48d1bc304ae34a5531089e569ee3c198a3cb2ebf7d74571756307671124fa45a0830e8e558a2f1a464e8d71d588afbe4');
insert into sessions values ('01a20bbf-d9e5-71f3-a088-df6c11c47f73', '\x8580e77adaa58ca6ba0296a6408c10fc39b3e143fdb95ece57dc1cdf0535d23e', 'admin', null, '01a20bbf-d82d-720f-b5c4-784c204f91e4', '1795493452261', '1795493452261', '1795536652261', '1796098252261');
insert into sessions values ('01a20bbf-dce4-7180-a5f6-abd4028bb070', '\x12a502f5c09c75a9dd6f7e07145dbd389c7a1ffb549f331559da591a74309053', 'user', '01a20bbf-d9ed-7255-868e-ffdfba25e380', null, '1795493453028', '1795493453028', '1798085453028', '1803269453028');
insert into session_keys values ('01a20bbf-d9e5-71f3-a088-df6c11c47f73', '\x01024d4db205e93e78a258a4a10c04ead92d5b986f7a64536fd0b94028360ff275de80eb3555d6d7e52f0def3336012157396462b17c90bf37c0a4fcfa8b0809cc8409516147d9195efe80a684675869a04d97e01a7346b1f56666df12f1eae17139e220a7b04deefd0ed5498386');
insert into session_keys values ('01a20bbf-dce4-7180-a5f6-abd4028bb070', '\x01029d46c63d91c964825f84222bafbe39cbda40e7a500e41618325af6ebf0ea4582a9fca492b3578c619bf38123f79984ceb3b589be3d56a6e49aa74c188dcf93346231dbe89940f1115d3fa6b3a6910a7d37a753185719ec01a4c5905ca9484f88e3f957ae5d0ebe503cd1edc0');
insert into devices values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', '\xbe0d21a474589d61da927520835176dbf8c44abb425bb7d2e3c2597539fc5976', '1795493452878', '\xd2a61f54c05565d7a03bdc79a299a48db339be21935d6d819d62446d97c3260e');
insert into guest_keys values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', '\xbe0d21a474589d61da927520835176dbf8c44abb425bb7d2e3c2597539fc5976', '\x01f876e576568950ae89f7af61df7c017c0a02d68c4747f2d5768210170718e610366ef21341c59796339d5a8fd1dd9be8665491e2cc6091c09ce4111fbbfd83bade7ad323338befd7dcb3e70fa78a1385');
insert into photos values ('01a20bbf-dc28-705c-baa3-276bd8324889', '01a20bbf-d9ed-7255-868e-ffdfba25e380', '\xbe0d21a474589d61da927520835176dbf8c44abb425bb7d2e3c2597539fc5976', '\x0163f92ff1e600ca7cafdfe0a9ebe4b124b3e3cd32e0c8f40c96f1b025d3605d333324db3bdb0ba7e96de338745549d348d6832c7920f37b1e3fbc9844d1ec1d231829f6bace88c6f62a5203979e330d1f739709cc895077c297ed8e4f', 'image/jpeg', '977', '60', '40', null, null, 'image/jpeg', '1223', null, 'image/jpeg', '1223', '3848ef8c12ed4cc0', '1795493452878', '1', '0', '\xeed239ad05aaba593d33113ed317d2f69b0f1e669207d2266360f80e969cd8ad', '1', 'stored', 'server', null, '0', null);
insert into photo_keys values ('01a20bbf-dc28-705c-baa3-276bd8324889', '01a20bbf-d9ed-7255-868e-ffdfba25e380', '1', '\x015b0bd958bbd7c70891331f702a53a48d26f49abd7c604afaba9a27baf8473a511d0ded4f5e4f85a60704f0fe56bfeb0a31acd78cf9dc6f5e19f32db2f9a214ba49be8902829f237f057fa866a87e1cc475d5158d690758ece6903918beeea3967b10a8c6f8a00c15887174f991', '\x01a316ace992ad2810f22741fac6872cf6c51b2d2981b8d06759ba1b62fea11a53dc672ebe3c17528a643625a8ed7f1a4643bcf83b5b11a46c4f0dbd9092dd7a8b90c680cf8414a517b347054ad61e45e0c5997d60ba0786343be75e46922cde58ce73f1c418ba9824aed9aab0155cc7f52f4ad07a4532e7cc6f02ddd908e22426c0f8150575750e594b34', '\x01584e3f82f4843f773291a3668965051544c147211740f09ed94bf1d7d7707ebfd11f291783ff40cbd671f78a51c592181a0f6c9ee9b800f731ca06417379b36d');
insert into archives values ('01a20bbf-d9ed-7255-868e-ffdfba25e380', 'complete', '100', '1795493453035', '1795493453047', 'z9AxcZt-1QFT1BbizDY4VsJWp1oyrExMHqd9XFxq8v4', '1199', '1', '\x01b413852503641a4ed0e2c921f19af3cfd94f01b34c74f5fb91a17dbf1cfbbd5a40a536f4926f4ffc8cd4736ee87a4cc0e8fb9dae26c9608a3c702ef1b7f1202ca74712c132a11b162f3c36305c60e0bbba56331db1ef1bef05a49022689ca5e35f7ab7124f4398b7330e2669266f770e49dea021009556bf157015849d6fd169b48896631d345313490fc5371a9d3e01b3ba94d50a9a6980f2db38036f7e93c635aea09ba9be42e8da1018fd239cf79d9ff7b201067736', '0');
insert into clock values ('1', '1795493452073', null, null);
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
insert into settings values ('least_schema', '\x303030332d67616c6c657279');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353439333435323039302c226166746572223a6e756c6c7d');
insert into settings values ('installation_key', '\x0aa3df0efec361dea19b23e13d9c75758df7bf7e0a9e946b35a0ce6bfec56798');
insert into leases values ('webhooks', '01a20bbf-d825-73b8-ba45-baa395dd046d', '0', '1795493452080');
insert into leases values ('retention', '01a20bbf-d826-72aa-bc90-849a62128ef6', '0', '1795493452065');
insert into audit values ('01a20bbf-d9e4-70cc-8ee4-3177e2024502', '1795493452260', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a20bbf-db01-7055-8d98-1e4cd5c31c1e', '1795493452545', 'admin:admin', 'event.created', '01a20bbf-d9ed-7255-868e-ffdfba25e380', 'JAJQHM4E', '127.0.0.1');
insert into audit values ('01a20bbf-db94-7085-9f9f-7ed85423b8cf', '1795493452692', 'admin:admin', 'host.created', '01a20bbf-d9ed-7255-868e-ffdfba25e380', 'JAJQHM4E', '127.0.0.1');
insert into audit values ('01a20bbf-dce4-70df-b75b-1f32a654e62b', '1795493453028', 'host', 'host.login', '01a20bbf-d9ed-7255-868e-ffdfba25e380', 'JAJQHM4E', '127.0.0.1');
