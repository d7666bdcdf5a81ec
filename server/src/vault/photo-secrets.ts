import type { Bytes } from '../lib/bytes.ts';
import { derive, NO_SALT, openSmall, sealSmall } from './aead.ts';
import { asKey, Tampered, type CoveredKey, type Key, type PhotoContext, type PhotoDescription, type PhotoDigest } from './contexts.ts';
import { label, photoLabel } from './labels.ts';

/** The sealed digest and description of a photo, stored beside its blobs. All openers throw Tampered. */

const SHA256_LENGTH = 32;
const DIGEST_LENGTH = SHA256_LENGTH + 4;
/** A description is padded with spaces to a multiple of this: its length reveals less about the names. */
const BLOCK_BYTES = 64;

/** Encrypts a wrapped key of a photo once more, under a secret of its event: without that secret none of the keys opens. */
export function coverKey(secret: Bytes, wrapped: Bytes, of: CoveredKey): Bytes {
  return sealSmall(coverOf(secret, of), wrapped, coverLabel(of));
}

export function uncoverKey(secret: Bytes, covered: Bytes, of: CoveredKey): Bytes {
  return openSmall(coverOf(secret, of), covered, coverLabel(of));
}

function coverOf(secret: Bytes, { eventId }: CoveredKey): Bytes {
  return derive(secret, NO_SALT, label('cover', eventId));
}

function coverLabel({ eventId, photoId, holder }: CoveredKey): Bytes {
  return label('covered-key', eventId, photoId, holder);
}

/** Seals SHA-256 and CRC-32 of an original under its photo's key: in plain they would confirm a known picture. */
export function sealDigest(photoKey: Bytes, { sha256, crc32 }: PhotoDigest, photo: PhotoContext): Bytes {
  const plain = Buffer.alloc(DIGEST_LENGTH);
  if (sha256.length !== SHA256_LENGTH) throw new RangeError('a SHA-256 has 32 bytes');
  plain.set(sha256);
  plain.writeUInt32BE(crc32, SHA256_LENGTH);
  return sealSmall(digestKey(photoKey, photo), plain);
}

export function openDigest(photoKey: Bytes, sealed: Bytes, photo: PhotoContext): PhotoDigest {
  const plain = openSmall(digestKey(photoKey, photo), sealed);
  if (plain.length !== DIGEST_LENGTH) throw new Tampered('facts of a wrong length');
  return { sha256: plain.subarray(0, SHA256_LENGTH), crc32: plain.readUInt32BE(SHA256_LENGTH) };
}

function digestKey(photoKey: Bytes, photo: PhotoContext): Bytes {
  return derive(photoKey, NO_SALT, photoLabel('facts', photo));
}

/**
 * Derives the key of all descriptions that a device gives to an event's photos. It is one for each device and event, so that a list of
 * photos needs one key agreement for each guest, not for each photo.
 */
export function guestKey(deviceId: string, eventId: string): Key {
  return asKey(derive(deviceId, NO_SALT, label('guest', eventId)));
}

/** Derives the private key of a device within an event. */
export function deviceSeed(deviceId: string, eventId: string): Bytes {
  return derive(deviceId, NO_SALT, label('device-pair', eventId));
}

/** Seals a photo's description as JSON under its guest's key. */
export function sealDescription(key: Bytes, { deviceName, filename, takenAt }: PhotoDescription, photo: PhotoContext): Bytes {
  const text = Buffer.from(JSON.stringify({ deviceName, filename, takenAt }));
  const plain = Buffer.alloc(Math.ceil(text.length / BLOCK_BYTES) * BLOCK_BYTES, ' ');
  text.copy(plain);
  return sealSmall(key, plain, photoLabel('description', photo));
}

export function openDescription(key: Bytes, sealed: Bytes, photo: PhotoContext): PhotoDescription {
  return JSON.parse(openSmall(key, sealed, photoLabel('description', photo)).toString()) as PhotoDescription;
}
