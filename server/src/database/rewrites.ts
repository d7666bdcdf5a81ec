import { setTimeout } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** How long those who use a table may have to wait behind its rewrite that waits for somebody else, ms. */
const LOCK_WAIT = 2000;
/** A reader with an older view is mostly a moment's query: tries, and ms between them. */
const TRIES = 3;
const PAUSE = 500;
/** A mark that no night took is due at any hour, ms. */
const OVERDUE = 24 * 60 * 60 * 1000;

/**
 * PostgreSQL: writes the tables anew from which keys were destroyed, one after another, with `night` also those that can wait
 * until then; marks stay until a rewrite that began after them left nothing. Throws where somebody is in the way.
 */
export async function rewriteDue(kysely: Kysely<Database>, url: string, { night }: { night: boolean }): Promise<void> {
  const marks = await kysely
    .selectFrom('due_rewrites')
    .select(['id', 'table_name', 'urgent'])
    .select(sql<boolean>`at <= extract(epoch from now()) * 1000 - ${sql.lit(OVERDUE)}`.as('overdue'))
    .orderBy('id')
    .execute();
  const held: string[] = [];
  for (const [table, ofTable] of Map.groupBy(marks, (mark) => mark.table_name)) {
    if (!night && !ofTable.some(({ urgent, overdue }) => urgent === 1 || overdue)) continue;
    if (!(await rewriteWhole(url, table))) {
      held.push(table);
      continue;
    }
    await sql`delete from due_rewrites where id = any(${ofTable.map(({ id }) => id)}::bigint[])`.execute(kysely);
  }
  if (held.length > 0) throw new Error(`deleted keys stay in ${held.join(', ')} as long as somebody reads an older view of the database`);
}

async function rewriteWhole(url: string, table: string): Promise<boolean> {
  for (let left = TRIES; ; await setTimeout(PAUSE)) {
    if (await rewrite(url, table)) return true;
    if (--left === 0) return false;
  }
}

/**
 * Writes a table anew. False where deleted rows were copied, too: somebody (pg_dump, say) still has a view of the database with
 * them. Throws where the table is in use for longer than others may wait.
 */
async function rewrite(url: string, table: string): Promise<boolean> {
  // A connection of its own: the time-out shall hold for nothing else, and the outcome comes as a notice.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const outcomes: number[] = [];
  // „200 dead row versions cannot be removed yet.“: in the server's language, but with the number first.
  client.on('notice', ({ detail }) => detail !== undefined && outcomes.push(Number(/\d+/.exec(detail)?.[0])));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`set lock_timeout = ${LOCK_WAIT}`);
    await client.query(`vacuum (full, verbose) ${client.escapeIdentifier(table)}`);
  } finally {
    await client.end();
  }
  return outcomes.length > 0 && outcomes.every((dead) => dead === 0);
}
