import { hostname } from 'node:os';
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { fromPostgres } from './errors.ts';

/** Default number of connections of one node. */
const CONNECTIONS = 10;
/** Longest wait for a free connection. */
const POOL_WAIT_MS = 5000;
/**
 * Longest wait for a new connection. Enough for one lost packet, which TCP sends again after a second. When the network comes back
 * after an outage, all connections of the pool may be in this state, so a longer wait would prolong the outage.
 */
const CONNECT_MS = 1500;
const PATIENT_CONNECT_MS = 10_000;
/** Longest statement of a request, as the server enforces it. This node waits CLIENT_EXTRA_MS longer: then the connection is dead. */
const STATEMENT_MS = 7000;
const CLIENT_EXTRA_MS = 1000;
/** Longest statement of an operator's command, which may read whole tables. */
const COMMAND_STATEMENT_MS = 600_000;
/** Longest wait for a lock on a row or table. */
const LOCK_MS = 5000;
/** Longer than a backup needs between two pages of rows. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Idle time until TCP sends its first keep-alive probe. */
const KEEP_ALIVE_MS = 10_000;
/** This node's name in the database's list of connections. */
const NAME = `feierbild@${hostname()}`.slice(0, 63);
/** SQLSTATE of pgbouncer when it refuses an unknown startup parameter. */
const PROTOCOL_VIOLATION = '08P01';

/** Options of a single connection, without time limits for statements. */
export function postgresOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: NAME,
    connectionTimeoutMillis: PATIENT_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/** Options with all time limits; with `serverLimits` also those that the server enforces, sent as startup parameters. */
function limitedOptions(url: string, { patient, serverLimits }: { patient: boolean; serverLimits: boolean }): pg.ClientConfig {
  const statementMs = patient ? COMMAND_STATEMENT_MS : STATEMENT_MS;
  return {
    ...postgresOptions(url),
    connectionTimeoutMillis: patient ? PATIENT_CONNECT_MS : CONNECT_MS,
    query_timeout: statementMs + CLIENT_EXTRA_MS,
    ...(serverLimits && {
      statement_timeout: statementMs,
      lock_timeout: patient ? statementMs : LOCK_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
  };
}

/**
 * Kysely's PostgreSQL dialect. bigint and count are read as numbers (all values are below 2^53). Errors of the connection are
 * thrown as Unavailable.
 */
export function postgresDialect(
  url: string,
  { connections = CONNECTIONS, patient = false }: { connections?: number; patient?: boolean } = {},
): PostgresDialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  // pgbouncer refuses these startup parameters. Then only this node's own limit of a statement applies.
  let serverLimits = true;
  class Connection extends pg.Client {
    constructor() {
      super({ ...limitedOptions(url, { patient, serverLimits }), types });
    }
  }
  const pool = new pg.Pool({ Client: Connection, max: connections, connectionTimeoutMillis: patient ? PATIENT_CONNECT_MS : POOL_WAIT_MS });
  const idle = new Set<pg.PoolClient>();
  const suspects = new WeakSet<pg.PoolClient>();
  // A broken connection is replaced at its next use. The pool itself listens for errors only while a connection is idle.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));

  function failed(error: unknown, client?: pg.PoolClient): never {
    // The server no longer answers here. Idle connections probably broke the same way, so all of them are replaced.
    if (client && (error as Error).message === 'Query read timeout') {
      for (const silent of [client, ...idle]) {
        suspects.add(silent);
        cut(silent);
      }
    }
    throw fromPostgres(error);
  }

  async function connect(): Promise<PostgresPoolClient> {
    const withLimits = serverLimits;
    const client = await pool.connect().catch((error: unknown) => {
      if (!withLimits || (error as { code?: string }).code !== PROTOCOL_VIOLATION) return failed(error);
      serverLimits = false;
      return null;
    });
    if (!client) return connect();
    if (suspects.has(client)) {
      client.release(true);
      return connect();
    }
    // Kysely passes cursors only if it was given the package for them.
    return {
      query: (statement: string, parameters: readonly unknown[] = []) =>
        client.query(statement, [...parameters]).catch((error: unknown) => failed(error, client)),
      release: (destroy?: boolean) => client.release(destroy),
    } as unknown as PostgresPoolClient;
  }
  return new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } });
}

/** Closes the socket at once. A regular end would wait for the server's answer. */
function cut(client: pg.PoolClient): void {
  (client as unknown as pg.Client).connection.stream.destroy();
}
