import { timingSafeEqual } from 'node:crypto';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Key, PhotoDescription, Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import { deviceHash } from '../devices/devices.ts';
import type { PhotoStore, PhotoWithKeys } from './photos.store.ts';

/** A photo that the visitor may see. Its key is opened only when bytes are read. */
export interface FoundPhoto {
  row: PhotoWithKeys;
  openKey(): Key;
}
/** One that the visitor may also know by its names. */
export interface DescribedPhoto extends FoundPhoto {
  describe(): PhotoDescription;
}

interface Parts {
  store: PhotoStore;
  vault: Vault;
  descriptions: Descriptions;
}

/** Which photo a visitor may see, and with whose key it is opened. */
export function createPhotoAccess({ store, vault, descriptions }: Parts) {
  /** Throws Refusal photo_not_found. */
  async function mustExist(photoId: string): Promise<PhotoWithKeys> {
    const row = isUuid(photoId) ? await store.withKeys(photoId) : undefined;
    if (!row) throw new Refusal('photo_not_found');
    return row;
  }

  /** With the event's key, where the session is of the photo's event. */
  function byEvent(session: HostVisitor | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (session?.eventId !== row.event_id) return null;
    if (row.demo === 1 && row.sample === 0) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openPhotoKey(session.openEventKey(), row.sealed_for_event, photo),
      describe: () => descriptions.byEventKey(session.openEventKey)(row),
    };
  }

  /** With the device's key, where the device uploaded the photo. */
  function byDevice(deviceId: string | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (deviceId === null || !timingSafeEqual(deviceHash(vault, deviceId, row.event_id), row.device_hash)) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openForDevice(row.wrapped_for_device, deviceId, photo),
      describe: () => descriptions.byDevice(deviceId, row.event_id)(row),
    };
  }

  /** With the projector's key, as long as the slideshow shows it. */
  async function onTheWall({ projector }: Visitor, row: PhotoWithKeys): Promise<FoundPhoto | null> {
    if (!projector || row.slideshow === 0 || !(await store.slideshowSettings(row.event_id))?.shown) return null;
    return byEvent(projector, row);
  }

  const own = ({ host, deviceId }: Visitor, row: PhotoWithKeys): DescribedPhoto | null => byEvent(host, row) ?? byDevice(deviceId, row);

  return {
    mustExist,
    byDevice,

    /** For the host of its event and its own device; Refusal photo_not_found to all others, without any decryption. */
    async find(visitor: Visitor, photoId: string): Promise<DescribedPhoto> {
      const found = own(visitor, await mustExist(photoId));
      if (!found) throw new Refusal('photo_not_found');
      return found;
    },

    /** To look at: the same, and for a locked slideshow as long as it shows the photo; that one is not its `own`. */
    async findShown(visitor: Visitor, photoId: string): Promise<FoundPhoto & { own: boolean }> {
      const row = await mustExist(photoId);
      const mine = own(visitor, row);
      const found = mine ?? (await onTheWall(visitor, row));
      if (!found) throw new Refusal('photo_not_found');
      return { ...found, own: mine !== null };
    },
  };
}
