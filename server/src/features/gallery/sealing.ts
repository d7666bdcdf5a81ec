import { hasGalleryKeys, type GalleryTimes } from '@feierbild/contract/gallery.ts';
import { recordChange } from '../../database/changes.ts';
import { isReferenceViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { remember } from '../../lib/remember.ts';
import { Tampered, type KeyPair } from '../../vault/vault.ts';
import { ofKeptEvent, sealedGuestKey } from '../sealed-metadata/sealed-metadata.ts';
import type { Context } from '../context.ts';
import {
  eventSecret,
  firstName,
  forGuests,
  giveKeys,
  giveNames,
  newestSecret,
  newestSeen,
  sealAccess,
  sealGuestName,
  uncovered,
} from '../photo-keys/photo-keys.ts';

/** Photos or guests that get their keys in one transaction. */
const PIECE = 200;
/** The largest integer of the column. */
const LAST_POSITION = 2 ** 31 - 1;
/** Most restarts after the event's secret was renewed. */
const RENEWALS = 3;
/** Time for which keys are opened and sealed before other requests get a turn. */
const TURN_MS = 10;
/** Most remembered photos with changed keys. */
const CHANGED_PHOTOS = 1000;

const hexOf = ({ device_hash }: { device_hash: Bytes }): string => Buffer.from(device_hash).toString('hex');

/** Marks a promise that is awaited later, so that its failure until then is no unhandled rejection. */
function underway<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

/** Starts a query for those of some photos that are still there. */
const among = (trx: Trx, some: { photo_id: string }[]) =>
  trx
    .selectFrom('photos')
    .select('id')
    .where(
      'id',
      'in',
      some.map(({ photo_id }) => photo_id),
    );

/** Returns what belongs to these photos. */
function only<T extends { photo_id: string }>(some: T[], photos: { id: string }[]): T[] {
  const ids = new Set(photos.map(({ id }) => id));
  return some.filter(({ photo_id }) => ids.has(photo_id));
}

/**
 * Creates the sealing of what guests have not got yet: keys of shown photos, in a new gallery and where photos were left, and the names of
 * their senders.
 */
export function createSealing({ db, vault, sealedMetadata }: Pick<Context, 'db' | 'vault' | 'sealedMetadata'>) {
  const flight = createSingleFlight<void>();
  /** Photos whose changed key this process has found. Their keys no longer open for guests. */
  const changed = new Set<string>();

  const shown = (eventId: string) =>
    db.kysely
      .selectFrom('photos')
      .leftJoin('gallery_photo_keys', 'gallery_photo_keys.photo_id', 'photos.id')
      .where('photos.event_id', '=', eventId)
      .where(forGuests)
      .where('gallery_photo_keys.photo_id', 'is', null);

  /** Reads a piece of the shown or of the waiting photos, the newest first. */
  const withoutKey = (eventId: string, slideshow: number, before: number) =>
    shown(eventId)
      .innerJoin('photo_keys', 'photo_keys.photo_id', 'photos.id')
      .select(['photos.id', 'position', 'sealed_for_event'])
      .select(eventSecret)
      .where(ofKeptEvent)
      .where('slideshow', '=', slideshow)
      .where('position', '<', before)
      .orderBy('position', 'desc')
      .limit(PIECE)
      .execute();

  /**
   * Returns the event if this pair is still its gallery's. Locks its row until the transaction ends, so that no photo is hidden meanwhile.
   */
  async function held(trx: Trx, eventId: string, { publicKey }: KeyPair): Promise<GalleryTimes | undefined> {
    const event = await trx
      .selectFrom('events')
      .select(['gallery_mode', 'gallery_opens_at', 'gallery_revealed_at'])
      .where('id', '=', eventId)
      .where('purging_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    const keys = trx.selectFrom('gallery_keys').select('event_id').where('event_id', '=', eventId).where('public_key', '=', publicKey);
    return event && (await keys.executeTakeFirst()) && event;
  }

  type Piece = Awaited<ReturnType<typeof withoutKey>>;
  type Sealed = Database['gallery_photo_keys'][];

  /** Seals the keys of some photos; null if the event has no secret any more. */
  async function sealPiece(eventId: string, rows: Piece, eventKey: Bytes, { publicKey }: KeyPair): Promise<Sealed | null> {
    const takeTurns = yieldEvery(TURN_MS);
    const secret = await newestSecret(db.kysely, eventId);
    if (!secret) return null;
    const keys: Sealed = [];
    for (const row of rows) {
      await takeTurns();
      const photo = { eventId, photoId: row.id };
      try {
        using key = vault.openPhotoKey(eventKey, uncovered(vault, row, photo).sealed_for_event, photo);
        const opened = vault.sealForGallery(publicKey, key, photo);
        const sealed_for_gallery = vault.coverKey(secret.secret, opened, { ...photo, holder: 'gallery' });
        keys.push({ photo_id: row.id, event_id: eventId, secret_id: secret.id, sealed_for_gallery });
      } catch (error) {
        // A photo with a changed key stays out; the host's own view reports it.
        if (!(error instanceof Tampered)) throw error;
        remember(changed, row.id, CHANGED_PHOTOS);
      }
    }
    return keys;
  }

  /** Stores sealed keys; false if the gallery needs no further ones. */
  const givePiece = (eventId: string, sealed: Sealed, pair: KeyPair): Promise<boolean> =>
    db.transaction(async (trx) => {
      const event = await held(trx, eventId, pair);
      if (!event || !hasGalleryKeys(event)) return false;
      if (sealed.length > 0) await giveKeys(trx, only(sealed, await among(trx, sealed).where(forGuests).execute()));
      return true;
    });

  /** Reads senders without a name, each with the newest photo that guests see. */
  const withoutName = (eventId: string) =>
    db.kysely
      .selectFrom('devices')
      .leftJoin('gallery_guests', (join) =>
        join.onRef('gallery_guests.event_id', '=', 'devices.event_id').onRef('gallery_guests.device_hash', '=', 'devices.device_hash'),
      )
      .innerJoin('photos', (join) => join.on('photos.id', '=', newestSeen('devices')))
      .select(['photos.id', 'photos.event_id', 'photos.device_hash', 'photos.description'])
      .select(sealedGuestKey)
      .where('devices.event_id', '=', eventId)
      .where('gallery_guests.name', 'is', null)
      .where(ofKeptEvent)
      .limit(PIECE)
      .execute();

  /** Seals the names of guests of whom others see photos, but no name; returns their number. */
  async function sealNames(eventId: string, eventKey: Bytes, pair: KeyPair): Promise<number> {
    const takeTurns = yieldEvery(TURN_MS);
    const describe = sealedMetadata.byEventKey(() => eventKey);
    for (let count = 0; ;) {
      const names: { photo_id: string; guest: { event_id: string; device_hash: Bytes; name: Bytes } }[] = [];
      for (const row of await withoutName(eventId)) {
        await takeTurns();
        const guest = { event_id: eventId, device_hash: row.device_hash };
        const name = sealGuestName(vault, pair.publicKey, guest, describe(row).deviceName);
        names.push({ photo_id: row.id, guest: { ...guest, name } });
      }
      if (names.length === 0) return count;
      const given = await db.transaction(async (trx) => {
        const event = await held(trx, eventId, pair);
        if (!event || !hasGalleryKeys(event)) return null;
        // The name of a photo that was hidden meanwhile, or of a guest who was erased, must not be stored.
        const still = only(names, await among(trx, names).where('slideshow', '=', 1).execute());
        await giveNames(
          trx,
          still.map(({ guest }) => guest),
          firstName,
        );
        return still.length;
      });
      if (given === null) return count;
      count += given;
    }
  }

  /**
   * Seals all shown, or all waiting, photos; true once each was tried. While one piece is sealed, the database reads the next and writes the
   * previous one.
   */
  async function sealAll(
    eventId: string,
    slideshow: number,
    eventKey: Bytes,
    keys: KeyPair,
    count: (photos: number) => void,
  ): Promise<boolean> {
    const read = (before: number) => underway(withoutKey(eventId, slideshow, before));
    let reading = read(LAST_POSITION);
    let giving = Promise.resolve(true);
    try {
      for (let rows = await reading; rows.length > 0; rows = await reading) {
        reading = read(rows.at(-1)?.position ?? 0);
        const sealed = await sealPiece(eventId, rows, eventKey, keys);
        if (!(await giving) || !sealed) return false;
        giving = underway(givePiece(eventId, sealed, keys));
        count(rows.length);
      }
      return await giving;
    } finally {
      await Promise.allSettled([reading, giving]);
    }
  }

  async function sealPhotos(eventId: string, eventKey: Bytes, keys: KeyPair): Promise<void> {
    let sealed = 0;
    const count = (photos: number): void => void (sealed += photos);
    for (let renewals = 0; ;) {
      try {
        // Somebody looks at the shown photos.
        for (const slideshow of [1, 0]) if (!(await sealAll(eventId, slideshow, eventKey, keys, count))) return;
        break;
      } catch (error) {
        // The event's secret was renewed meanwhile; the next round skips photos that have their keys.
        renewals += 1;
        if (renewals > RENEWALS || !isReferenceViolation(error)) throw error;
      }
    }
    sealed += await sealNames(eventId, eventKey, keys);
    if (sealed > 0) await db.transaction((trx) => recordChange(trx, eventId, 'event'));
  }

  /** Seals the gallery's key for devices that sent photos, which enter it without its link. */
  async function sealDevices(eventId: string, keys: KeyPair): Promise<void> {
    const takeTurns = yieldEvery(TURN_MS);
    for (;;) {
      const rows = await db.kysely
        .selectFrom('devices')
        .leftJoin('gallery_guests', (join) =>
          join.onRef('gallery_guests.event_id', '=', 'devices.event_id').onRef('gallery_guests.device_hash', '=', 'devices.device_hash'),
        )
        .select(['devices.device_hash', 'devices.public_key'])
        .where('devices.event_id', '=', eventId)
        .where('devices.public_key', 'is not', null)
        .where('access', 'is', null)
        .limit(PIECE)
        .execute();
      if (rows.length === 0) return;
      const values: { event_id: string; device_hash: Bytes; access: Bytes }[] = [];
      for (const { device_hash, public_key } of rows) {
        await takeTurns();
        const guest = { event_id: eventId, device_hash };
        values.push({ ...guest, access: sealAccess(vault, public_key as Bytes, guest, keys.privateKey) });
      }
      const isDone = await db.transaction(async (trx) => {
        if (!(await held(trx, eventId, keys))) return true;
        const hashes = values.map(({ device_hash }) => device_hash);
        const devices = trx.selectFrom('devices').select('device_hash').where('event_id', '=', eventId);
        const still = new Set((await devices.where('device_hash', 'in', hashes).execute()).map(hexOf));
        if (still.size === 0) return false;
        await trx
          .insertInto('gallery_guests')
          .values(values.filter((guest) => still.has(hexOf(guest))))
          .onConflict((conflict) =>
            conflict.columns(['event_id', 'device_hash']).doUpdateSet((row) => ({ access: row.ref('excluded.access') })),
          )
          .execute();
        return false;
      });
      if (isDone) return;
    }
  }

  return {
    /** Seals everything that is left. Concurrent calls for the same pair share one run. */
    catchUp: (eventId: string, openEventKey: () => Bytes, keys: KeyPair): Promise<void> =>
      flight.run(`${eventId} ${Buffer.from(keys.publicKey).toString('hex')}`, async () => {
        await sealPhotos(eventId, openEventKey(), keys);
        await sealDevices(eventId, keys);
      }),

    /** Counts shown photos for which guests still need a key. */
    async pending(eventId: string): Promise<number> {
      const counted = shown(eventId)
        .$if(changed.size > 0, (query) => query.where('photos.id', 'not in', [...changed]))
        .select((row) => row.fn.countAll<string>().as('photos'));
      return Number((await counted.executeTakeFirstOrThrow()).photos);
    },
  };
}
