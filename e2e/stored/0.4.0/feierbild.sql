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

alter table events add column gallery_mode text not null default 'drop';

alter table events add column gallery_opens_at bigint;

alter table events add column gallery_revealed_at bigint;

alter table events add column gallery_photos_per_device integer;

alter table events add column gallery_originals integer not null default 0;

alter table events add column gallery_own_meanwhile integer not null default 1;

alter table events add column gallery_wall_meanwhile integer not null default 1;

alter table photos add column release_state integer not null default 0;

create index photos_release on photos (event_id, position) where release_state = 1;

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
create trigger gallery_guests_deleted after delete on gallery_guests referencing old table as gone for each statement execute function key_gone('0', 'gallery_guests');
create trigger gallery_keys_updated after update on gallery_keys referencing old table as gone for each statement execute function event_gone('1', 'gallery_keys', 'invitations', 'session_keys');
create trigger invitations_updated after update on invitations referencing old table as gone for each statement execute function event_gone('1', 'invitations', 'session_keys');
insert into kysely_migration values ('0001-start', '2026-11-23T21:26:03.622Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-23T21:26:03.626Z');
insert into kysely_migration values ('0003-gallery', '2026-11-23T21:26:03.641Z');
insert into operator_keys values ('1', '\x21fc677c6fa126289633b9c2dbf747608904cd23728288f5d0a625e5aedb2969', '1795469163876');
insert into admins values ('01a20a4d-3cab-7019-9920-d51d6da2f82a', 'admin', '1795469163691', null);
insert into admin_keys values ('01a20a4d-3cab-7019-9920-d51d6da2f82a', '\xc82e05ad6409a439d971a64dd11097cfcccbc359cb85e5f117822894e3026c7c', '\x0101016d7d310ad83b2e368ad5dd6c37259ac78cd78faecfde8ebfa776dbb526ed9beceeb600fb9ca8409032b6a326dfc4be1b71d6cdc62fe6b92339c0c9c65490bbfc9c36b4610209a449818da70f3a8b03a2592f93ad31fe2098cca9d4c0157703858bb92d261d73aabc74b8c7', '\x01a5d899e52615fc85660ccb4090ca28b23b0faf83ecc6d50340427f9f354a0a7bcc50afec7215dd475505147eb870d531a8f005e903ddccb0e9542ea4143fd7c90c4350db25b2458630985b4f2cf6faa6');
insert into events values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', 'CMDF572Z', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '977', '1', '0', '1', '01a20a4d-41dc-723a-87d3-307345561f10', '1', '1', '1795469164191', null, null, '1', '0', null, null, '0', '0', 'drop', null, null, null, '0', '1', '1');
insert into changes values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', '1', 'came', '01a20a4d-41dc-723a-87d3-307345561f10', '1795469165168');
insert into event_keys values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', '\xd62edb603520ca6c7411d459d1a6f8353d99aa4ce15d5b495fd699263164be2c', '\x019402b51a5ce2175a5cf6b2f1ed80c191a572c2944bec666cb72b0dd800d6ef6edfba02ef202b3d07d3a9ea769418886a5926f1e4155fcf3175dfc6c14e76be9ada5edacdf119cb687c5421833ed376d1');
insert into event_secrets values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', '1', '\x5107f47c6b2778e0c2f83eb764ea20f43ef683fd66016a28aec00096f6a3d523', null);
insert into event_passwords values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$/+gSRwnyipUCvs49bRfZ7Q$zCqHpltBzBZ5QPjQ2Rzs6AtltT4ls8aRoBcl2BpiscI', '\x015170fcfc22c45f90ce47cb2d1c5ce7bcbbe1513bf39dde26a9880d0dc54653282cda78dd28728f1aec7f5a79e5bb9a3e1f344116c87abe75726b');
insert into event_passwords values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$GRKVd8xd60fuayyz5zk4Mg$SCbSHaY53XTJ1yrnwtJ7DL7PGv4ML05xld+3X/Pv5BM', '\x01322d24b812f30872cd7580e6036fd31cce1cde8fc2e61dd1723568851f57ab680c8dd6ecfd660010c7d30d4124aabd1c020448509b13a662');
insert into hosts values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', '1795469164694', null, null);
insert into host_keys values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', '\x01011a944f9df8d4416d0a25b86552d1f50340564ce9fbf9c6f46895e1038feb23ebd8451031fdd845d699817fefb63cdbee30b12ec604b10dd591daee27c404e96c90bccabf71839b57c84a9cc0dd798fabe1a1c0c1e6432e8652e6bcadc9fc51ba4f3f7b8c65de7086499e7644');
insert into sessions values ('01a20a4d-3e94-7309-8636-f2230f0eec2a', '\xacebf26a75b007e592b55faad77df90756d8b502f1ad6a3f28de79c072e1a6f0', 'admin', null, '01a20a4d-3cab-7019-9920-d51d6da2f82a', '1795469164180', '1795469164180', '1795512364180', '1796073964180');
insert into sessions values ('01a20a4d-4372-7072-baf8-2f11668fe236', '\x5091fa2e8defc3bc4a2b32a2e50966693219516e1b1e8354c12343e9d12c8bb9', 'user', '01a20a4d-3e9f-7283-803d-8f086a76fb6d', null, '1795469165426', '1795469165426', '1798061165426', '1803245165426');
insert into session_keys values ('01a20a4d-3e94-7309-8636-f2230f0eec2a', '\x0102e6d51434a68e6b8422d79e7fb071791ef12dfd2f4b7587dc376c83e2246ca982343050ebee21fb8ca6f2a7fa1f6e7bd3cecff6d429c0ec806b159ee18ab8f1aec04b645dbdd2977ff8fa50a07b30b7855e910067b51d0a3eff51a2389e1410dbf2be4a988a0700b021a86d90');
insert into session_keys values ('01a20a4d-4372-7072-baf8-2f11668fe236', '\x01026a9cd13c8f8b38382220098099819085ab2d4a7d9834ae524d266c873ea9c67e0511f8f73f630c4d3649abddba4e42ccd38ba1785372262997ca35e59833baa1e7e39dcaf7d5efb014912848f801812326eacc61e7a538902aeb33f296e6635fc63d11d415f5521489fe6986');
insert into devices values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', '\xabf9e1e05d629177ede31f28914fac02891f6e3a3efa6d8475456d4dc9768bbf', '1795469165157', '\x12ee3dcb98754e7b5ee0ce866cb4a94b2bac91fe705469368ebc8fc06c303a06');
insert into guest_keys values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', '\xabf9e1e05d629177ede31f28914fac02891f6e3a3efa6d8475456d4dc9768bbf', '\x01abb39f1b5fd1d526d07f387f21fc6566425c36487821d2e54fd746a90e3809484000b89f1191d6f870e01270613525f9c0a584689184dcf89b68348e5bdfd4713ff166892bdd431cad261738db7abedc');
insert into photos values ('01a20a4d-41dc-723a-87d3-307345561f10', '01a20a4d-3e9f-7283-803d-8f086a76fb6d', '\xabf9e1e05d629177ede31f28914fac02891f6e3a3efa6d8475456d4dc9768bbf', '\x013b657f59d9eabbbd9ebd9e9e7d11fa2a8b968e45a3e0540b2b2e79c9f447ebe12cdbd4777be16f1745abfe7a07372017cd27f2775e3b8ae9891f79678683a5c8e687a9002771fb60b0d3f839a799ea59643d888a39aecf2b074f7537', 'image/jpeg', '977', '60', '40', null, null, 'image/jpeg', '1219', null, 'image/jpeg', '1219', '94a3cbd3d82f2d62', '1795469165157', '1', '0', '\xfd5f1dd1053236e0f8133b96bf64d3e3c50e666404df538e5d2717fe833c992d', '1', 'stored', 'server', null, '0');
insert into photo_keys values ('01a20a4d-41dc-723a-87d3-307345561f10', '01a20a4d-3e9f-7283-803d-8f086a76fb6d', '1', '\x01647a2ff5a3362c061e3ec7e3f012f34283107e9b9190ed25afbc86cc1b8535d8013fa9f7d659b46c242fb4e9291493d982de341896319e5ae5f7cd9c5244c9ae20b130ff767fd782c2b501c43039854e2c3c04f61b108c670526e58550bbb0557a39d07b656ee8ad5986ae2594', '\x01e69a93cf34dd66805685013401d984a5880ce8a40197b5e5e838fd6155e3e379942e8219c172456d5e1c36fdf076734794f11708313bddbe587aca649ac648441453b426753dedbe8c1a92dcb482e89a46fcab3f44ec6c44bf99db47ce0bfdeb2948aac2dc4abea63f6a85876c3de85af7cb8cecc300d09f47927dcacbe15f335379aca1e1c6e50e7f50', '\x01a4c7d0ff697203d41fd416e4de4a354cbb214143ee7713971220ad85eb9ba725805e19714a1a43375381a3e111234e035fee22becda52f2dac53e5baf22a4d7d');
insert into archives values ('01a20a4d-3e9f-7283-803d-8f086a76fb6d', 'complete', '100', '1795469165442', '1795469165559', 'cAHP5cIHxiFEpv7j10vIpxQ2rPxZ7tt3-GaVphCvBfw', '1199', '1', '\x017efe9984171787991bbcb4a91f1939d16fb90304d005d563d4f5ce99135ebb6d419d1c515f8b617be1f7df5b2ee6571cee4f6fba6cb3bedf2523f652687396c2dc13f0216c821d009c7ca5cd4caae610ecb9d91e97df9badab433619aa1b942710e23a856e38fd91f10c44638d79eea00064620a35a19b9091c0784e717ddc5449463efbe29edf861ac7acf70b0d339fe7085b14255e0cd033606e0bc66c95ffe95fdae3872d2a868e3857cd93033d74281cc8c863bd57', '0');
insert into clock values ('1', '1795469163987', null, null);
insert into settings values ('migration 0001-start', '\x39396435656534343961656430383031636331383466646633356261376164646135663164326434303562393131386139356661353461613963643635363664');
insert into settings values ('migration 0002-photo-states', '\x39643738343663663531306665653862343934353837653061373436653533313039373335623737303632326431346431396162363537663033613734343865');
insert into settings values ('migration 0003-gallery', '\x64663063363061343562383835636631346661303561613637376162636436616530386562393233653864613334366361333133363532393162323363333566');
insert into settings values ('least_schema', '\x303030322d70686f746f2d737461746573');
insert into settings values ('installation_key', '\xe5631901576091054f6eff2c3b3d13f3a35f853a5e400f7b0c58cadf4f902e96');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353436393136343032302c226166746572223a6e756c6c7d');
insert into leases values ('retention', '01a20a4d-3c8c-732f-a204-d31e71b522d3', '0', '1795469163972');
insert into audit values ('01a20a4d-3e94-7308-b0b5-6e38bc6b6c10', '1795469164180', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a20a4d-3fde-71c2-9c61-12c77bf2c940', '1795469164510', 'admin:admin', 'event.created', '01a20a4d-3e9f-7283-803d-8f086a76fb6d', 'CMDF572Z', '127.0.0.1');
insert into audit values ('01a20a4d-4098-7008-87f9-4a99137890cd', '1795469164696', 'admin:admin', 'host.created', '01a20a4d-3e9f-7283-803d-8f086a76fb6d', 'CMDF572Z', '127.0.0.1');
insert into audit values ('01a20a4d-4371-705b-be9b-025e7dcc8f09', '1795469165425', 'host', 'host.login', '01a20a4d-3e9f-7283-803d-8f086a76fb6d', 'CMDF572Z', '127.0.0.1');
