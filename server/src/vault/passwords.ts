import type { Bytes } from '../lib/bytes.ts';
import type { Owner } from '../lib/concurrency/fair-queue.ts';
import type { HashQueue } from './argon.ts';
import { ownerLabel, provedPrivateKey } from './owners.ts';
import type { KeyOwner, KeyPair } from './contexts.ts';
import { DERIVED_LENGTH, newSalt, PASSWORD, saltOf, unwrap, wrap } from './wrapping.ts';

/** Owner of hashes for users who are logged in or use the command line. */
const INTERNAL: Owner = ['internal'];

/**
 * Private keys under passwords, by argon2id: a password is right exactly if it opens its key. `caller` says who shares the time of
 * the queue (see `networkPath`). All throw Refusal unavailable where too many wait.
 */
export function createPasswords(queue: HashQueue) {
  return {
    async wrapWithPassword(keys: KeyPair, password: string, owner: KeyOwner, caller: Owner = INTERNAL): Promise<Bytes> {
      const salt = newSalt();
      const derived = await queue.hash(caller, password, salt, DERIVED_LENGTH);
      return wrap(PASSWORD, derived, salt, keys.privateKey, ownerLabel(owner, keys.publicKey));
    },
    /** The private key. Throws WrongSecret or Tampered; checks that it belongs to `publicKey`. */
    async openWithPassword(wrapped: Bytes, password: string, owner: KeyOwner, publicKey: Bytes, caller: Owner = INTERNAL): Promise<Bytes> {
      const derived = await queue.hash(caller, password, saltOf(wrapped, PASSWORD), DERIVED_LENGTH);
      return provedPrivateKey(unwrap(wrapped, derived, ownerLabel(owner, publicKey)), publicKey);
    },
    /** As long as openWithPassword takes, for names that do not exist. */
    async spendPasswordTime(password: string, caller: Owner = INTERNAL): Promise<void> {
      await queue.hash(caller, password, newSalt(), DERIVED_LENGTH);
    },
  };
}
