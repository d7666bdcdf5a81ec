import type { Bytes } from '../lib/bytes.ts';
import type { Argon } from './argon.ts';
import { ownerLabel, provedPrivateKey } from './owners.ts';
import type { KeyOwner, KeyPair } from './vault.ts';
import { DERIVED_LENGTH, newSalt, PASSWORD, saltOf, unwrap, wrap } from './wrapping.ts';

/** Private keys under passwords: a password is right exactly if it opens its key. */
export function createPasswords(argon: Argon) {
  return {
    async wrapWithPassword(keys: KeyPair, password: string, owner: KeyOwner): Promise<Bytes> {
      const salt = newSalt();
      const derived = await argon.hash(password, salt, DERIVED_LENGTH);
      return wrap(PASSWORD, derived, salt, keys.privateKey, ownerLabel(owner, keys.publicKey));
    },
    async openWithPassword(wrapped: Bytes, password: string, owner: KeyOwner, publicKey: Bytes): Promise<Bytes> {
      const derived = await argon.hash(password, saltOf(wrapped, PASSWORD), DERIVED_LENGTH);
      return provedPrivateKey(unwrap(wrapped, derived, ownerLabel(owner, publicKey)), publicKey);
    },
    async spendPasswordTime(password: string): Promise<void> {
      await argon.hash(password, newSalt(), DERIVED_LENGTH);
    },
  };
}
