import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import type { ListedPhoto } from './archive.store.ts';
import type { ManifestEntry } from './manifest.ts';
import { createZipNames } from './zip-names.ts';
import { zipTime } from './zip-time.ts';

/** Returns a function that makes a photo the next entry of one ZIP, with a unique name. Throws Tampered. */
export function createEntries(
  vault: Pick<Vault, 'openPhotoKey' | 'openFacts'>,
  { eventId, title, eventKey }: { eventId: string; title: string; eventKey: Bytes },
): (photo: ListedPhoto) => ManifestEntry {
  const nameOf = createZipNames(title);
  return (photo) => {
    const context = { eventId, photoId: photo.id };
    const key = vault.openPhotoKey(eventKey, photo.sealed_for_event, context);
    const { crc32 } = vault.openFacts(key, photo.facts, context);
    key.fill(0);
    const { filename, type, device_name: deviceName, created_at: receivedAt } = photo;
    const name = nameOf({ filename, type, deviceName, receivedAt });
    return { photoId: photo.id, name, size: photo.size, crc32, time: zipTime(photo.taken_at, receivedAt) };
  };
}
