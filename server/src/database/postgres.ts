import { hostname } from 'node:os';
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { fromPostgres } from './errors.ts';

/** Connections of one node, unless the configuration says otherwise. */
const CONNECTIONS = 10;
/** To wait for a free connection, or for a new one to be made. */
const CONNECT_MS = 10_000;
/** A statement of a request; the server gives up at this, we a little later: then the line itself is silent. */
const STATEMENT_MS = 7000;
const SILENCE_AFTER_MS = 1000;
/** A statement of an operator's command, which may read whole tables. */
const COMMAND_STATEMENT_MS = 600_000;
/** To wait for a row or table that others hold. */
const LOCK_MS = 5000;
/** Longer than a backup needs between two pages of rows. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Without traffic, until TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;
/** As the database's lists of connections show this node. */
const NAME = `feierbild@${hostname()}`.slice(0, 63);

/** Connections with all limits of time; `patient` for the operator's commands. */
export function postgresOptions(url: string, { patient = false }: { patient?: boolean } = {}): pg.ClientConfig {
  const statementMs = patient ? COMMAND_STATEMENT_MS : STATEMENT_MS;
  return {
    connectionString: url,
    fallback_application_name: NAME,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: statementMs,
    query_timeout: statementMs + SILENCE_AFTER_MS,
    lock_timeout: patient ? statementMs : LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

/**
 * Kysely's PostgreSQL dialect; bigint and count come as numbers (all of ours are below 2^53). Trouble with the connection is
 * thrown as Unavailable.
 */
export function postgresDialect(
  url: string,
  { connections = CONNECTIONS, ...options }: { connections?: number; patient?: boolean } = {},
): PostgresDialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  const pool = new pg.Pool({ ...postgresOptions(url, options), max: connections, types });
  const idle = new Set<pg.PoolClient>();
  const suspects = new WeakSet<pg.PoolClient>();
  // A connection that breaks is replaced at its next use. The pool itself listens only while a connection is idle.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));

  function failed(error: unknown, client?: pg.PoolClient): never {
    // The line is silent. Idle connections took the same way, so all of them are replaced.
    if (client && (error as Error).message === 'Query read timeout') {
      for (const silent of [client, ...idle]) {
        suspects.add(silent);
        cut(silent);
      }
    }
    throw fromPostgres(error);
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect().catch((error: unknown) => failed(error));
    if (suspects.has(client)) {
      client.release(true);
      return connect();
    }
    // Kysely passes cursors only where it was given the package for them.
    return {
      query: (statement: string, parameters: readonly unknown[] = []) =>
        client.query(statement, [...parameters]).catch((error: unknown) => failed(error, client)),
      release: (destroy?: boolean) => client.release(destroy),
    } as unknown as PostgresPoolClient;
  }
  return new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } });
}

/** Ends a connection without a word to the other side, which would wait for an answer. */
function cut(client: pg.PoolClient): void {
  (client as unknown as pg.Client).connection.stream.destroy();
}
