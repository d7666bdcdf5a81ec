import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';

/** SQLSTATEs of a prepared statement that is not there, is there already, or whose table has another shape by now. */
const UNPREPARED = new Set(['26000', '42P05', '0A000']);

/** Parts of pg's queries and connections that its types leave out. */
interface Sendable {
  prepare(connection: pg.Connection): void;
}
interface Connection extends pg.Connection {
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
}

/** Whether statements are prepared by name, so that PostgreSQL plans them once for a connection. Some poolers cannot. */
export interface Naming {
  on: boolean;
}

/**
 * Sends statements at once, with one Sync behind all of them: PostgreSQL runs them in their order and as one transaction
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING). Resolves to the rows of each.
 */
export async function sendBatch(client: pg.PoolClient, statements: readonly CompiledQuery[], naming: Naming): Promise<unknown[][]> {
  const named = naming.on;
  try {
    return await send(client, statements, named);
  } catch (error) {
    if (!named || !UNPREPARED.has((error as { code?: string }).code ?? '')) throw error;
    naming.on = false;
    return send(client, statements, false);
  }
}

function send(client: pg.PoolClient, statements: readonly CompiledQuery[], named: boolean): Promise<unknown[][]> {
  const parts = statements.map(({ sql, parameters }) => ({ name: named ? nameOf(sql) : '', text: sql, values: [...parameters] }));
  const batch = new pg.Query('');
  batch.submit = (connection) => {
    const { submittedNamedStatements: prepared } = connection as Connection;
    const unsynced = Object.create(connection, { sync: { value: () => undefined } }) as Connection;
    connection.stream.cork();
    // First, because PostgreSQL passes over all that follows a statement that fails.
    for (const { name, text } of parts) {
      if (name === '' || prepared[name] !== undefined) continue;
      unsynced.parse({ name, text });
      prepared[name] = text;
    }
    for (const part of parts) (new pg.Query(part) as unknown as Sendable).prepare(unsynced);
    connection.sync();
    connection.stream.uncork();
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, results: pg.QueryResult | pg.QueryResult[]): void =>
      error ? reject(error) : resolve([results].flat().map(({ rows }) => rows));
    (client.query as (query: pg.Submittable, done: unknown) => void)(batch, done);
  });
}

const names = new Map<string, string>();

/** The same for the same statement on all nodes, as a pooler may hand out the connection of another. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 32);
  names.set(sql, name);
  return name;
}
