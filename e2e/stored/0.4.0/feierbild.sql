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
insert into kysely_migration values ('0001-start', '2026-11-24T00:06:19.936Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-24T00:06:20.022Z');
insert into kysely_migration values ('0003-gallery', '2026-11-24T00:06:20.085Z');
insert into operator_keys values ('1', '\xef0eb1c856da709afc429c0cd44178e6745df78c7409be9a46470f7e26474720', '1795478781041');
insert into admins values ('01a20adf-f906-711b-ad03-70de44e37e74', 'admin', '1795478780166', null);
insert into admin_keys values ('01a20adf-f906-711b-ad03-70de44e37e74', '\x2da7d93f3e7577255574f42693ee5f24389748f18865113d8ddefa1c6adcef5e', '\x0101a19dff3896a2c6ce4acf29e53228bde42091e296a9daaf890ef20028aa222e44042e07d154f3fe4509c97d99895a69fd462154c4d12badcff93dadc810c03b50a245b43167b6d90932097907274ed9cb25326393cc595424198105f1d0c508416e85833d4251b0cd81f57709', '\x0104f6c6ddde901678e7e672094221aa53405d6a4d9eb73f8b8be2ee8af884af1d607a18a8bbf599a7127ebde1a0355faf1c516c34eb880a7de22cf2e0dfee95bfe3448bcbc5eddec86427520ab6b8b832');
insert into events values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', 'X5W96522', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '992', '1', '0', '1', '01a20ae0-0f0d-70b1-b293-2b28c87977db', '1', '1', '1795478782297', null, null, '1', '0', null, null, '0', '0', null, 'drop', null, null, null, '0', '1', '1');
insert into changes values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '1', 'came', '01a20ae0-0f0d-70b1-b293-2b28c87977db', '1795478786142');
insert into event_keys values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '\x94663b10d9d19f6da6f1cbaf9659e3f6cc01e9e3a70dd7e88a0611537942a45b', '\x014849cb5df4739e2b1d9e0ede0ebba8959d1b453fa17e1b6a124804823b7fe465f7ab8a55e34fc1d2ce440e013db0edc11a24daf374e78aebf7f220089d89f5227ff9062cc3a04faf620fdcb5e27d2a0c');
insert into event_secrets values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '1', '\x5d36323cbc32849945c1e22368ce6bcb749b21f36c50a03bfca234049c44d733', null);
insert into event_passwords values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$mdHSpjXdKMhfYgNDhlqxQw$YHN5YaeEacNzU5//jgOHx23uegs4Y2rbPSRLMTm5ivg', '\x0155dc7efef90be03102beece33816ebf49e660c188c7f9cc412c67d6311ebf51161dac84436e809cf28bdfd756f2be1056b855ede260ec67563e5');
insert into event_passwords values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$MI2kJ+D4s5KA93sKnO6vNg$uDP/Y7ZgM2ppyPu37ZkRVvqUchsDurD+vtDCZpSX6/w', '\x01bb9877ecbff242fd911b5fc9d150281119dfaecafbd0b74995fa224607a8c60ff7af2f94a473c095b51baaa597137fa51dc268b58f5ae1ba');
insert into hosts values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '1795478785143', null, null);
insert into host_keys values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '\x0101ddeb61c7920efcbb77ae3d774523a0566c0c644d781169c272c86fb6b309c7bb165b6fbdbbcdf413e18dc2f7ecde0bbd31e48acbe9dd6273a4faa4af53e8fff7f386ba403fa8d932da0e92d7f37ec3350950557ddad67f665ae4b2abd9babb487f2df2c76bbbc1b295bceee6');
insert into sessions values ('01a20ae0-00b4-7013-b960-c5cbabb1019b', '\x7515d48335ce333e63b1f43cd452af562b74489ddfe523c434f6afedb9863844', 'admin', null, '01a20adf-f906-711b-ad03-70de44e37e74', '1795478782132', '1795478782132', '1795521982132', '1796083582132');
insert into sessions values ('01a20ae0-1472-72ce-a8cf-c19377dac0fd', '\x9d78fc383354d5b89d786a63cc623b7126040e73e43d1cece5d86d0e60ef39d1', 'user', '01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', null, '1795478787186', '1795478787186', '1798070787186', '1803254787186');
insert into session_keys values ('01a20ae0-00b4-7013-b960-c5cbabb1019b', '\x010286f2aa167dff21d5c216ef2bd2c945679073382cb00d9693354f698bd4cef662f3ee4cfa3cd268aae3a20daf669d80b412e8f450507ba4fd568a03fa1b816a60148d640f85ba4c5f2d71c835849c717d61d321427517faaabdee69b97d1defb30e6dac804c05bfa810eb6518');
insert into session_keys values ('01a20ae0-1472-72ce-a8cf-c19377dac0fd', '\x0102432fe5760a8c42b234e745f9966b77d4d065771e777ec5d9c65fa989b9a408e2eca6fca50be59266ca64cb00fec38e0413c3e806c5d79449d9965171214c4c97c7348d9eae2adfa549d6d83ea0065867b16061a77701e51578776e00127c63a4ae9be59a2d09d370927ba2da');
insert into devices values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '\x5b04cb338d21a720591f20f5d3bc49056e1fd49935fe607613b94cbf9db957e4', '1795478786085', '\x3e30560c4ac7cc6547137d1391b28350f0e21a310a7bd62c265b57c2a3f5870a');
insert into guest_keys values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '\x5b04cb338d21a720591f20f5d3bc49056e1fd49935fe607613b94cbf9db957e4', '\x0105816f2f693884a95d1cf51005d2d27e8248fa565313c94092086a90b91bcb7e3c144ff534584164bda30cc85271c47415385ec7c680f9983613c3c57f8a8b8ed92e9419248f72fb71ed845298a28c1c');
insert into photos values ('01a20ae0-0f0d-70b1-b293-2b28c87977db', '01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '\x5b04cb338d21a720591f20f5d3bc49056e1fd49935fe607613b94cbf9db957e4', '\x01657a7e81c06b5bb2c44c2d29099e494bd206efe2c4eba03b8b6c93613db2b3bd73a5981d9aa03769034d1d6550bca2779ace1660ca3d1bf5936a72089ec339586d5fa4d87483e0268d0e5470ac2e94a585bb208e5de62b774e1eec7b', 'image/jpeg', '992', '60', '40', null, null, 'image/jpeg', '1230', null, 'image/jpeg', '1230', 'fa13dcd70432b384', '1795478786085', '1', '0', '\xa1ee6086228ac46353477cd96d17e40fed4f3f8a430ba016fa070964130f2c38', '1', 'stored', 'server', null, '0', null);
insert into photo_keys values ('01a20ae0-0f0d-70b1-b293-2b28c87977db', '01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', '1', '\x010ffb5ffceaa7eae349b442e9f3ab8afcd1b583631f39b7cdad76ca07c4ff27d8f6df2ee6d6d9c9ac3cede9c68a360e71c1dd7c6e066483252c55702aab0154237d3e4f3c569b20cc914b68a8f9155186125a377bc88450c9d0b20e164817b3c99fc813c99da5c02208fc1efb3e', '\x01a6c575a643377c78196effe60993f7cce8d7e389023fcc490c50bd72d74c0529c277667acc5e7d169a896fa2af25b81f3f6985d3db848edf8e956b36f64581c678e99ea763a8ad6a72c78a62c0678424751396418e7e3ceead692008289af47a9c0ea36e6ef6997dbb6c731ba63b9ab4fec0b6e5f74fdb1ee109d78402ed989fb4c6d1780787a08ba279', '\x01a9b5f1f0c3a82142cb7439122e1a9f18200723bdfbd43f38a2608e21189e2bc79223944a70cc4813c8213f7d00f73a24c9904435141878bcdc1084dc2f56b7c9');
insert into archives values ('01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', 'complete', '100', '1795478787252', '1795478787305', 'XCqVlk3j4a0uCLpomtoiy12eJ8wQqPXJLX9IjGOz1U4', '1214', '1', '\x01ae9aa59db3208d99fb856dc0a3f540e9133dc1fb5f74d45cb45b8739c0c34e7be2dd653db91c5252f32c7e72d8129b401c900654f3363e1c1b93692ee8800369ee70816eab13955470724d7e4edc340153ec009a58c98ba550b5d235dcebad5487e3c1eb97605a7f9335c47aad4eb717899a36958e4212c63e524420e00689c4841aea02c864f154b25a9f545cf75bd60fc82d7d795d92ff047acc2f0b451ca622a074eb31303928786cd052f712a817c6473fdd06a1c1', '0');
insert into clock values ('1', '1795478781397', null, null);
insert into settings values ('migration 0001-start', '\x39396435656534343961656430383031636331383466646633356261376164646135663164326434303562393131386139356661353461613963643635363664');
insert into settings values ('migration 0002-photo-states', '\x39643738343663663531306665653862343934353837653061373436653533313039373335623737303632326431346431396162363537663033613734343865');
insert into settings values ('migration 0003-gallery', '\x32363261376535326163633931306664623032346562636332313762333862386366326566613666313636343537633837366233643862366336356364653732');
insert into settings values ('least_schema', '\x303030322d70686f746f2d737461746573');
insert into settings values ('installation_key', '\xd3ae1b4fc7d9120198bdeabc3b3cc7b2fc484054b252c328166f060f18aa6990');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353437383738313436332c226166746572223a6e756c6c7d');
insert into leases values ('retention', '01a20adf-f8cc-7142-9905-aa351478bbd9', '0', '1795478781370');
insert into audit values ('01a20ae0-00af-7114-89dc-a4bdea72d22f', '1795478782127', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a20ae0-0933-709d-8b54-913704e0df64', '1795478784307', 'admin:admin', 'event.created', '01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', 'X5W96522', '127.0.0.1');
insert into audit values ('01a20ae0-0c7c-71b6-9fd3-ae71bd5d8de6', '1795478785148', 'admin:admin', 'host.created', '01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', 'X5W96522', '127.0.0.1');
insert into audit values ('01a20ae0-146e-7091-b8a6-63212fc25bef', '1795478787182', 'host', 'host.login', '01a20ae0-0159-70f5-9ce1-d3bbf3b74d5d', 'X5W96522', '127.0.0.1');
