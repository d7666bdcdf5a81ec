import { createHmac } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { derive, NO_SALT } from './aead.ts';
import { asKey, type Key, type KeyOwner, type KeyPair, type PhotoContext } from './contexts.ts';
import { provedPrivateKey } from './keys.ts';
import { label, ownerLabel, photoLabel } from './labels.ts';
import { DERIVED_LENGTH, newSalt, saltOf, TOKEN, unwrap, wrap } from './wrapping.ts';

/**
 * Keys under random secrets (session tokens, device ids), and hashes that find rows by such secrets. The secrets cannot be guessed, so HKDF
 * is enough. Its labels ensure that the stored hash reveals nothing about the key that opens the row.
 */

/** Wraps a private key under a random 256-bit token (base64url text). */
export function wrapWithToken(keys: KeyPair, token: string, owner: KeyOwner): Bytes {
  return wrapUnder(token, 'token-wrap', keys.privateKey, ownerLabel(owner, keys.publicKey));
}

export function openWithToken(wrapped: Bytes, token: string, owner: KeyOwner, publicKey: Bytes): Bytes {
  return provedPrivateKey(openUnder(wrapped, token, 'token-wrap', ownerLabel(owner, publicKey)), publicKey);
}

/** Wraps a photo's key for the device that uploaded it. */
export function wrapForDevice(photoKey: Bytes, deviceId: string, photo: PhotoContext): Bytes {
  return wrapUnder(deviceId, 'device-wrap', photoKey, photoLabel('device-photo-key', photo));
}

export function openForDevice(wrapped: Bytes, deviceId: string, photo: PhotoContext): Key {
  return asKey(openUnder(wrapped, deviceId, 'device-wrap', photoLabel('device-photo-key', photo)));
}

/** Wraps a photo's key under a link's token. */
export function wrapForLink(photoKey: Bytes, token: string, photo: PhotoContext): Bytes {
  return wrapUnder(token, 'link-wrap', photoKey, photoLabel('link-photo-key', photo));
}

export function openForLink(wrapped: Bytes, token: string, photo: PhotoContext): Key {
  return asKey(openUnder(wrapped, token, 'link-wrap', photoLabel('link-photo-key', photo)));
}

/** Hashes a token or device id to look it up; `purpose` keeps the hash apart from every other use of the same secret. */
export function lookupHash(secret: string, purpose: string): Bytes {
  return derive(secret, NO_SALT, label('lookup', purpose));
}

/** Computes HMAC-SHA-256 of `data` under a key derived from `secret` for `purpose`. */
export function keyedHash(secret: string, purpose: string, data: Bytes): Bytes {
  return createHmac('sha256', derive(secret, NO_SALT, label('keyed-hash', purpose)))
    .update(data)
    .digest();
}

function wrapUnder(secret: string, purpose: string, key: Bytes, aad: Bytes): Bytes {
  const salt = newSalt();
  return wrap(TOKEN, derive(secret, salt, label(purpose), DERIVED_LENGTH), salt, key, aad);
}

function openUnder(wrapped: Bytes, secret: string, purpose: string, aad: Bytes): Bytes {
  return unwrap(wrapped, derive(secret, saltOf(wrapped, TOKEN), label(purpose), DERIVED_LENGTH), aad);
}
