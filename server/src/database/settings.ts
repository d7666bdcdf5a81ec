import type { Kysely } from 'kysely';
import type { Bytes } from '../lib/bytes.ts';
import type { Database } from './schema.ts';

/** Where single values of an installation are kept, by name. */
interface Settings {
  kysely: Kysely<Database>;
}

export async function readSetting({ kysely }: Settings, name: string): Promise<Buffer | null> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row ? Buffer.from(row.value) : null;
}

/** Text is kept as UTF-8. */
export async function writeSetting({ kysely }: Settings, name: string, content: Bytes | string): Promise<void> {
  const value = Buffer.from(content as string);
  await kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
