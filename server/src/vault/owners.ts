import { timingSafeEqual } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { publicKeyOf } from './keys.ts';
import { label } from './labels.ts';
import { Tampered, type KeyOwner } from './contexts.ts';

/** What a wrapped private key is bound to, so that no row can be used in place of another. */
export function ownerLabel({ kind, owner, subject }: KeyOwner, publicKey: Bytes): Bytes {
  return label('private-key', kind, owner, subject, publicKey);
}

/** The opened private key, if it belongs to the row's public key. Throws Tampered. */
export function provedPrivateKey(privateKey: Bytes, publicKey: Bytes): Bytes {
  const derived = publicKeyOf(privateKey);
  if (derived.length !== publicKey.length || !timingSafeEqual(derived, publicKey)) throw new Tampered('the key pair does not match');
  return privateKey;
}
