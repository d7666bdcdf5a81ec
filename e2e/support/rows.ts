import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { createQuickVault } from '../../server/src/vault/testing/quick-vault.ts';

const vault = createQuickVault();
/** Sizes of phones' photos in pixels: portrait, landscape, square, wide. */
const SHAPES = [
  [3024, 4032],
  [4032, 3024],
  [3024, 3024],
  [4000, 2250],
] as const;

interface Inserted {
  keys?: boolean;
  /** Time of the first photo's receipt, ms since 1970; default: now. */
  start?: number;
}

/**
 * Writes rows of photos by forty guests into the database of a server on SQLite, as uploads write them, over three days from `start` on.
 * They have no blobs, so only lists can be read; guests' lists need photos with `keys`.
 */
export function insertPhotos(file: string, eventId: string, count: number, { keys = false, start = Date.now() }: Inserted = {}): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN IMMEDIATE');
  const insert = db.prepare(
    `insert into photos (id, event_id, device_hash, description, type, size, width, height, thumbnail_type, thumbnail_size,
      created_at, slideshow, fingerprint, position)
      values (?, ?, ?, ?, 'image/jpeg', 4000000, ?, ?, 'image/jpeg', 20000, ?, 1, ?, ?)`,
  );
  const insertKey = db.prepare(
    `insert into photo_keys (photo_id, event_id, secret_id, sealed_for_event, wrapped_for_device, facts) values (?, ?, ?, ?, ?, ?)`,
  );
  const publicKey = publicKeyOf(db, eventId);
  const newest = db.prepare('select id, secret from event_secrets where event_id = ? order by id desc limit 1').get(eventId) as {
    id: number;
    secret: Uint8Array;
  };
  const guests = insertGuests(db, eventId, publicKey);
  const { last } = db.prepare('select last_position as last from events where id = ?').get(eventId) as { last: number };
  for (let n = 0; n < count; n++) {
    const [width, height] = SHAPES[(n * 7) % SHAPES.length] as (typeof SHAPES)[number];
    const at = start + Math.floor((n / count) * 72 * HOUR);
    const { deviceHash, key, deviceName } = guests[n % guests.length] as (typeof guests)[number];
    const photoId = randomUUID();
    const description = vault.sealDescription(key, { deviceName, filename: `IMG_${n}.jpg`, takenAt: null }, { eventId, photoId });
    insert.run(photoId, eventId, deviceHash, description, width, height, at, randomBytes(32), last + n + 1);
    if (!keys) continue;
    const photo = { eventId, photoId };
    const sealed = vault.coverKey(newest.secret, vault.sealPhotoKey(publicKey, randomBytes(32), photo), { ...photo, holder: 'event' });
    insertKey.run(photoId, eventId, newest.id, sealed, randomBytes(1), randomBytes(1));
  }
  db.prepare('update events set photo_count = photo_count + ?, last_position = last_position + ? where id = ?').run(count, count, eventId);
  db.exec('COMMIT');
  db.close();
}

function publicKeyOf(db: DatabaseSync, eventId: string): Uint8Array {
  const { publicKey } = db.prepare('select public_key as publicKey from event_keys where event_id = ?').get(eventId) as {
    publicKey: Uint8Array;
  };
  return publicKey;
}

/** Writes devices and keys of forty guests, called `Gast 0` to `Gast 39`. */
function insertGuests(db: DatabaseSync, eventId: string, publicKey: Uint8Array): { deviceHash: Buffer; key: Buffer; deviceName: string }[] {
  const insert = db.prepare('insert into guest_keys (event_id, device_hash, sealed_for_event) values (?, ?, ?)');
  const insertDevice = db.prepare('insert into devices (event_id, device_hash, first_seen_at) values (?, ?, 0)');
  return Array.from({ length: 40 }, (_, n) => {
    const [deviceHash, key] = [randomBytes(32), randomBytes(32)];
    insertDevice.run(eventId, deviceHash);
    insert.run(eventId, deviceHash, vault.sealGuestKey(publicKey, key, { eventId, deviceHash }));
    return { deviceHash, key, deviceName: `Gast ${n}` };
  });
}

/**
 * Writes rows of events into the database of a server on SQLite: from `Fest 000` on, one a day from 2020-01-01, with growing storage. Of
 * each ten, the first is purged and the second always active. They have no keys, so only the administration's list can be read.
 */
export function insertEvents(file: string, count: number): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
  const columns = `id, code, title, subtitle, start_date, end_date, is_active, with_nsfw_check, with_random_slideshow, with_fotobox,
    with_user_upload, with_slideshow, with_videos, with_upload_password, used_bytes, photo_count, created_at, purging_at, purged_at`;
  const insert = db.prepare(`insert into events (${columns}) values (?, ?, ?, '', ?, ?, ?, 0, 0, 0, 1, 1, 0, 0, ?, ?, ?, ?, ?)`);
  for (let n = 0; n < count; n++) {
    const number = String(n).padStart(3, '0');
    const day = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
    const code = `TEST${[...number].map((digit) => 'ABCDEFGHJK'[Number(digit)]).join('')}Z`;
    const purged = n % 10 === 0 ? Date.UTC(2026, 0, 1) : null;
    insert.run(randomUUID(), code, `Fest ${number}`, day, day, n % 10 === 1 ? 1 : 0, n * 10_000_000, n, Date.now() + n, purged, purged);
  }
  db.exec('COMMIT');
  db.close();
}

/** Writes entries of the outbox that failed, one a minute until now, into the database of a server on SQLite. */
export function insertFailures(file: string, lane: string, count: number): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
  const insert = db.prepare(
    `insert into outbox (id, kind, lane, topic, payload, created_at, due_at, attempts, held_until, state, answer, answered_at)
      values (?, 'webhook', ?, 'event.created', '{}', ?, ?, 6, 0, 'failed', '503', ?)`,
  );
  for (let n = 0; n < count; n++) {
    const at = Date.now() - n * MINUTE;
    insert.run(randomUUID(), lane, at, at, at);
  }
  db.exec('COMMIT');
  db.close();
}
