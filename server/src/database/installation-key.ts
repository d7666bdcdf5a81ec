import { randomBytes } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import type { Db } from './open.ts';

const NAME = 'installation_key';
const KEY_BYTES = 32;

/**
 * A random key that belongs to this installation, the same on all nodes: hashes under it cannot be looked up in a list of all
 * addresses, and nobody else makes its proofs. It protects no photo.
 */
export function createInstallationKey(db: Pick<Db, 'kysely'>): () => Promise<Bytes> {
  let known: Bytes | undefined;
  const read = () => db.kysely.selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst();

  return async () => {
    if (known) return known;
    let row = await read();
    if (!row) {
      // Of two nodes that start together, one stores its key, and both read that one.
      await db.kysely
        .insertInto('settings')
        .values({ name: NAME, value: randomBytes(KEY_BYTES) })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      row = await read();
    }
    if (!row) throw new Error('the installation key was not stored');
    return (known = row.value);
  };
}
