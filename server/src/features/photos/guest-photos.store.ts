import { sql, type Kysely } from 'kysely';
import { hasGalleryKeys } from '@feierbild/contract/gallery.ts';
import type { Db, Trx } from '../../database/open.ts';
import { IS_WAITING } from '../../database/photo-states.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Key, Vault } from '../../vault/vault.ts';
import { sealedGuestKey, type DescribedForEvent } from '../sealed-metadata/sealed-metadata.ts';
import { giveKeys, giveNames, newestName, newestSecret, sealGuestName } from '../photo-keys/photo-keys.ts';
import type { Describe } from './sender-names.store.ts';

/** A photo that its viewer can open and describe. */
export interface OpenedPhoto {
  row: DescribedForEvent;
  openKey(): Key;
  describe: Describe;
}
/** A hash that no device has. */
export const NOBODY: Bytes = Buffer.alloc(0);

/** Selects photos with the columns of a list. */
export const shownPhotos = (kysely: Kysely<Database>) =>
  kysely
    .selectFrom('photos')
    .select([
      'photos.id',
      'photos.event_id',
      'photos.device_hash',
      'description',
      'type',
      'size',
      'width',
      'height',
      'duration_ms',
      'codecs',
    ])
    .select(['preview_type', 'created_at', 'slideshow', 'release_state', 'state', 'drawn_by', 'original_attempt'])
    .select(sealedGuestKey);

/** The SQL of the photos that guests of a gallery see, and of the photos that wait for approval. */
export function createGuestPhotoStore({ kysely, prepare }: Pick<Db, 'kysely' | 'prepare'>, vault: Vault) {
  const shown = () => shownPhotos(kysely);

  /** Counts the guests' keys, without those of photos that wait for their release. */
  function countOf(eventId: string) {
    const count = sql<string>`count(*)`.as('photos');
    const keys = kysely.selectFrom('gallery_photo_keys').select(count).where('gallery_photo_keys.event_id', '=', eventId);
    const heldBack = keys.innerJoin('photos', 'photos.id', 'photo_id').where('photos.event_id', '=', eventId).where(IS_WAITING);
    return kysely.selectNoFrom(sql<string>`${keys} - ${heldBack}`.as('photos'));
  }

  const inSlideshow = (eventId: string) =>
    kysely.selectFrom('photos').select('id').where('event_id', '=', eventId).where('slideshow', '=', 1);

  /** Joins the rest to these few ids: for a new event without statistics the planner would join all of its photos first. */
  const seen = (ids: ReturnType<typeof inSlideshow>, device: Bytes) =>
    shown()
      .where('photos.id', 'in', ids)
      .leftJoin('gallery_photo_keys', 'gallery_photo_keys.photo_id', 'photos.id')
      .leftJoin('gallery_guests', (join) =>
        join.onRef('gallery_guests.event_id', '=', 'photos.event_id').onRef('gallery_guests.device_hash', '=', 'photos.device_hash'),
      )
      .leftJoin('hearts', (join) => join.onRef('hearts.photo_id', '=', 'photos.id').on('hearts.device_hash', '=', device))
      .select(['position', 'gallery_guests.name as gallery_name', 'hearts.photo_id as heart', 'gallery_photo_keys.photo_id as key'])
      .orderBy('position');
  const totalOf = prepare(countOf);
  const pageOf = prepare((eventId: string, device: Bytes, after: number, limit: number) =>
    seen(inSlideshow(eventId).where('position', '>', after).orderBy('position').limit(limit), device),
  );

  return {
    /**
     * Gives a photo's key to the guests of the event's gallery, if the gallery has keys now; and its sender's name, unless the photo waits.
     */
    async show(trx: Trx, { row, openKey, describe }: OpenedPhoto, isShown: boolean): Promise<void> {
      const { id: photo_id, event_id, device_hash } = row;
      const event = await trx
        .selectFrom('events')
        .innerJoin('gallery_keys', 'gallery_keys.event_id', 'events.id')
        .select(['gallery_mode', 'gallery_opens_at', 'gallery_revealed_at', 'public_key'])
        .where('events.id', '=', event_id)
        .executeTakeFirst();
      const secret = await newestSecret(trx, event_id);
      if (!event || !secret || !hasGalleryKeys(event)) return;
      const photo = { eventId: event_id, photoId: photo_id };
      using key = openKey();
      const sealed = vault.sealForGallery(event.public_key, key, photo);
      const sealed_for_gallery = vault.coverKey(secret.secret, sealed, { ...photo, holder: 'gallery' });
      await giveKeys(trx, [{ photo_id, event_id, secret_id: secret.id, sealed_for_gallery }]);
      if (!isShown) return;
      const guest = { event_id, device_hash };
      const name = sealGuestName(vault, event.public_key, guest, describe().deviceName);
      await giveNames(trx, [{ ...guest, name }], newestName(photo_id));
    },

    /** Takes a hidden photo's key from guests. */
    async hide(trx: Trx, photo_id: string): Promise<void> {
      await trx.deleteFrom('gallery_photo_keys').where('photo_id', '=', photo_id).execute();
    },

    /**
     * Reads the photos that guests of the gallery see, in the order of positions: those behind `after`, or those in `ids`, with names and
     * the device's own hearts. A photo whose `key` is null has no key yet and stays hidden. `total` counts all photos that guests see.
     */
    async inGallery(eventId: string, device: Bytes | null, which: { after: number; limit: number } | { ids: string[] }) {
      const giver = device ?? NOBODY;
      const page = async () => {
        if (!('ids' in which)) return pageOf(eventId, giver, which.after, which.limit);
        return which.ids.length === 0 ? [] : seen(inSlideshow(eventId).where('id', 'in', which.ids), giver).execute();
      };
      const [[counted], photos] = await Promise.all([totalOf(eventId), page()]);
      return { total: Number(counted?.photos), photos };
    },

    /** Reads the position of the last waiting photo; 0 if none waits. */
    lastWaiting: async (eventId: string): Promise<number> => {
      const last = kysely.selectFrom('photos').select('position').where('event_id', '=', eventId).where(IS_WAITING);
      return (await last.orderBy('position', 'desc').limit(1).executeTakeFirst())?.position ?? 0;
    },
    /**
     * Reads the photos that wait for their release, in the order of positions: those behind `after`, or those in `ids`. `settled`: without
     * those whose original is taking their preview's place.
     */
    async waiting(eventId: string, which: { after: number; limit: number; settled?: boolean } | { ids: string[] }) {
      const waiting = shown().select('position').where('event_id', '=', eventId).where(IS_WAITING).orderBy('position');
      const isReplaced = sql<boolean>`(photos.state = 'received' and drawn_by = 'replaced')`;
      const all = waiting.$if('settled' in which && which.settled === true, (query) => query.where((row) => row.not(isReplaced)));
      if (!('ids' in which)) return all.where('position', '>', which.after).limit(which.limit).execute();
      return which.ids.length === 0 ? [] : all.where('id', 'in', which.ids).execute();
    },
  };
}
export type GuestPhotoStore = ReturnType<typeof createGuestPhotoStore>;
/** A photo as guests of the gallery see it. */
export type GalleryPhoto = Awaited<ReturnType<GuestPhotoStore['inGallery']>>['photos'][number];
