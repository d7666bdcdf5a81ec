import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import { sql, type ExpressionBuilder, type Kysely } from 'kysely';
import type { PhotoRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Log } from '../../lib/log.ts';
import { openGuestName } from '../photo-keys/photo-keys.ts';
import { Tampered, type Key, type PhotoDescription, type Vault } from '../../vault/vault.ts';

/** Guests' keys kept in memory: those of some large events. */
const KEYS = 2000;

/** The columns of a photo that its description needs. */
export type DescribedRow = Pick<PhotoRow, 'id' | 'event_id' | 'device_hash' | 'description'>;
/** A described photo with its guest's key, sealed to the event; null if the key is lost. */
export type DescribedForEvent = DescribedRow & { sealed_guest_key: Bytes | null };

/** The columns of a photo whose guest the gallery names; `gallery_name` is sealed to the gallery. */
type NamedForGallery = Pick<PhotoRow, 'event_id' | 'device_hash'> & { gallery_name: Bytes | null };

export type SealedMetadata = ReturnType<typeof createSealedMetadata>;

/**
 * Opens the texts that people wrote about photos. A description that does not open is shown as unknown, and logged once for an event: the
 * photo is worth more than its name.
 */
export function createSealedMetadata({ vault, log, keys = KEYS }: { vault: Vault; log: Pick<Log, 'error'>; keys?: number }) {
  /** Guests' keys, the least recently used first. */
  const known = new Map<string, Key>();
  /** Names of guests of galleries, by their sealed form. */
  const names = new Map<string, string>();
  const logged = new Set<string>();

  function open(row: DescribedRow, openKey: () => Bytes): PhotoDescription {
    try {
      return vault.openDescription(openKey(), row.description, { eventId: row.event_id, photoId: row.id });
    } catch (error) {
      if (!(error instanceof Tampered)) throw error;
      if (!logged.has(row.event_id)) log.error({ err: error, photo: row.id }, 'a description of a photo does not open');
      logged.add(row.event_id);
      return { deviceName: ANONYMOUS, filename: 'foto.jpg', takenAt: null };
    }
  }

  function keyOf({ event_id: eventId, device_hash: deviceHash, sealed_guest_key: sealed }: DescribedForEvent, openEventKey: () => Bytes) {
    const name = `${eventId}/${Buffer.from(deviceHash).toString('base64')}`;
    let key = known.get(name);
    if (!key) {
      if (!sealed) throw new Tampered('the key of a guest is missing');
      key = vault.openGuestKey(openEventKey(), sealed, { eventId, deviceHash });
    }
    known.delete(name);
    known.set(name, key);
    if (known.size > keys) known.delete(known.keys().next().value as string);
    return key;
  }

  function forget(eventId: string): void {
    for (const [name, key] of known) {
      if (!name.startsWith(`${eventId}/`)) continue;
      key[Symbol.dispose]();
      known.delete(name);
    }
    for (const entry of names.keys()) if (entry.startsWith(`${eventId}/`)) names.delete(entry);
    logged.delete(eventId);
  }

  return {
    /** Describes photos of one event with its private key, which is opened at most once, and only if a guest's key is not known. */
    byEventKey(openEventKey: () => Bytes): (row: DescribedForEvent) => PhotoDescription {
      let eventKey: Bytes | undefined;
      return (row) => open(row, () => keyOf(row, () => (eventKey ??= openEventKey())));
    },

    /** Returns guests' names with the gallery's private key, for guests of the gallery. */
    byGalleryKey(openKey: () => Bytes): (row: NamedForGallery) => string {
      let key: Bytes | undefined;
      return ({ event_id, device_hash, gallery_name: sealed }) => {
        if (!sealed) return ANONYMOUS;
        const entry = `${event_id}/${Buffer.from(sealed).toString('base64')}`;
        const known = names.get(entry);
        if (known !== undefined) return known;
        const name = openGuestName(vault, (key ??= openKey()), { event_id, device_hash }, sealed);
        names.set(entry, name);
        if (names.size > keys) names.delete(names.keys().next().value as string);
        return name;
      };
    },

    /** Describes photos that the device uploaded to the event. */
    byDevice(deviceId: string, eventId: string): (row: DescribedRow) => PhotoDescription {
      return (row) => {
        using key = vault.guestKey(deviceId, eventId);
        return open(row, () => key);
      };
    },

    /** Forgets the keys of an event's guests. */
    forget,

    /** Forgets the keys of events that any node has purged. */
    async forgetPurged(kysely: Kysely<Database>): Promise<void> {
      const kept = new Set([...known.keys(), ...names.keys()].map((name) => name.split('/')[0] as string));
      if (kept.size === 0) return;
      const events = kysely
        .selectFrom('events')
        .select('id')
        .where('id', 'in', [...kept])
        .where('purging_at', 'is', null);
      for (const id of kept.difference(new Set((await events.execute()).map((row) => row.id)))) forget(id);
    },
  };
}

/** SQL condition for queries on photos before slow work: the event is not being deleted, which takes guests' keys before the photos. */
export const ofKeptEvent = sql<boolean>`not exists (select 1 from events where events.id = photos.event_id and purging_at is not null)`;

/** SQL column for queries on photos: `sealed_guest_key`. */
export function sealedGuestKey(row: ExpressionBuilder<Database, 'photos'>) {
  return row
    .selectFrom('guest_keys')
    .select('guest_keys.sealed_for_event')
    .whereRef('guest_keys.event_id', '=', 'photos.event_id')
    .whereRef('guest_keys.device_hash', '=', 'photos.device_hash')
    .as('sealed_guest_key');
}
