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
insert into kysely_migration values ('0001-start', '2026-11-23T08:50:28.570Z');
insert into operator_keys values ('1', '\x7285f47b20dc390785d2438686219c598a4199f6d341ec66cfaeb77658bf5112', '1795423828924');
insert into admins values ('01a20799-7bbc-7226-b8e0-af820f57f655', 'admin', '1795423828924', null);
insert into admin_keys values ('01a20799-7bbc-7226-b8e0-af820f57f655', '\xee00591296b87acf3e9590fbbfb0676e8fbf622bae013463bdea94fc00a58349', '\x0101bae62860554d82dd60d184095539705f80a852ec45447786f8d4d3507dc30cffe52c2bf0ebdf8567079af1ced9ff497e66d8978f3eb5bfb30803d8be35ed96cece9bf84ba1b7058de6985a590b9e67b82caae690a6c89dfc192ef8bf4c83720099037bf80d920353d20b97f8', '\x0126da37ccab87eb500349a544648ffaa63513cbcd837152f689dbab44c9632e08bc4ba042dd90737fde2ba56cb48d4c6fa4e7a77017843e8dd8d4ef8dd1c1e2ce73b8455e67a2da6b3319a9b9bfeca5be');
insert into events values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', 'QC2CKQUK', 'Hochzeit von früher', '', '2026-11-23', '2999-12-31', '0', '0', '0', '1', '1', '1', '1', '0', '1', null, '1000', '1', '0', '1', '01a20799-a247-7247-b7ca-7b43fd646c62', '1', '1', '1795423832917', null, null, '1', '0', null, null);
insert into changes values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', '1', 'came', '01a20799-a247-7247-b7ca-7b43fd646c62', '1795423839467');
insert into event_keys values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', '\x7a94934159b9bd0699aef5d55aa346650daaecd7f475415af4726de27c520830', '\x014b09c9dee69bcb70f0a2f52ea3391f9b5bac7c3ce110dce2461992804467bc5af649db9144554ecfe3a834d026ace29f2d7784c6cb5d4edad821f2af6bffd30515eecd37beaab3d4a4f8a5ffa74b204c');
insert into event_secrets values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', '1', '\x4d35872b303a7f8806e68310a39836578a1ca8061c672242e250ea8b751caf1d', null);
insert into event_passwords values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', 'upload', '$argon2id$v=19$m=65536,t=3,p=1$5RhluQglDqtk4knMz0MbFw$OCY5r1PcBq0FiCdzT2yLEjkMxRVTcY+0dmnLU6rN9N8', '\x01acb0346a4e26b10520436d2c30e2eb3631c10b6ab6092b604583827ab5af6f59f767d7fad3ddb5a3f933660b572bd483e05534501efe2930b1d8');
insert into event_passwords values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', 'fotobox', '$argon2id$v=19$m=65536,t=3,p=1$IEpQ/scemhpg0IOGCf3SSw$4I9QxbKCPuUL+ehEwRWJQAmgvT8ZdrKDh/UCMQCPb8M', '\x0117cc04736c5103687b0fe03ef879a72a023275154d65bd52fb9dd057f9337a2af15d9e3587e0fbd776bb2ca90faaa81d334cb594c96b221b');
insert into hosts values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', '1795423837300', null, null);
insert into host_keys values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', '\x01017578d35931c8d192d4ba1a7ba4915484c90ecbe537a706a9d93b62d0d644edaad730897116d5ed859c8f86af23e7c344ab8f2bc26382503f91557d882e9fcd513964b06ed7580e6742cbddc9169396dc1870e8d9f5731e619f48c740c99c09e78a70e520b3450a0a9a64ab0d');
insert into sessions values ('01a20799-8afd-70d7-8f8c-e1948e89d4d6', '\x0c024d2bed6476a515455b3b35dcb2f904f4ae960ff56e486ccdfa2f1958750c', 'admin', null, '01a20799-7bbc-7226-b8e0-af820f57f655', '1795423832829', '1795423832829', '1795467032829', '1796028632829');
insert into sessions values ('01a20799-a9c0-7158-9447-01acdf36d9c3', '\xd43fc79ff927d4cd84b84277a821acdedf8a486e255ad9f00cae4937c6714e41', 'user', '01a20799-8b55-7203-87ca-f08bf4e24c7b', null, '1795423840704', '1795423840704', '1798015840704', '1803199840704');
insert into session_keys values ('01a20799-8afd-70d7-8f8c-e1948e89d4d6', '\x0102c46e1cd50c42d757a28689b976f61e66dc7d37a17d12c211dc9c0b46fe9919c23106c03c15c5272c1d26d816760b36513125d4e78c94080e26488b168deca35beafee89a8e228ef9892251685821e63ca7b8e2f1bf1c43c99302c7b2eac0b79c6b6e35b1a3b381809015ded1');
insert into session_keys values ('01a20799-a9c0-7158-9447-01acdf36d9c3', '\x010284f211eab6cfb52fa29cd9a709ec84c9e48e23e55951c9a319afcb39159354d41d75d8dbc1aa59f64a796e204e0114ca4d3b7be185cc50b3e979b497d8cf996d8a015bdd3042e267442ad446f4432ba5c8123b9b63856e0cc76516ab00c4d0d55b423f4f9d959ffebc59feb1');
insert into devices values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', '\xd901a8ecf132fb8698eed00f08a56857152fd3e00931d7bd920e5161225b3590', '1795423839381');
insert into guest_keys values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', '\xd901a8ecf132fb8698eed00f08a56857152fd3e00931d7bd920e5161225b3590', '\x019299440390aa2c2c8c012f61a5f27f06800c9376b9bdaf7413ccbc41004d105d7f79fffb5c0f265bdfad19644899888eef68263250f9b3a6d11eb369cf1c2e02183b973cf1f47ff7bf3f2caf6dd4ff04');
insert into photos values ('01a20799-a247-7247-b7ca-7b43fd646c62', '01a20799-8b55-7203-87ca-f08bf4e24c7b', '\xd901a8ecf132fb8698eed00f08a56857152fd3e00931d7bd920e5161225b3590', '\x01e2266b4194c6ab8d87eaf58fc3e9da474d83ac4b9b3a519f570963ea22e527d707061a15a6151834dba438041788e800bb280f12ee93f28bf5884235dd5c29a291d518f6bb20df0b9f62e17145be1e8308b88bc191458652918ab2e9', 'image/jpeg', '1000', '60', '40', null, null, 'image/jpeg', '1220', null, 'image/jpeg', '1220', 'dd78f2e228c283c6', '1795423839381', '1', '0', '\xb2cef5152fae5c883d05d40bd8526fd5e001c5542324c1813e5e49444d9c8588', '1');
insert into photo_keys values ('01a20799-a247-7247-b7ca-7b43fd646c62', '01a20799-8b55-7203-87ca-f08bf4e24c7b', '1', '\x01a56efa47cc7d85e8a139661943463a8613c2e6f7feefe03f51052ca8c03a76de51097b495e564201ba04704ca212de339f2c181c65386ca7d17aa682a775ee344d86823a6405f3c65e36ae19a2c89a24baa6f2f42456e4e16edd619544cdb01bacf61a6c12d92fd02782326636', '\x01db2b3bffca5644a0e89d89b1fcc1fa79c659aa981fe4aa2e8b41efcf814b0efd93b8152c2abf3ea6054863cb4977644371b3c2c35aba582902090b8dfec1df8418622406a31948cc92114dd4ec36afaef5203dd012e717a88ead8ed8502427275ea4e81f506425e4cf98d15c26b6522a95acb914f16ba831b11c360932f0a1b0bf2707f8a21b41b03099', '\x0170747beebd353ce22802056c5aeec741af3df44e99b55c5e39f50441a1478d7ff1a372219b5a58c0f35790f9160c4c98d3ff866b287135092415f979870d48a7');
insert into archives values ('01a20799-8b55-7203-87ca-f08bf4e24c7b', 'complete', '100', '1795423840735', '1795423840798', 'AdpEXdwTsy1F9kntImEnIV-lFH8qTebNMltoCwH9s88', '1222', '1', '\x01b42ee28106f31a4c5cfdc13e6a39038ddbe5326c1ad99f498edbdb9cf457550df5b7902887b01ad3e1e8a2629917b32d71772b03082569eb1e53aa5b4602dc3a340294a85fcc0ece5b6eb2be1ea38457f4ab81bd0ab7397a9fabeba90bebca589b76c6852300122135608f50b71a95b4fbca1738455df1e8de1a4bfb5d07964377d5d21ab90481423aa40125c0cb170dff99c4fbd4534bc97a65d2a10497749f1bf4c1ab3fe314c85ee4c6cb3d430b22848eaf440c723b16', '0');
insert into clock values ('1', '1795423831157', null, null);
insert into settings values ('migration 0001-start', '\x39396435656534343961656430383031636331383466646633356261376164646135663164326434303562393131386139356661353461613963643635363664');
insert into settings values ('least_schema', '\x303030312d7374617274');
insert into settings values ('installation_key', '\xd3dd45d3e4795af80a34ca9ed1081a4750ccf5dcacd1e7352d4ec8d26a215c4a');
insert into settings values ('sweep', '\x7b22626567756e4174223a313739353432333833313435362c226166746572223a6e756c6c7d');
insert into leases values ('retention', '01a20799-7aff-71fd-be5c-feec5b2af545', '0', '1795423830908');
insert into audit values ('01a20799-8ae9-72d3-bff1-a94b33df94be', '1795423832809', 'admin:admin', 'admin.login', null, null, '127.0.0.1');
insert into audit values ('01a20799-9639-73e1-97f1-a47de2dfc076', '1795423835705', 'admin:admin', 'event.created', '01a20799-8b55-7203-87ca-f08bf4e24c7b', 'QC2CKQUK', '127.0.0.1');
insert into audit values ('01a20799-9c7b-736e-81f7-e04cf480002c', '1795423837307', 'admin:admin', 'host.created', '01a20799-8b55-7203-87ca-f08bf4e24c7b', 'QC2CKQUK', '127.0.0.1');
insert into audit values ('01a20799-a9b9-737c-9e3f-0288c4510c8e', '1795423840697', 'host', 'host.login', '01a20799-8b55-7203-87ca-f08bf4e24c7b', 'QC2CKQUK', '127.0.0.1');
