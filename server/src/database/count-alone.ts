import type { Trx } from './schema.ts';

/**
 * Counts the rows of a table, for its limit. Another transaction that counts waits for the end of this one: PostgreSQL's waits for the
 * rows, SQLite's transactions run one after another anyway.
 */
export async function countAlone(trx: Trx, table: 'api_tokens' | 'webhooks'): Promise<number> {
  const held = trx.selectFrom(table).select('id').orderBy('id').forUpdate();
  await held.execute();
  // The second statement sees rows that were committed while the first one waited.
  return (await held.execute()).length;
}
