import { addAbortListener } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { cut, inTime, openSession } from './postgres.ts';
import type { Database } from './schema.ts';

/** How long a rewrite waits for its lock. Meanwhile every other query on the table waits behind it. */
const LOCK_WAIT_MS = 2000;
/** Attempts for each table; PAUSE_MS lies between them: most readers that block a rewrite are short queries. */
const TRIES = 3;
const PAUSE_MS = 500;
/** Age after which a rewrite that was planned for the night is due at any hour. */
const OVERDUE_MS = 24 * 60 * 60 * 1000;

/**
 * Rewrites PostgreSQL's tables from which keys were deleted, one after another; with `night` also those that are not urgent. An entry in
 * `due_rewrites` stays until a rewrite that began after it has removed all deleted rows. Throws if a table is in use, and once the signal
 * is aborted.
 */
export async function rewriteDue(
  kysely: Kysely<Database>,
  url: string,
  { night, signal }: { night: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const due = await kysely
    .selectFrom('due_rewrites')
    .select(['id', 'table_name', 'urgent'])
    .select(sql<boolean>`at <= extract(epoch from now()) * 1000 - ${sql.lit(OVERDUE_MS)}`.as('overdue'))
    .orderBy('id')
    .execute();
  const unfinished = Map.groupBy(due, ({ table_name }) => table_name);
  for (const [table, marks] of unfinished)
    if (!night && !marks.some(({ urgent, overdue }) => urgent === 1 || overdue)) unfinished.delete(table);
  for (let left = TRIES; unfinished.size > 0; left--) {
    if (left === 0)
      throw new Error(
        `deleted keys stay in ${[...unfinished.keys()].join(', ')} as long as a transaction reads an older view of the database`,
      );
    if (left < TRIES) await setTimeout(PAUSE_MS, undefined, { signal });
    for (const [table, marks] of unfinished) {
      signal?.throwIfAborted();
      if (!(await rewrite(url, table, signal))) continue;
      unfinished.delete(table);
      await sql`delete from due_rewrites where id = any(${marks.map(({ id }) => id)}::bigint[])`.execute(kysely);
    }
  }
}

/**
 * Rewrites a table. Returns false if deleted rows were copied as well, because an open transaction (of pg_dump, for example) can still see
 * them. Throws if the table stays locked for longer than LOCK_WAIT_MS.
 */
async function rewrite(url: string, table: string, signal: AbortSignal | undefined): Promise<boolean> {
  // A separate connection: the lock time-out must apply to nothing else, and the result arrives as a notice.
  using client = await openSession(url);
  using _stop = signal && addAbortListener(signal, () => cut(client));
  const outcomes: number[] = [];
  // The notice says "200 dead row versions cannot be removed yet.", say, in the server's language; the number comes first.
  client.on('notice', ({ detail }) => detail !== undefined && outcomes.push(Number(/\d+/.exec(detail)?.[0])));
  await client.query(inTime(`set lock_timeout = ${LOCK_WAIT_MS}`));
  // No time limit: it takes as long as the table is large. Only the signal stops it.
  await client.query(`vacuum (full, verbose) ${client.escapeIdentifier(table)}`);
  return outcomes.length > 0 && outcomes.every((dead) => dead === 0);
}
