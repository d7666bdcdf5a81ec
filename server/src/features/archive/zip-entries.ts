import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import type { ListedPhoto } from './archive.store.ts';
import type { ManifestEntry } from './manifest.ts';
import { createZipNames } from './zip-names.ts';
import { zipTime } from './zip-time.ts';

/** Returns a function that makes a photo the next entry of one ZIP, with a unique name. Throws Tampered. */
export function createEntries(
  { vault, descriptions }: { vault: Pick<Vault, 'openPhotoKey' | 'openFacts'>; descriptions: Pick<Descriptions, 'byEventKey'> },
  { eventId, title, eventKey }: { eventId: string; title: string; eventKey: Bytes },
): (photo: ListedPhoto) => ManifestEntry {
  const nameOf = createZipNames(title);
  const describe = descriptions.byEventKey(() => eventKey);
  return (photo) => {
    const context = { eventId, photoId: photo.id };
    using key = vault.openPhotoKey(eventKey, photo.sealed_for_event, context);
    const { crc32 } = vault.openFacts(key, photo.facts, context);
    const { type, created_at: receivedAt } = photo;
    const { filename, deviceName, takenAt } = describe(photo);
    const name = nameOf({ filename, type, deviceName, receivedAt });
    return { photoId: photo.id, name, size: photo.size, crc32, time: zipTime(takenAt, receivedAt) };
  };
}
