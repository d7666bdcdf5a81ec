import { MINUTE } from '@feierbild/contract/constants.ts';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { PhotoRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { CoveredKey, Vault } from '../../vault/vault.ts';

/** SQL column for queries on `photo_keys`: the secret under which the photo's keys are covered. */
export const eventSecret = sql<Bytes>`(select secret from event_secrets
  where event_secrets.event_id = photo_keys.event_id and event_secrets.id = photo_keys.secret_id)`.as('secret');
/** SQL column for queries on `gallery_photo_keys`: the secret under which the guests' key is covered. */
export const gallerySecret = sql<Bytes | null>`(select secret from event_secrets
  where event_secrets.event_id = gallery_photo_keys.event_id and event_secrets.id = gallery_photo_keys.secret_id)`.as('gallery_secret');

/**
 * Tells whether a photo has a key sealed to the guests' gallery. A photo gets that key before a reveal or a time limit shows it, since
 * nobody may be there then to seal it. Until then photos/access.ts holds the photo back.
 */
export const isForGuests = ({ slideshow, release_at }: Pick<PhotoRow, 'slideshow' | 'release_at'>): boolean =>
  slideshow === 1 || release_at !== null;
/** `isForGuests` in SQL. */
export const forGuests = sql<boolean>`(photos.slideshow = 1 or photos.release_at is not null)`;

/** Returns when a photo that waits from `since` on is shown without a decision; null: never. */
export const approvalDueAt = (minutes: number | null, since: number): number | null => (minutes === null ? null : since + minutes * MINUTE);

/** Lets photos that are shown without a decision wait their events' minutes from `now` on. */
export const waitAnew = (kysely: Kysely<Database>, now: number) =>
  kysely
    .updateTable('photos')
    .from('events')
    .set({ release_at: sql`cast(${now} as bigint) + events.release_minutes * ${sql.lit(MINUTE)}` })
    .whereRef('events.id', '=', 'photos.event_id')
    .where('release_at', 'is not', null);

/** The wrapped keys of a photo that a query has read, and the secret that covers them. */
interface Covered {
  secret: Bytes | null;
  sealed_for_event?: Bytes | null;
  wrapped_for_device?: Bytes | null;
}

/** Removes the cover of one key; without a secret the key has none. Throws Tampered. */
export const uncoveredKey = (vault: Pick<Vault, 'uncoverKey'>, secret: Bytes | null, key: Bytes, of: CoveredKey): Bytes =>
  secret ? vault.uncoverKey(secret, key, of) : key;

/** Removes the covers of the keys in a row. Throws Tampered. */
export function uncovered<R extends Covered>(vault: Pick<Vault, 'uncoverKey'>, row: R, photo: { eventId: string; photoId: string }): R {
  const { secret, sealed_for_event, wrapped_for_device } = row;
  return {
    ...row,
    ...(sealed_for_event && { sealed_for_event: uncoveredKey(vault, secret, sealed_for_event, { ...photo, holder: 'event' }) }),
    ...(wrapped_for_device && { wrapped_for_device: uncoveredKey(vault, secret, wrapped_for_device, { ...photo, holder: 'device' }) }),
  };
}

type WrappedKeys = Pick<Database['photo_keys'], 'sealed_for_event' | 'wrapped_for_device'>;

/** Covers both keys of a photo. */
export function covered(
  vault: Pick<Vault, 'coverKey'>,
  secret: Bytes,
  { sealed_for_event, wrapped_for_device }: WrappedKeys,
  photo: { eventId: string; photoId: string },
): WrappedKeys {
  return {
    sealed_for_event: vault.coverKey(secret, sealed_for_event, { ...photo, holder: 'event' }),
    wrapped_for_device: vault.coverKey(secret, wrapped_for_device, { ...photo, holder: 'device' }),
  };
}

/** Reads the event's newest secret, for new photos; undefined if the event has none any more. */
export const newestSecret = (kysely: Kysely<Database>, eventId: string) =>
  kysely
    .selectFrom('event_secrets')
    .select(['id', 'secret', 'renew_at'])
    .where('event_id', '=', eventId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** A guest whose name or access is sealed, as the additional data names it (docs/vault-format.md). */
interface Guest {
  event_id: string;
  device_hash: Bytes;
}

/** Keeps the name under which guests see a sender, if there is one. */
export const firstName = sql<Bytes>`coalesce(gallery_guests.name, excluded.name)`;
/** Takes the name of the photo `photoId`, unless guests see a newer photo of the sender. */
export const newestName = (photoId: string) => sql<Bytes>`case when gallery_guests.name is not null and exists (
  select 1 from photos as shown where shown.event_id = gallery_guests.event_id and shown.device_hash = gallery_guests.device_hash
  and shown.slideshow = 1 and shown.position > (select position from photos where id = ${photoId})) then gallery_guests.name
  else excluded.name end`;

/**
 * SQL of the id of the newest photo that guests see of a sender, who is a row of `table`; null if they see none. The sum keeps PostgreSQL
 * from walking through all photos of the event in their order.
 */
export const newestSeen = (table: 'devices' | 'gallery_guests') => sql<string | null>`(select seen.id from photos as seen
  join gallery_photo_keys on gallery_photo_keys.photo_id = seen.id where seen.event_id = ${sql.ref(`${table}.event_id`)}
  and seen.device_hash = ${sql.ref(`${table}.device_hash`)} and seen.slideshow = 1 order by seen.position + 0 desc limit 1)`;

/** Gives guests the keys of photos. */
export async function giveKeys(trx: Kysely<Database>, keys: Database['gallery_photo_keys'][]): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .insertInto('gallery_photo_keys')
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Gives guests the names of senders; `name` chooses between a sender's present name and the new one. */
export async function giveNames(trx: Kysely<Database>, names: (Guest & { name: Bytes })[], name: RawBuilder<Bytes>): Promise<void> {
  if (names.length === 0) return;
  await trx
    .insertInto('gallery_guests')
    .values(names)
    .onConflict((conflict) => conflict.columns(['event_id', 'device_hash']).doUpdateSet({ name }))
    .execute();
}

/** Takes the names of an event's senders of whose photos guests have no key any more. */
export async function takeNames(trx: Kysely<Database>, eventId: string): Promise<void> {
  const kept = sql`select 1 from photos join gallery_photo_keys on photo_id = photos.id where photos.event_id = gallery_guests.event_id
    and photos.device_hash = gallery_guests.device_hash`;
  await trx
    .updateTable('gallery_guests')
    .set({ name: null })
    .where('event_id', '=', eventId)
    .where('name', 'is not', null)
    .where(sql<boolean>`not exists (${kept})`)
    .execute();
}

const infoOf = (what: 'name' | 'access', { event_id, device_hash }: Guest): string =>
  `feierbild gallery ${what} ${event_id} ${Buffer.from(device_hash).toString('hex')}`;
const keyInfo = (eventId: string): string => `feierbild gallery key ${eventId}`;

/** Seals a guest's name to the gallery's public key. */
export const sealGuestName = (vault: Vault, galleryKey: Bytes, guest: Guest, name: string): Bytes =>
  vault.seal(galleryKey, Buffer.from(name), infoOf('name', guest));
export const openGuestName = (vault: Vault, galleryPrivateKey: Bytes, guest: Guest, sealed: Bytes): string =>
  Buffer.from(vault.open(galleryPrivateKey, sealed, infoOf('name', guest))).toString();

/** Seals the gallery's private key to a device's public key. */
export const sealAccess = (vault: Vault, deviceKey: Bytes, guest: Guest, galleryPrivateKey: Bytes): Bytes =>
  vault.seal(deviceKey, galleryPrivateKey, infoOf('access', guest));
export const openAccess = (vault: Vault, devicePrivateKey: Bytes, guest: Guest, sealed: Bytes): Bytes =>
  vault.open(devicePrivateKey, sealed, infoOf('access', guest));

/** Seals the gallery's private key to the event's public key. */
export const sealGalleryKey = (vault: Vault, eventKey: Bytes, eventId: string, galleryPrivateKey: Bytes): Bytes =>
  vault.seal(eventKey, galleryPrivateKey, keyInfo(eventId));
/** Throws Tampered, also if the private key does not belong to the public key of the row. */
export const openGalleryKey = (
  vault: Vault,
  eventPrivateKey: Bytes,
  eventId: string,
  row: { public_key: Bytes; sealed_for_event: Bytes },
): Bytes => vault.provePrivateKey(vault.open(eventPrivateKey, row.sealed_for_event, keyInfo(eventId)), row.public_key);
