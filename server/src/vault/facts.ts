import type { Bytes } from '../lib/bytes.ts';
import { decryptRandomly, derive, encryptRandomly } from './aead.ts';
import { label } from './labels.ts';
import { Tampered, type PhotoContext, type PhotoFacts } from './vault.ts';

/** SHA-256 and CRC-32 of an original, sealed under its photo's key: plain, they would confirm a known picture. */
const VERSION = 1;
const SHA256_LENGTH = 32;
const PLAIN_LENGTH = SHA256_LENGTH + 4;

export function sealFacts(photoKey: Bytes, { sha256, crc32 }: PhotoFacts, photo: PhotoContext): Bytes {
  const plain = Buffer.alloc(PLAIN_LENGTH);
  if (sha256.length !== SHA256_LENGTH) throw new RangeError('a SHA-256 has 32 bytes');
  plain.set(sha256);
  plain.writeUInt32BE(crc32, SHA256_LENGTH);
  return Buffer.concat([Buffer.from([VERSION]), encryptRandomly(factsKey(photoKey, photo), plain)]);
}

/** Throws Tampered. */
export function openFacts(photoKey: Bytes, sealed: Bytes, photo: PhotoContext): PhotoFacts {
  if (sealed[0] !== VERSION) throw new Tampered('unknown version of facts');
  const plain = decryptRandomly(factsKey(photoKey, photo), sealed.subarray(1));
  if (plain.length !== PLAIN_LENGTH) throw new Tampered('facts of a wrong length');
  return { sha256: plain.subarray(0, SHA256_LENGTH), crc32: plain.readUInt32BE(SHA256_LENGTH) };
}

function factsKey(photoKey: Bytes, { eventId, photoId }: PhotoContext): Bytes {
  return derive(photoKey, Buffer.alloc(0), label('facts', eventId, photoId));
}
