import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { decryptRandomly, encryptRandomly, KEY_LENGTH, NONCE_LENGTH, TAG_LENGTH } from './aead.ts';
import { Tampered, WrongSecret } from './contexts.ts';

/**
 * Wraps a 32-byte secret under bytes derived from a password or token: `version ‖ derivation ‖ salt (16) ‖ commitment (32) ‖
 * nonce (12) ‖ cipher text (32) ‖ tag (16)`. GCM does not commit to its key; the commitment distinguishes a wrong secret (it differs) from
 * stored bytes that were changed (it fits, but the rest does not open).
 */
const VERSION = 1;
export const PASSWORD = 1;
export const TOKEN = 2;
export type Derivation = typeof PASSWORD | typeof TOKEN;

export const WRAP_SALT_LENGTH = 16;
const COMMITMENT_LENGTH = 32;
/** Length of the derived bytes: key ‖ commitment. */
export const DERIVED_LENGTH = KEY_LENGTH + COMMITMENT_LENGTH;
const SALT_AT = 2;
const COMMITMENT_AT = SALT_AT + WRAP_SALT_LENGTH;
const BOX_AT = COMMITMENT_AT + COMMITMENT_LENGTH;
export const WRAPPED_LENGTH = BOX_AT + NONCE_LENGTH + KEY_LENGTH + TAG_LENGTH;

export function newSalt(): Bytes {
  return randomBytes(WRAP_SALT_LENGTH);
}

/** Returns the salt of a wrapped secret. Throws Tampered if the bytes were not wrapped with this derivation. */
export function saltOf(wrapped: Bytes, derivation: Derivation): Bytes {
  if (wrapped.length !== WRAPPED_LENGTH || wrapped[0] !== VERSION || wrapped[1] !== derivation) throw new Tampered('not a wrapped key');
  return wrapped.subarray(SALT_AT, COMMITMENT_AT);
}

export function wrap(derivation: Derivation, derived: Bytes, salt: Bytes, secret: Bytes, aad: Bytes): Bytes {
  if (secret.length !== KEY_LENGTH) throw new RangeError('a key has 32 bytes');
  const box = encryptRandomly(derived.subarray(0, KEY_LENGTH), secret, aad);
  return Buffer.concat([Buffer.from([VERSION, derivation]), salt, derived.subarray(KEY_LENGTH), box]);
}

/** Unwraps bytes whose format `saltOf` has checked. Throws WrongSecret or Tampered. */
export function unwrap(wrapped: Bytes, derived: Bytes, aad: Bytes): Bytes {
  if (!timingSafeEqual(wrapped.subarray(COMMITMENT_AT, BOX_AT), derived.subarray(KEY_LENGTH)))
    throw new WrongSecret('the secret does not open this');
  return decryptRandomly(derived.subarray(0, KEY_LENGTH), wrapped.subarray(BOX_AT), aad);
}
