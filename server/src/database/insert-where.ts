import { sql, type AliasedRawBuilder, type Insertable, type RawBuilder } from 'kysely';
import type { Db } from './open.ts';
import type { Database } from './schema.ts';

/** Inserts a row if the query `found` has one; a value may be a column of that row. */
export function insertWhere<T extends keyof Database>(
  kysely: Db['kysely'],
  table: T,
  row: { [C in keyof Insertable<Database[T]>]: Insertable<Database[T]>[C] | RawBuilder<unknown> },
  found: { select(values: AliasedRawBuilder<unknown, string>[]): unknown },
) {
  const values = Object.values(row).map((value, n) => sql`${value}`.as(`value${n}`));
  return kysely
    .insertInto(table)
    .columns(Object.keys(row) as never)
    .expression(found.select(values) as never);
}
