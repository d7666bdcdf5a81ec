import { randomBytes } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import type { Db } from './open.ts';
import { readSetting } from './settings.ts';

const NAME = 'installation_key';
const KEY_BYTES = 32;

/**
 * A random key of this installation, the same on all nodes. Addresses are hashed with it, so that the hashes cannot be found by
 * hashing all addresses, and proofs are signed with it. It protects no photo.
 */
export function createInstallationKey(db: Pick<Db, 'kysely'>): () => Promise<Bytes> {
  let known: Bytes | null = null;
  return async () => {
    known ??= await readSetting(db, NAME);
    if (known) return known;
    // When two nodes start at the same time, only one key is stored, and both read it.
    await db.kysely
      .insertInto('settings')
      .values({ name: NAME, value: randomBytes(KEY_BYTES) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    known = await readSetting(db, NAME);
    if (!known) throw new Error('the installation key was not stored');
    return known;
  };
}
