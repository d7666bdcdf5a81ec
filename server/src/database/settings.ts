import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Bytes } from '../lib/bytes.ts';
import type { Database } from './schema.ts';

/** The database with single values of an installation, by name. */
interface Settings {
  kysely: Kysely<Database>;
}

export async function readSetting({ kysely }: Settings, name: string): Promise<Buffer | null> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row ? Buffer.from(row.value) : null;
}

/** Stores a value; text as UTF-8. */
export async function writeSetting({ kysely }: Settings, name: string, content: Bytes | string): Promise<void> {
  const value = Buffer.from(content as string);
  await kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

const KEY_BYTES = 32;

/**
 * Reads or creates a random key of this installation, the same on all nodes. `installation_key` hashes addresses, so that the hashes cannot
 * be found by hashing all addresses, and makes proofs that this installation checks; `receipt_key` is the seed of the key pair that signs
 * receipts for others (docs/receipt-format.md). Neither protects a photo.
 */
export function createInstallationKey(db: Settings, name: 'installation_key' | 'receipt_key' = 'installation_key'): () => Promise<Bytes> {
  let known: Bytes | null = null;
  return async () => {
    known ??= await readSetting(db, name);
    if (known) return known;
    // When two nodes start at the same time, only one key is stored, and both read it.
    await db.kysely
      .insertInto('settings')
      .values({ name, value: randomBytes(KEY_BYTES) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    known = await readSetting(db, name);
    if (!known) throw new Error(`${name} was not stored`);
    return known;
  };
}
