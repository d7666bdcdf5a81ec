import { createPrivateKey, createPublicKey, generateKeyPairSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { Tampered, type KeyPair } from './contexts.ts';

/** X25519 keys as 32 raw bytes (RFC 7748), and as node:crypto's key objects. */

export const X25519_LENGTH = 32;

/** Key objects by raw key: making one costs as much as a key agreement, and opening thousands of photos uses the same key. */
const privateKeys = new WeakMap<Bytes, KeyObject>();

export function createKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { publicKey: publicKey.export({ format: 'raw-public' }), privateKey: privateKey.export({ format: 'raw-private' }) };
}

/** Returns the key object of a raw private key. The bytes must not be changed in place afterwards. */
export function privateKeyObject(raw: Bytes): KeyObject {
  let key = privateKeys.get(raw);
  if (!key) {
    key = createPrivateKey({ key: Buffer.from(raw), format: 'raw-private', asymmetricKeyType: 'x25519' });
    privateKeys.set(raw, key);
  }
  return key;
}

export function publicKeyObject(raw: Bytes): KeyObject {
  return createPublicKey({ key: Buffer.from(raw), format: 'raw-public', asymmetricKeyType: 'x25519' });
}

/** Computes the public key of a private one. */
export function publicKeyOf(privateKey: Bytes): Bytes {
  return createPublicKey(privateKeyObject(privateKey)).export({ format: 'raw-public' });
}

/** Makes the pair of a private key, which may be any 32 bytes. */
export function keyPairOf(privateKey: Bytes): KeyPair {
  return { publicKey: publicKeyOf(privateKey), privateKey };
}

/** Returns the opened private key, if it belongs to the row's public key. Throws Tampered. */
export function provedPrivateKey(privateKey: Bytes, publicKey: Bytes): Bytes {
  const derived = publicKeyOf(privateKey);
  if (derived.length !== publicKey.length || !timingSafeEqual(derived, publicKey)) throw new Tampered('the key pair does not match');
  return privateKey;
}
