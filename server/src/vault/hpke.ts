import { createHmac, decapsulate, encapsulate } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { decrypt, encrypt, TAG_LENGTH } from './aead.ts';
import { privateKeyObject, publicKeyObject, X25519_LENGTH } from './keys.ts';
import { Tampered } from './contexts.ts';

/**
 * HPKE (RFC 9180), base mode, one message for each context: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
 * The KEM is node:crypto's own; the key schedule is § 5.1 with an empty psk and psk_id.
 */
const MODE_BASE = 0;
const SUITE = Buffer.concat([Buffer.from('HPKE'), Buffer.from([0x00, 0x20, 0x00, 0x01, 0x00, 0x02])]);
const VERSION = Buffer.from('HPKE-v1');
const NONE = Buffer.alloc(0);
const PSK_ID_HASH = extract(NONE, 'psk_id_hash', NONE);

/** Bytes that sealing adds. */
export const HPKE_OVERHEAD = X25519_LENGTH + TAG_LENGTH;

/** Seals to `enc ‖ cipher text ‖ tag`. */
export function hpkeSeal(publicKey: Bytes, plain: Bytes, info: Bytes): Buffer {
  const { sharedKey, ciphertext } = encapsulate(publicKeyObject(publicKey));
  const { key, nonce } = schedule(sharedKey, info);
  return Buffer.concat([ciphertext, encrypt(key, nonce, plain)]);
}

/** Throws Tampered if the bytes were not sealed to this key with this info. */
export function hpkeOpen(privateKey: Bytes, sealed: Bytes, info: Bytes): Buffer {
  if (sealed.length < HPKE_OVERHEAD) throw new Tampered('too short for HPKE');
  const receiver = privateKeyObject(privateKey);
  let sharedKey: Bytes;
  try {
    sharedKey = decapsulate(receiver, sealed.subarray(0, X25519_LENGTH));
  } catch (cause) {
    // The point has a low order, which no honest sealer produces.
    throw new Tampered('the encapsulated key is invalid', { cause });
  }
  const { key, nonce } = schedule(sharedKey, info);
  return decrypt(key, nonce, sealed.subarray(X25519_LENGTH));
}

function schedule(sharedKey: Bytes, info: Bytes): { key: Buffer; nonce: Buffer } {
  const context = Buffer.concat([Buffer.from([MODE_BASE]), PSK_ID_HASH, extract(NONE, 'info_hash', info)]);
  const secret = extract(sharedKey, 'secret', NONE);
  return { key: expand(secret, 'key', context, 32), nonce: expand(secret, 'base_nonce', context, 12) };
}

/** LabeledExtract, § 4. */
function extract(salt: Bytes, name: string, ikm: Bytes): Buffer {
  return createHmac('sha256', salt).update(VERSION).update(SUITE).update(name).update(ikm).digest();
}

/** LabeledExpand, § 4, for up to one block of SHA-256. */
function expand(secret: Bytes, name: string, info: Bytes, length: 12 | 32): Buffer {
  const size = Buffer.from([0, length]);
  const block = createHmac('sha256', secret).update(size).update(VERSION).update(SUITE).update(name).update(info).update('\x01').digest();
  return block.subarray(0, length);
}
