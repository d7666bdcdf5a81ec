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
insert into kysely_migration values ('0001-start', '2026-11-23T17:38:23.463Z');
insert into kysely_migration values ('0002-photo-states', '2026-11-23T17:38:23.473Z');
insert into operator_keys values ('1', '\x547469bb2a6018f9fbca94bfd9dc04cdd6db3ae3dba41450b86decbd686f6c72', '1795455504118');
insert into admins values ('01a2097c-cc8f-7307-b864-e4e2051c67fa', 'admin', '1795455503503', null);
insert into admin_keys values ('01a2097c-cc8f-7307-b864-e4e2051c67fa', '\xbfb16f68627f8d3b96d0f8635fe0b988abd74e7de141eff827ca5fa441f34070', '\x01013dace9955712ca28a12dbd735f456e5928657a7edb589bc9999b17d5b21977582ed807c9593d6ff2ae621fb498209bdd85904a5b925b69c9524167d5dce2c7b4dc8796253ef862ebdeddd41bca198b97af660e5c8d8013c3cbcc851c68ee6a3b62a35893513d9ea728592f90', '\x01e2e541d68bcc4e4716ea9e5125728ff01ea980f79370763062085ac89610972a90b69bc1f5d360997c9d59cde86808d4f9bbc9c90e0e96b68fde07431eacad8fa5fd60b6c60badf0966fe582118eea4c');
insert into events values ('01a2097c-d2f8-72dc-8870-62ea61237118', 'GRZPSKMF', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '963', '1', '0', '1', '01a2097c-db44-710f-9284-a98112d33dcd', '1', '1', '1795455505144', null, null, '1', '0', null, null, '0');
insert into changes values ('01a2097c-d2f8-72dc-8870-62ea61237118', '1', 'came', '01a2097c-db44-710f-9284-a98112d33dcd', '1795455507421');
insert into event_keys values ('01a2097c-d2f8-72dc-8870-62ea61237118', '\x82c12de36cc6e6ba94a836e17717093bd086193308c49e32913212da86d6281b', '\x01d53124d27df7a43f4ea33ef15b36cacfb0c4ff7a153a65d8c420154cdb979d137099d65d6c2426ce122baf3a2c336ed16ccd5df4566d5fe548855e75809b787e69cfcdc72d0e8aa83dcab40f60bbdcec');
insert into event_secrets values ('01a2097c-d2f8-72dc-8870-62ea61237118', '1', '\x9042e0ed8b89bc9fe6a333298c3e3acf36fcdc98ce4904bfb05e338d7cd6bd11', null);
insert into event_passwords values ('01a2097c-d2f8-72dc-8870-62ea61237118', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$7KFInqo/fHNPKIfFmsIyHg$Ksz8kquWCngcMFNYs620n0vCN2xGaTkZXHZt7lc3NFg', '\x01623c8149410d4b360d6f45bd4c3f96a3cff29b16d893ad8b156b621474bb0e594930f4202c270dfc968b5633aa0dff3297b8e38fcb3d55b2cef1');
insert into event_passwords values ('01a2097c-d2f8-72dc-8870-62ea61237118', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$vE3Zui5RK6itf9R7cVN2lA$bOMHV8/x2dsKPV+uszgmhjoymtI+0wasd3RzJoizlJM', '\x0159487a4d87a6f4e580e54bab2f117dbd9e05c3cc0b356f5f1fb80d319f30ca1fe1b323350a010319d3a5ecb5c45073d0965e98c34e710f5f');
insert into hosts values ('01a2097c-d2f8-72dc-8870-62ea61237118', '1795455506733', null, null);
insert into host_keys values ('01a2097c-d2f8-72dc-8870-62ea61237118', '\x010190e4148a44c6409b84fb96e038a6f0b8b827d5cd6324e28fffce7c1a4c62d98eafa272a7d5887b3dc2e6b6c170e0709bb6a71f4b3ade5f2475efab554deacc1f95654157d12e498a75905f7d662fe53fb702750e7d3bc16bc28cfff4145a3b754082ab04f82c7896e942dda0');
insert into sessions values ('01a2097c-d2db-72a4-a200-b7386cac06db', '\x56094ac51427df0d521ea61dca0177cc12e1f9e9f115c5f19ef45c14a4e85e62', 'admin', null, '01a2097c-cc8f-7307-b864-e4e2051c67fa', '1795455505115', '1795455505115', '1795498705115', '1796060305115');
insert into sessions values ('01a2097c-dfbe-7260-a561-91fa74b7d4b6', '\x347a0d1d3aee37a3b55b8cc88a57dd1cbed3dfde64e93209af70f46bbc90d5c2', 'user', '01a2097c-d2f8-72dc-8870-62ea61237118', null, '1795455508414', '1795455508414', '1798047508414', '1803231508414');
insert into session_keys values ('01a2097c-d2db-72a4-a200-b7386cac06db', '\x010278b9d2af8f4cb5262986abef022710070a8bf7b45e9be5b267dce915ed6cf52ec24fc6f0eab0e01da1eb35095dbd0142a55d4b63f6ba84139c5f592ef7688406041f84e54181cc29daa49badbe00b532b5369244effb059415d079af5fd312e74bb12af9c9639a1032a0289f');
insert into session_keys values ('01a2097c-dfbe-7260-a561-91fa74b7d4b6', '\x010272d53e873b69713b3d26ccf2d061adfdbfcc073a9bb552d9c95c7490643414868f16227aabdd6634537676b5b68864597240a99dd292c62f327703a2964c0296ca78668355e0fa7cd430eaaee3537bb9b3bcf91b58045ff5972cb67a3fb273a194c11a228b39d3bee2a08ff6');
insert into devices values ('01a2097c-d2f8-72dc-8870-62ea61237118', '\x53343e04edee072ec6bb0c7d423f6f138ed11f5c1a19c85072b1b2b2f34772b5', '1795455507366');
insert into guest_keys values ('01a2097c-d2f8-72dc-8870-62ea61237118', '\x53343e04edee072ec6bb0c7d423f6f138ed11f5c1a19c85072b1b2b2f34772b5', '\x013b5ce9401d9224cd5f44a6b57eac776182ba5dbcd6ac027fd77aaa501b89e0735fce417caff4f21fc58d60f53f81c98689fe7f954fa3d0afdfa2b0d809e0e17f006a63e517a189c427e45dcff9992933');
insert into photos values ('01a2097c-db44-710f-9284-a98112d33dcd', '01a2097c-d2f8-72dc-8870-62ea61237118', '\x53343e04edee072ec6bb0c7d423f6f138ed11f5c1a19c85072b1b2b2f34772b5', '\x012009cb87853b2350e1975ab1f32ab7d1f4b2038360886cd5f5dd3619bbc38b44bb9514ab37e241ae5e321a738a60d06d6c2b0c7fa85ffcb7a5426a1e44b68d0d7352e2886d769d3e974261c70f90bcfd1041cc4d073eb7f2cc7b6d06', 'image/jpeg', '963', '60', '40', null, null, 'image/jpeg', '1198', null, 'image/jpeg', '1198', '97392979d4f93f03', '1795455507366', '1', '0', '\xf717763a4d2af2d222819eea59280d5395925691f2d64a6e3aee6dcf15615f88', '1', 'stored', 'server', null);
insert into photo_keys values ('01a2097c-db44-710f-9284-a98112d33dcd', '01a2097c-d2f8-72dc-8870-62ea61237118', '1', '\x01c08c777b453b304091fb1df961ef295c64be33459aefd2ee750d433eafd83c614bcecd19e688fd40c5151c8f8ab333a642c5aa1b894658801e8cd402dfd0dc0cd3b4bd6eab59c5a2295b8da7ba0cbc140f9cb004bdcab5daa2fff207afcf09d18320641d7279a5b7c623c388f9', '\x01ce75d3b318e2a8b0974f4f0a2ba9fe2041851f54a2ed927c015b0e42f3bd699066e27b09ffaed120132ce85d4f5cd3519cb47eb9bb0ea0cb7247df3b592dc3af410eb798c5e3d4b6112c15d5d66b6e42b3d0c80d4f457eae73d6bce0cc84ca4eca7684eeec3f475cb414ddf181a731478a9a085ed4f4bc8ad07c386207bb2627ea105be1327983eccf1e', '\x01eb827d6aa16bb38b4158cd18c8a364753c071a3af9629eef34d410e2c3cade295e4e6855acadd3ace7bf397fe42346a6b4fedb7767bf257a7f56e1bf362da295');
insert into archives values ('01a2097c-d2f8-72dc-8870-62ea61237118', 'complete', '100', '1795455508448', '1795455508671', 'tYesGIpi77wLbVen3jm1YJ6qSjM-B32e4oa8FbwnfY8', '1185', '1', '\x01d72b61e7b41ec14f832bd14e4d66ebe7c0b476d9189ddfa52a5ef68b0b8d6c2c0f32cad860f8615f517ac2d5f5f727fd4709bcea37f7ff2b34921e258b4f2a2a3f44e31633ffd09c8e79ab99caa39cc8eac7a7002d482e3f5b3595b97b918a5ba868873949bdec2729ed16caa44ea419598bb85efe15a6b92cf2d5d00516ff4065bf4bbbc1e312cddb55c8ad9efb6721150a9f16d39016db92c7a3b4dc10f22ea778a10594a92863a5076b35454015e3da29a258820d74', '0');
insert into clock values ('1', '1795455504362', null, null);
insert into settings values ('migration 0001-start', '\x39396435656534343961656430383031636331383466646633356261376164646135663164326434303562393131386139356661353461613963643635363664');
insert into settings values ('migration 0002-photo-states', '\x39643738343663663531306665653862343934353837653061373436653533313039373335623737303632326431346431396162363537663033613734343865');
insert into settings values ('least_schema', '\x303030312d7374617274');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353435353530343530372c226166746572223a6e756c6c7d');
insert into settings values ('installation_key', '\xd87a4a16a8d1b6d447ef47576017e6240b8626ef8cb10855c8d6264243aa404d');
insert into leases values ('retention', '01a2097c-cc80-7341-bc0f-4613ff4e71a3', '0', '1795455504349');
insert into audit values ('01a2097c-d2d8-7080-aea2-ca7be4ff8821', '1795455505112', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a2097c-d722-71dd-8db6-19a2f1e110fe', '1795455506210', 'admin:admin', 'event.created', '01a2097c-d2f8-72dc-8870-62ea61237118', 'GRZPSKMF', '127.0.0.1');
insert into audit values ('01a2097c-d92f-71a2-b15a-e0df6d54c3ad', '1795455506735', 'admin:admin', 'host.created', '01a2097c-d2f8-72dc-8870-62ea61237118', 'GRZPSKMF', '127.0.0.1');
insert into audit values ('01a2097c-dfbc-7304-ac8c-16beccab6f3a', '1795455508412', 'host', 'host.login', '01a2097c-d2f8-72dc-8870-62ea61237118', 'GRZPSKMF', '127.0.0.1');
