import type { Bytes } from '../lib/bytes.ts';
import { derive, openSmall, sealSmall } from './aead.ts';
import { label } from './labels.ts';
import { Tampered, type PhotoContext, type PhotoFacts } from './contexts.ts';

/** SHA-256 and CRC-32 of an original, sealed under its photo's key: plain, they would confirm a known picture. */
const SHA256_LENGTH = 32;
const PLAIN_LENGTH = SHA256_LENGTH + 4;

export function sealFacts(photoKey: Bytes, { sha256, crc32 }: PhotoFacts, photo: PhotoContext): Bytes {
  const plain = Buffer.alloc(PLAIN_LENGTH);
  if (sha256.length !== SHA256_LENGTH) throw new RangeError('a SHA-256 has 32 bytes');
  plain.set(sha256);
  plain.writeUInt32BE(crc32, SHA256_LENGTH);
  return sealSmall(factsKey(photoKey, photo), plain);
}

/** Throws Tampered. */
export function openFacts(photoKey: Bytes, sealed: Bytes, photo: PhotoContext): PhotoFacts {
  const plain = openSmall(factsKey(photoKey, photo), sealed);
  if (plain.length !== PLAIN_LENGTH) throw new Tampered('facts of a wrong length');
  return { sha256: plain.subarray(0, SHA256_LENGTH), crc32: plain.readUInt32BE(SHA256_LENGTH) };
}

function factsKey(photoKey: Bytes, { eventId, photoId }: PhotoContext): Bytes {
  return derive(photoKey, Buffer.alloc(0), label('facts', eventId, photoId));
}
