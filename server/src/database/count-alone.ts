import type { Trx } from './schema.ts';

/**
 * How many rows a table has, for its limit. Another transaction that counts waits for the end of this one: on PostgreSQL at the rows, SQLite's
 * run one after another anyway.
 */
export async function countAlone(trx: Trx, table: 'api_tokens' | 'webhooks'): Promise<number> {
  const held = trx.selectFrom(table).select('id').orderBy('id').forUpdate();
  await held.execute();
  // A statement does not see what was committed while it waited.
  return (await held.execute()).length;
}
