import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';

/** Ed25519 (RFC 8032) signatures that others verify. A seed may be any 32 random bytes. */

const KEY_TYPE = 'ed25519';

const privateKeyOf = (seed: Bytes): KeyObject =>
  createPrivateKey({ key: Buffer.from(seed), format: 'raw-private', asymmetricKeyType: KEY_TYPE });

/** Computes the 32 bytes of the public key. */
export function signingPublicKey(seed: Bytes): Bytes {
  return createPublicKey(privateKeyOf(seed)).export({ format: 'raw-public' });
}

/** Returns a key's name: the first 16 hex digits of its SHA-256. */
export function signingKeyId(publicKey: Bytes): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** Signs a text: 64 bytes, the same for the same text. */
export function signText(seed: Bytes, text: string): Bytes {
  return sign(null, Buffer.from(text), privateKeyOf(seed));
}

/** Verifies a signature; false also if key or signature have another length. */
export function isSigned(publicKey: Bytes, text: string, signature: Bytes): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'raw-public', asymmetricKeyType: KEY_TYPE });
    return verify(null, Buffer.from(text), key, signature);
  } catch {
    return false;
  }
}
