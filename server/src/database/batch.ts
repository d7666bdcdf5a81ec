import pg from 'pg';
import type { CompiledQuery } from 'kysely';

/** The part of pg's queries that sends one, with a Sync behind it, and which its types leave out. */
interface Sendable {
  prepare(connection: pg.Connection): void;
}

/**
 * Sends statements at once, with one Sync behind all of them: PostgreSQL runs them in their order and as one transaction
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING). Resolves to the rows of each.
 */
export function sendBatch(client: pg.PoolClient, statements: readonly CompiledQuery[]): Promise<unknown[][]> {
  const parts = statements.map(({ sql, parameters }) => new pg.Query({ text: sql, values: [...parameters] }) as unknown as Sendable);
  const batch = new pg.Query('');
  batch.submit = (connection) => {
    const unsynced = Object.create(connection, { sync: { value: () => undefined } }) as pg.Connection;
    connection.stream.cork();
    for (const part of parts) part.prepare(unsynced);
    connection.sync();
    connection.stream.uncork();
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, results: pg.QueryResult | pg.QueryResult[]): void =>
      error ? reject(error) : resolve([results].flat().map(({ rows }) => rows));
    (client.query as (query: pg.Submittable, done: unknown) => void)(batch, done);
  });
}
