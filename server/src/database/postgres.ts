import { PostgresDialect } from 'kysely';
import pg from 'pg';

/** Connections of one node. */
const CONNECTIONS = 10;

/** Kysely's PostgreSQL dialect; bigint and count come as numbers (all of ours are below 2^53). */
export function postgresDialect(url: string): PostgresDialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, types, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks is replaced at the next use.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
}
