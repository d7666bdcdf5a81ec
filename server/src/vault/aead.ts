import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { Tampered } from './contexts.ts';

/** AES-256-GCM and HKDF-SHA-256: all symmetric cryptography that the vault's other files use. */

export const KEY_LENGTH = 32;
export const NONCE_LENGTH = 12;
export const TAG_LENGTH = 16;
const CIPHER = 'aes-256-gcm';
const EMPTY = Buffer.alloc(0);
/** Salt for `derive` if the secret is random. */
export const NO_SALT = EMPTY;
/** First byte of the format of `sealSmall`. */
const VERSION = 1;

/** Encrypts piece by piece: `update` returns each piece's cipher text, `finish` the tag. The nonce must be new for this key. */
export function beginEncryption(key: Bytes, nonce: Bytes, aad: Bytes = EMPTY): { update(piece: Bytes): Buffer; finish(): Buffer } {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(aad);
  return {
    update: (piece) => cipher.update(piece),
    finish() {
      // GCM is a stream cipher: `final` returns no bytes.
      cipher.final();
      return cipher.getAuthTag();
    },
  };
}

/** Returns cipher text and tag, in one buffer. The nonce must be new for this key. */
export function encrypt(key: Bytes, nonce: Bytes, plain: Bytes, aad?: Bytes): Buffer {
  const encryption = beginEncryption(key, nonce, aad);
  return Buffer.concat([encryption.update(plain), encryption.finish()]);
}

/** Decrypts the result of `encrypt`. Throws Tampered. */
export function decrypt(key: Bytes, nonce: Bytes, sealed: Bytes, aad: Bytes = EMPTY): Buffer {
  if (sealed.length < TAG_LENGTH) throw new Tampered('too short for a tag');
  const tagAt = sealed.length - TAG_LENGTH;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_LENGTH }).setAAD(aad).setAuthTag(sealed.subarray(tagAt));
  const plain = decipher.update(sealed.subarray(0, tagAt));
  try {
    decipher.final();
  } catch (cause) {
    throw new Tampered('the tag does not fit', { cause });
  }
  return plain;
}

/** Encrypts to `nonce ‖ cipher text ‖ tag` with a random nonce, for keys that seal few small texts. */
export function encryptRandomly(key: Bytes, plain: Bytes, aad?: Bytes): Buffer {
  const nonce = randomBytes(NONCE_LENGTH);
  return Buffer.concat([nonce, encrypt(key, nonce, plain, aad)]);
}

/** Opens `encryptRandomly`. Throws Tampered. */
export function decryptRandomly(key: Bytes, sealed: Bytes, aad?: Bytes): Buffer {
  if (sealed.length < NONCE_LENGTH) throw new Tampered('too short for a nonce');
  return decrypt(key, sealed.subarray(0, NONCE_LENGTH), sealed.subarray(NONCE_LENGTH), aad);
}

/** Encrypts like `encryptRandomly`, with a byte of version before it: `version ‖ nonce ‖ cipher text ‖ tag`. */
export function sealSmall(key: Bytes, plain: Bytes, aad?: Bytes): Bytes {
  return Buffer.concat([Buffer.from([VERSION]), encryptRandomly(key, plain, aad)]);
}

/** Opens `sealSmall`. Throws Tampered. */
export function openSmall(key: Bytes, sealed: Bytes, aad?: Bytes): Buffer {
  if (sealed[0] !== VERSION) throw new Tampered('unknown version');
  return decryptRandomly(key, sealed.subarray(1), aad);
}

/** Derives a key by HKDF-SHA-256 (RFC 5869). */
export function derive(secret: Bytes | string, salt: Bytes, info: Bytes, length: number = KEY_LENGTH): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
