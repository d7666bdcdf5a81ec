import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { PostgresAdapter, PostgresDialect, type CompiledQuery, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { urlsOf } from '../lib/postgres-urls.ts';
import { fromBatch, fromPostgres } from './errors.ts';
import { OURS } from './node-names.ts';

/** Default number of connections of one node. */
const CONNECTIONS = 10;
/** Longest wait for a free connection. */
const POOL_WAIT_MS = 5000;
/**
 * Longest wait for a new connection. Enough for one lost packet, which TCP sends again after a second. After a network outage all
 * connections of the pool may have lost one, so a longer wait would prolong the outage.
 */
const CONNECT_MS = 1500;
const PATIENT_CONNECT_MS = 10_000;
/**
 * Longest statement of a request by default, enforced by the server. This node waits CLIENT_EXTRA_MS longer: then the connection is dead.
 */
const STATEMENT_MS = 7000;
const CLIENT_EXTRA_MS = 1000;
/** Longest statement of an operator's command, which may read whole tables. */
const COMMAND_STATEMENT_MS = 600_000;
/** Longest wait for a lock on a row or table. */
const LOCK_MS = 5000;
/** Longest idle time in a transaction; a backup needs less between two pages of rows. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Longest wait for an answer to a statement that costs no time. */
const ANSWER_MS = 5000;
/** Idle time until TCP sends its first keep-alive probe. */
const KEEP_ALIVE_MS = 10_000;
/** SQLSTATE of pgbouncer when it refuses an unknown startup parameter. */
const PROTOCOL_VIOLATION = '08P01';
/** SQLSTATE of a write on a standby. */
const READ_ONLY = '25006';
/** SQLSTATEs of a prepared statement that does not exist, exists already, or whose table has changed. */
const UNPREPARED = new Set(['26000', '42P05', '0A000']);

/** Unprepared batches after which a pooler must be the reason: a migration causes one for each connection at most. */
const UNPREPARED_MOST = 3 * CONNECTIONS;

/** Settings of a node. */
export interface PostgresLimits {
  /** Most connections of this node. */
  connections?: number | undefined;
  /** Longest statement of a request. */
  statementMs?: number | undefined;
  /** This node's name in the database's list of connections. */
  node?: string | undefined;
}

/** Makes the options of a connection to one host, without time limits for statements. */
function optionsOf(url: string, node = hostname()): pg.ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: `${OURS}${node}`.slice(0, 63),
    connectionTimeoutMillis: PATIENT_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/**
 * Opens a separate connection to the first host of `url` that can write. Statements have no time limit. The caller ends it; disposal cuts
 * it, which also works on a silent line.
 */
export async function openSession(url: string, node?: string): Promise<pg.Client & Disposable> {
  const urls = urlsOf(url);
  let last: unknown;
  for (const one of urls) {
    const client = new pg.Client(optionsOf(one, node));
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (urls.length === 1 || !(await isStandby(client))) return Object.assign(client, { [Symbol.dispose]: () => cut(client) });
      last = new Error('a standby');
    } catch (error) {
      last = error;
    }
    cut(client);
  }
  throw last;
}

/** Makes a query that costs the server no time: no answer means that the line is silent. */
export const inTime = (text: string): pg.QueryConfig & pg.ClientConfig => ({ text, query_timeout: ANSWER_MS });

async function isStandby(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>(inTime('select pg_is_in_recovery() as standby'));
  return rows[0]?.standby === true;
}

/**
 * Kysely's PostgreSQL dialect. It uses the one of several hosts in `url` that can write. bigint and count are read as numbers (all values
 * are below 2^53). Errors of the connection are thrown as Unavailable.
 */
export function postgresDialect(
  url: string,
  { connections = CONNECTIONS, patient = false, node, statementMs: requestMs = STATEMENT_MS }: PostgresLimits & { patient?: boolean } = {},
) {
  const urls = urlsOf(url);
  /** Index of the host that gets new connections. */
  let host = 0;
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  const statementMs = patient ? COMMAND_STATEMENT_MS : requestMs;
  /** Limits sent as startup parameters; null after pgbouncer has refused them: then only this node's own limit applies. */
  let serverLimits: pg.ClientConfig | null = {
    statement_timeout: statementMs,
    lock_timeout: patient ? statementMs : Math.min(LOCK_MS, statementMs),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  /**
   * Batches that found their statements unprepared. Names let PostgreSQL plan a statement once for a connection, unless a pooler is
   * between.
   */
  let unprepared = 0;
  class Connection extends pg.Client {
    constructor() {
      super({
        ...optionsOf(urls[host] ?? url, node),
        types,
        connectionTimeoutMillis: patient ? PATIENT_CONNECT_MS : CONNECT_MS,
        query_timeout: statementMs + CLIENT_EXTRA_MS,
        ...serverLimits,
      });
    }
  }
  const pool = new pg.Pool({
    Client: Connection,
    max: connections,
    connectionTimeoutMillis: patient ? PATIENT_CONNECT_MS : POOL_WAIT_MS,
    ...(urls.length > 1 && { verify: refuseStandby }),
  });
  const idle = new Set<pg.PoolClient>();
  const suspects = new WeakSet<pg.PoolClient>();
  // A broken connection is replaced at its next use. The pool itself listens for errors only while a connection is idle.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));

  function troubleOf(error: unknown, client?: pg.PoolClient): unknown {
    // The server does not answer on this connection any more, or became read-only. Idle connections probably have the same trouble, so
    // all of them are replaced.
    if (client && ((error as Error).message === 'Query read timeout' || (error as { code?: string }).code === READ_ONLY)) {
      for (const silent of [client, ...idle]) {
        suspects.add(silent);
        cut(silent);
      }
    }
    return fromPostgres(error);
  }

  async function connect(others = urls.length - 1): Promise<pg.PoolClient> {
    const before = { serverLimits, host };
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      if (before.serverLimits && (error as { code?: string }).code === PROTOCOL_VIOLATION) {
        serverLimits = null;
        return connect(others);
      }
      if (others === 0) throw troubleOf(error);
      if (host === before.host) host = (host + 1) % urls.length;
      return connect(others - 1);
    }
    if (suspects.has(client)) {
      client.release(true);
      return connect(others);
    }
    return client;
  }

  async function connectKysely(): Promise<PostgresPoolClient> {
    const client = await connect();
    // Kysely asks for cursors only if it was given the package for them.
    return {
      query: (statement: string, parameters: readonly unknown[] = []) =>
        client.query(statement, [...parameters]).catch((error: unknown) => {
          throw troubleOf(error, client);
        }),
      release: (destroy?: boolean) => client.release(destroy),
    } as unknown as PostgresPoolClient;
  }
  return {
    dialect: new Dialect({ pool: { connect: connectKysely, end: () => pool.end(), options: pool.options } }),
    /** Counts this node's connections in use and idle, and the requests that wait for one. */
    connections: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    /** Runs statements in one transaction and round trip. Throws OutcomeUnknown. */
    async batch(statements: readonly CompiledQuery[]): Promise<unknown[][]> {
      const client = await connect();
      const byName = unprepared < UNPREPARED_MOST;
      /** Whether the connection's prepared statements differ from this process's record of them. */
      let astray = false;
      try {
        return await sendBatch(client, statements, byName).catch((error: unknown) => {
          if (!byName || !UNPREPARED.has((error as { code?: string }).code ?? '')) throw error;
          astray = true;
          unprepared += 1;
          return sendBatch(client, statements, false);
        });
      } catch (error) {
        const trouble = troubleOf(error, client);
        throw statements.every(({ query }) => query.kind === 'SelectQueryNode') ? trouble : fromBatch(trouble);
      } finally {
        client.release(astray);
      }
    },
  };
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }
}

class Adapter extends PostgresAdapter {
  /** Never throws: a broken connection has lost its lock, and the error here would hide the one that broke it. */
  override async releaseMigrationLock(...given: Parameters<PostgresAdapter['releaseMigrationLock']>): Promise<void> {
    await super.releaseMigrationLock(...given).catch(() => undefined);
  }
}

function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  isStandby(client).then((standby) => done(standby ? new Error('a standby') : undefined), done);
}

/** Closes the socket at once. A regular end would wait for the server's answer. */
export function cut(client: pg.Client | pg.PoolClient | undefined): void {
  (client as pg.Client | undefined)?.connection.stream.destroy();
}

/** Parts of pg's queries and connections that its types leave out. */
interface Sendable {
  prepare(connection: pg.Connection): void;
}
interface Wire extends pg.Connection {
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
}

/**
 * Sends statements at once, with one Sync behind all of them: PostgreSQL runs them in their order and as one transaction
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING). Resolves to the rows of each.
 */
function sendBatch(client: pg.PoolClient, statements: readonly CompiledQuery[], named: boolean): Promise<unknown[][]> {
  const parts = statements.map(({ sql, parameters }) => ({ name: named ? nameOf(sql) : '', text: sql, values: [...parameters] }));
  const batch = new pg.Query('');
  const fresh: string[] = [];
  let parsed = 0;
  const noteParsed = (): void => void parsed++;
  const { connection: wire } = client as unknown as { connection: Wire };
  const { submittedNamedStatements: prepared } = wire;
  batch.submit = (connection) => {
    wire.on('parseComplete', noteParsed);
    const unsynced = Object.create(connection, { sync: { value: () => undefined } }) as Wire;
    connection.stream.cork();
    // Statements are prepared first: after one that fails, PostgreSQL skips everything up to the Sync.
    for (const { name, text } of parts) {
      if (name === '' || prepared[name] !== undefined) continue;
      unsynced.parse({ name, text });
      prepared[name] = text;
      fresh.push(name);
    }
    for (const part of parts) (new pg.Query(part) as unknown as Sendable).prepare(unsynced);
    connection.sync();
    connection.stream.uncork();
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, results: pg.QueryResult | pg.QueryResult[]): void => {
      wire.off('parseComplete', noteParsed);
      // A statement that waited too long for a lock, and the statements behind it, are prepared at their next use.
      if (error) for (const name of fresh.slice(parsed)) delete prepared[name];
      if (error) reject(error);
      else resolve([results].flat().map(({ rows }) => rows));
    };
    (client.query as (query: pg.Submittable, done: unknown) => void)(batch, done);
  });
}

const names = new Map<string, string>();

/** Names a statement by its hash: a pooler may hand out the connection of another node, which must use the same names. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 32);
  names.set(sql, name);
  return name;
}
