import type { Bytes } from '../lib/bytes.ts';
import { derive, openSmall, sealSmall } from './aead.ts';
import { label } from './labels.ts';
import { asKey, type Key, type PhotoContext, type PhotoDescription } from './contexts.ts';

/**
 * What people wrote about a photo, as JSON under the key of its guest: one key for each device and event, so that a list of
 * photos needs one key agreement for each guest and not for each photo.
 */
/** The text is filled with spaces to a multiple of so many bytes: its length reveals less of the names. */
const BLOCK_BYTES = 64;

/** The key of all descriptions that a device gives to an event's photos. */
export function guestKey(deviceId: string, eventId: string): Key {
  return asKey(derive(deviceId, Buffer.alloc(0), label('guest', eventId)));
}

export function sealDescription(key: Bytes, { deviceName, filename, takenAt }: PhotoDescription, photo: PhotoContext): Bytes {
  const text = Buffer.from(JSON.stringify({ deviceName, filename, takenAt }));
  const plain = Buffer.alloc(Math.ceil(text.length / BLOCK_BYTES) * BLOCK_BYTES, ' ');
  text.copy(plain);
  return sealSmall(key, plain, descriptionLabel(photo));
}

/** Throws Tampered. */
export function openDescription(key: Bytes, sealed: Bytes, photo: PhotoContext): PhotoDescription {
  return JSON.parse(openSmall(key, sealed, descriptionLabel(photo)).toString()) as PhotoDescription;
}

function descriptionLabel({ eventId, photoId }: PhotoContext): Bytes {
  return label('description', eventId, photoId);
}
