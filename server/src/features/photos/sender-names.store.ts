import type { Selectable } from 'kysely';
import { recordChange } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { PhotoDescription, Vault } from '../../vault/vault.ts';
import { isForGuests, newestSeen, sealGuestName } from '../photo-keys/photo-keys.ts';
import { sealedGuestKey, type DescribedForEvent } from '../sealed-metadata/sealed-metadata.ts';

/** Describes a photo with the key of the viewer who found it, or with `other` another photo of the same sender. */
export type Describe = (other?: DescribedForEvent) => PhotoDescription;

/** A photo as it was before guests lost it. */
export type LostPhoto = Pick<Selectable<Database['photos']>, 'event_id' | 'device_hash' | 'position' | 'slideshow' | 'release_at'>;

/**
 * Gives the sender of a photo that guests have lost the name of the newest photo that they see; none if they see no other, or nobody is
 * there to `describe` it. The former name may be that of the lost photo. The caller has locked the event.
 */
export async function renameSender(trx: Trx, vault: Vault, lost: LostPhoto, describe: Describe | null): Promise<void> {
  if (!isForGuests(lost)) return;
  const guest = { event_id: lost.event_id, device_hash: lost.device_hash };
  const sender = await trx
    .selectFrom('gallery_guests')
    .innerJoin('gallery_keys', 'gallery_keys.event_id', 'gallery_guests.event_id')
    .select(['public_key', newestSeen('gallery_guests').as('newest')])
    .where('gallery_guests.event_id', '=', guest.event_id)
    .where('device_hash', '=', guest.device_hash)
    .where('name', 'is not', null)
    .executeTakeFirst();
  if (!sender) return;
  const photos = trx.selectFrom('photos').select(['id', 'event_id', 'device_hash', 'description', 'position']).select(sealedGuestKey);
  const newest = await photos.where('id', '=', sender.newest).executeTakeFirst();
  // A photo that waits has given its name only if it is older than all that guests see of its sender.
  if (lost.slideshow === 0 && newest && newest.position < lost.position) return;
  const name = newest && describe?.(newest).deviceName;
  if (name !== undefined && name === describe?.().deviceName) return;
  await trx
    .updateTable('gallery_guests')
    .set({ name: name === undefined ? null : sealGuestName(vault, sender.public_key, guest, name) })
    .where('event_id', '=', guest.event_id)
    .where('device_hash', '=', guest.device_hash)
    .execute();
  // Open pages read only photos that have changed themselves.
  if (newest) await recordChange(trx, guest.event_id, 'event');
}
