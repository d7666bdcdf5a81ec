import { randomBytes, randomUUID } from 'node:crypto';
import { openSession } from '../../server/src/database/postgres.ts';
import { createQuickVault } from '../../server/src/vault/testing/quick-vault.ts';
import { note } from '../support/report.ts';

/** Photos of each event, and events of the large database. The event under test is number 0. */
export const PHOTOS = 5000;
export const EVENTS = 2000;
const ROWS = PHOTOS * EVENTS;
const GUESTS = 40;
/** Rows of one statement. */
const SLICE = 250_000;
/** Time within which all photos came. */
const SPREAD_MS = 3 * 24 * 60 * 60 * 1000;
const FINISHED_UPLOADS = 1_000_000;
const OPEN_UPLOADS = 2000;
/** Changes of each other event in the last hour. */
const CHANGES = 250;
const AUDIT = 200_000;
const LINKS = 20_000;
const vault = createQuickVault();

type Client = Awaited<ReturnType<typeof openSession>>;

/**
 * Ids of the other events and of their photos, in SQL; photo `n` belongs to event `n % EVENTS`. `eventId` and `photoId` compute the same.
 */
const EVENT_ID = (e: string): string => `'0197e000-0000-7000-8000-' || lpad(to_hex(${e}), 12, '0')`;
const PHOTO_ID = (n: string): string => `'0197e111-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0')`;
export const eventId = (e: number): string => `0197e000-0000-7000-8000-${e.toString(16).padStart(12, '0')}`;
export const photoId = (n: number): string => `0197e111-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const DEVICE = (e: string, guest: string): string => `sha256((${e} || ':' || ${guest})::bytea)`;

/** Fills the rest of the event under test into an otherwise empty database. */
export async function fillFew(url: string, event: string): Promise<void> {
  const client = await begin(url, event);
  await insertPhotos(client, event, { from: 1, to: PHOTOS, only: true });
  await insertKeys(client, event, { from: 1, to: PHOTOS, only: true });
  await finish(client, event);
}

/**
 * Fills the rest of the event under test among all others: rows in the order in which photos of all events arrive side by side, so that no
 * two of an event are neighbours.
 */
export async function fillMany(url: string, event: string): Promise<void> {
  const began = performance.now();
  const [client, second] = [await begin(url, event), await openSession(url)];
  await second.query(`set session_replication_role = replica; set synchronous_commit = off`);
  const others = `generate_series(1, ${EVENTS - 1}) e`;
  await client.query(`insert into events select (jsonb_populate_record(it, jsonb_build_object('id', ${EVENT_ID('e')},
    'code', translate(lpad(to_hex(e), 8, '0'), '0123456789abcdef', 'ABCDEFGHJKLMNPQR'), 'title', 'Fest ' || e, 'photo_count', ${PHOTOS},
    'used_bytes', ${PHOTOS} * 4000000::bigint, 'last_position', ${PHOTOS}, 'device_count', ${GUESTS}, 'change_seq', ${CHANGES},
    'created_at', it.created_at - e * 1000))).* from events it, ${others} where it.id = '${event}'`);
  for (const table of ['event_keys', 'event_secrets', 'hosts', 'host_keys'])
    await client.query(`insert into ${table} select (jsonb_populate_record(it, jsonb_build_object('event_id', ${EVENT_ID('e')}))).*
      from ${table} it, ${others} where it.event_id = '${event}'`);
  await client.query(
    `insert into devices select ${EVENT_ID('e')}, ${DEVICE('e', 'g')}, 0 from ${others}, generate_series(0, ${GUESTS - 1}) g`,
  );
  await client.query(`insert into guest_keys select event_id, device_hash, gen_random_bytes(81) from devices where event_id <> '${event}'`);
  const slices = async (work: (range: { from: number; to: number }) => Promise<void>): Promise<void> => {
    for (let from = 0; from < ROWS; from += SLICE) await work({ from, to: Math.min(ROWS, from + SLICE) });
  };
  await Promise.all([slices((range) => insertPhotos(client, event, range)), slices((range) => insertKeys(second, event, range))]);
  await second.end();
  note(`${ROWS} photos were written in ${Math.round((performance.now() - began) / 1000)} s`);
  await fillRest(client, others);
  await finish(client, event);
  note(`and the other tables and statistics, ${Math.round((performance.now() - began) / 1000)} s`);
}

/** Fills the other tables of such a service: uploads of the last day, changes of the last hour, sessions, links, records. */
async function fillRest(client: Client, others: string): Promise<void> {
  const now = Date.now();
  const upload = (e: string, photo: string, received: number): string =>
    `select 'upload-' || n, sha256(('key' || n)::bytea), ${EVENT_ID(e)}, ${DEVICE(`(${e})`, '1')}, 4000000, ${received}, 2, 0, null, ${photo},
      ${now} + 3600000 + n`;
  await client.query(`insert into uploads ${upload(`n % ${EVENTS}`, PHOTO_ID('n'), 4_000_000)}
    from generate_series(${ROWS - FINISHED_UPLOADS}, ${ROWS - 1}) n where n % ${EVENTS} > 0`);
  await client.query(
    `insert into uploads ${upload(`n % ${EVENTS - 1} + 1`, 'null', 2_000_000)} from generate_series(1, ${OPEN_UPLOADS}) n`,
  );
  await client.query(`insert into upload_keys select id, event_id, gen_random_bytes(110) from uploads where photo_id is null`);
  await client.query(`insert into upload_parts select id, n, 666666 from uploads, generate_series(1, 3) n where photo_id is null`);
  await client.query(`insert into changes select ${EVENT_ID('e')}, n, 'came', ${PHOTO_ID(`e + ${EVENTS} * n`)}, ${now} - 3000000 + n * 12000
    from ${others}, generate_series(1, ${CHANGES}) n`);
  await client.query(`insert into sessions select 'session-' || e || '-' || n, sha256(('token' || e || ':' || n)::bytea), 'user', ${EVENT_ID('e')}, null,
    ${now}, ${now}, ${now} + 2000000000, ${now} + 2000000000 from ${others}, generate_series(1, 2) n`);
  await client.query(`insert into session_keys select id, gen_random_bytes(120) from sessions where id like 'session-%'`);
  await client.query(`insert into links select sha256(('link' || n)::bytea), ${now} + 3600000 from generate_series(1, ${LINKS}) n`);
  await client.query(`insert into link_keys select sha256(('link' || n)::bytea), ${PHOTO_ID(`n * ${EVENTS} / 20 + 1`)}, gen_random_bytes(60)
    from generate_series(1, ${LINKS}) n`);
  await client.query(`insert into audit select 'audit-' || n, ${now} - n * 60000::bigint, 'host', 'host.login', ${EVENT_ID(`n % ${EVENTS - 1} + 1`)}, null, '192.0.2.0'
    from generate_series(1, ${AUDIT}) n`);
}

/**
 * Opens a session without foreign keys and triggers: nothing is deleted, and all referenced rows exist. Fills the table `own` for the event
 * under test.
 */
async function begin(url: string, event: string): Promise<Client> {
  const client = await openSession(url);
  await client.query(`set session_replication_role = replica; set synchronous_commit = off`);
  await client.query(`create extension if not exists pgcrypto`);
  // The descriptions of the event under test can be opened.
  await client.query(`create table own (n integer primary key, id text, device_hash bytea, description bytea)`);
  const { rows } = await client.query<{ key: Buffer; real: string }>(
    `select public_key as key, (select count(*) from photos where event_id = $1) as real from event_keys where event_id = $1`,
    [event],
  );
  const { key: publicKey, real } = rows[0] as { key: Buffer; real: string };
  const guests = Array.from({ length: GUESTS }, () => ({ deviceHash: randomBytes(32), key: randomBytes(32) }));
  for (const { deviceHash, key } of guests) {
    await client.query(`insert into devices values ($1, $2, 0)`, [event, deviceHash]);
    const sealed = vault.sealGuestKey(publicKey, key, { eventId: event, deviceHash });
    await client.query(`insert into guest_keys values ($1, $2, $3)`, [event, deviceHash, sealed]);
  }
  for (let n = Number(real); n < PHOTOS; n++) {
    const id = randomUUID();
    const { deviceHash, key } = guests[n % GUESTS] as (typeof guests)[number];
    const text = { deviceName: `Gast ${n % GUESTS}`, filename: `IMG_${n}.jpg`, takenAt: null };
    const description = vault.sealDescription(key, text, { eventId: event, photoId: id });
    await client.query(`insert into own values ($1, $2, $3, $4)`, [n, id, deviceHash, description]);
  }
  return client;
}

interface Range {
  from: number;
  to: number;
  /** Restricts the range to photos of the event under test, counted by `from` and `to`. */
  only?: boolean;
}

/** Selects the photos' numbers; for the event under test, without the real photos. */
const source = ({ from, to, only = false }: Range): string =>
  only
    ? `(select own.n * ${EVENTS} as n, 0 as e, own.* from own where own.n >= ${from} and own.n < ${to}) s (n, e, k, id, device_hash, description)`
    : `(select at, at % ${EVENTS} as e, own.* from generate_series(${from}, ${to - 1}) at left join own on at % ${EVENTS} = 0 and own.n = at / ${EVENTS}
        where at % ${EVENTS} > 0 or own.n is not null order by at) s (n, e, k, id, device_hash, description)`;

async function insertPhotos(client: Client, event: string, range: Range): Promise<void> {
  const { rows } = await client.query<{ bytes: number }>(`select max(length(description)) as bytes from own`);
  await client.query(`insert into photos (id, event_id, device_hash, description, type, size, width, height, thumbnail_type, thumbnail_size,
      preview_type, preview_size, created_at, slideshow, fingerprint, position)
    select coalesce(id, ${PHOTO_ID('n')}), case when e = 0 then '${event}' else ${EVENT_ID('e')} end,
      coalesce(device_hash, ${DEVICE('e', `(n / ${EVENTS} % ${GUESTS})`)}), coalesce(description, gen_random_bytes(${rows[0]?.bytes})),
      'image/jpeg', 4000000, 4000, 3000, 'image/webp', 20000, 'image/jpeg', 300000,
      ${Date.now() - SPREAD_MS} + n::bigint * ${SPREAD_MS} / ${ROWS}, 1, sha256(('photo' || n)::bytea), n / ${EVENTS} + 1
    from ${source(range)}`);
}

async function insertKeys(client: Client, event: string, range: Range): Promise<void> {
  const { rows } = await client.query<Record<'sealed' | 'wrapped' | 'facts', number>>(
    `select length(sealed_for_event) as sealed, length(wrapped_for_device) as wrapped, length(facts) as facts
      from photo_keys where event_id = '${event}' limit 1`,
  );
  const { sealed, wrapped, facts } = rows[0] as (typeof rows)[number];
  await client.query(`insert into photo_keys (photo_id, event_id, secret_id, sealed_for_event, wrapped_for_device, facts)
    select coalesce(id, ${PHOTO_ID('n')}), case when e = 0 then '${event}' else ${EVENT_ID('e')} end, 1,
      gen_random_bytes(${sealed}), gen_random_bytes(${wrapped}), gen_random_bytes(${facts})
    from ${source(range)}`);
}

/** Sets counters and statistics as in a service that has run for days. */
async function finish(client: Client, event: string): Promise<void> {
  await client.query(`update events set photo_count = ${PHOTOS}, last_position = ${PHOTOS}, used_bytes = ${PHOTOS} * 4000000::bigint,
    device_count = ${GUESTS} + 1 where id = '${event}'`);
  await client.query('drop table own');
  await client.query('vacuum (analyze)');
  await client.end();
}
