import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql, type Compilable, type CompiledQuery } from 'kysely';
import { withDeadline } from '../lib/deadline.ts';
import { changedEvents, markChanged } from './changes.ts';
import { fromCommit, isRetryable, OutcomeUnknown } from './errors.ts';
import { appliedMigrations, migrate, requireSchema, SchemaMismatch } from './migrate.ts';
import { createNotices } from './notices.ts';
import { inTime, openSession, postgresDialect, type PostgresLimits } from './postgres.ts';
import { rewriteDue } from './rewrites.ts';
import type { Database, Trx } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';
import { createReadBatcher } from './read-batcher.ts';

export type { Trx } from './schema.ts';

export type Db = Awaited<ReturnType<typeof openDatabase>>;

const RETRIES = 5;
/** Longest wait for the connections to end. */
const CLOSE_MS = 1000;
/** Pause between two attempts to truncate SQLite's log while another process reads. */
const TRUNCATION_RETRY_MS = 500;
/** How long a wipe waits for short readers, and how often it looks. */
const READERS_MS = 2000;
const READERS_RETRY_MS = 20;

/** The place of the database: PostgreSQL at `url`, or SQLite in `file` if `url` is null. */
export interface DatabaseLocation {
  url: string | null;
  /** URL of PostgreSQL without a pooler, if it differs: for work that needs a session of its own. */
  directUrl?: string | null;
  file: string;
}

interface Options extends PostgresLimits {
  /** `migrate` migrates the schema to this version; `require` throws SchemaMismatch if it differs. */
  schema: 'migrate' | 'require';
  /** Allows statements that take minutes, for operators' commands. */
  patient?: boolean;
  /** Called when a migration has to wait for others' transactions. */
  onLocked?: () => void;
}

export async function openDatabase(
  { url, directUrl, file }: DatabaseLocation,
  { schema, patient = false, onLocked = () => undefined, ...limits }: Options,
) {
  const engine: 'sqlite' | 'postgres' = url ? 'postgres' : 'sqlite';
  const sessionUrl = directUrl ?? url;
  const postgres = url ? postgresDialect(url, { ...limits, patient }) : null;
  const kysely = new Kysely<Database>({ dialect: postgres?.dialect ?? sqliteDialect(file) });
  try {
    await requireSchema(kysely, engine).catch(async (error: unknown) => {
      const pendingAlone = error instanceof SchemaMismatch && !error.unreleased && error.newer.length === 0;
      if (schema === 'require' || !pendingAlone) throw error;
      const patiently = sessionUrl ? postgresDialect(sessionUrl, { ...limits, patient: true }).dialect : sqliteDialect(file);
      await using migrating = new Kysely<Database>({ dialect: patiently });
      await migrate(migrating, engine, onLocked);
    });
  } catch (error) {
    await kysely.destroy();
    throw error;
  }

  let closed = false;
  let truncation: NodeJS.Timeout | undefined;
  const listeners = new Set<(eventId: string) => void>();
  const tell = (changed: Iterable<string>): void => {
    for (const eventId of changed) for (const listener of listeners) listener(eventId);
  };
  /** Null with SQLite: there the only other processes are commands. */
  const notices = sessionUrl ? createNotices(kysely, sessionUrl, limits.node) : null;

  /**
   * Runs `work` in a transaction; on PostgreSQL maybe several times (after a deadlock or serialization failure). Throws OutcomeUnknown if
   * the connection failed at the commit; after any other error nothing was committed.
   */
  function transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return again(async () => {
      /** Null until the commit. */
      let changed = null as Iterable<string> | null;
      try {
        return await kysely.transaction().execute(async (trx) => {
          const result = await work(trx);
          changed = changedEvents(trx);
          return result;
        });
      } catch (error) {
        throw changed === null ? error : fromCommit(error);
      } finally {
        // Pages are told of an unknown outcome, too.
        tell(changed ?? []);
      }
    });
  }

  /**
   * Runs statements in a transaction, in their order. On PostgreSQL they take one round trip and are prepared once for a connection: for
   * statements that are always the same. None may depend on the rows of an earlier one; conditions have to fail in the database. Returns
   * the rows of each. `changes`: the event whose pages learn of it. Throws as `transaction` does.
   */
  function batch(statements: readonly Compilable[], changes?: string): Promise<unknown[][]> {
    return batchOf(
      statements.map((statement) => statement.compile()),
      changes,
    );
  }

  async function batchOf(compiled: readonly CompiledQuery[], changes?: string): Promise<unknown[][]> {
    const changed = changes === undefined ? [] : [changes];
    if (postgres) {
      return again(async () => {
        const outcome = await postgres.batch(compiled).catch((error: unknown) => error as Error);
        if (!(outcome instanceof Error) || outcome instanceof OutcomeUnknown) tell(changed);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      });
    }
    const [only, ...others] = compiled;
    if (only && others.length === 0 && changes === undefined) return [(await kysely.executeQuery(only)).rows];
    return transaction(async (trx) => {
      for (const eventId of changed) markChanged(trx, eventId);
      const rows: unknown[][] = [];
      for (const statement of compiled) rows.push((await trx.executeQuery(statement)).rows);
      return rows;
    });
  }

  const read = postgres ? createReadBatcher(batchOf) : async (statement: CompiledQuery) => (await kysely.executeQuery(statement)).rows;

  /**
   * Makes a read that runs often: compiled once, prepared once for a connection, and sent with others of its kind (`createReadBatcher`).
   * `build` may use its values only in comparisons and limits.
   */
  function prepare<V extends unknown[], T>(build: (...values: V) => Compilable<T>): (...values: V) => Promise<T[]> {
    const places: unknown[] = Array.from({ length: build.length }, () => ({}));
    const { sql: text, query, queryId, parameters } = build(...(places as V)).compile();
    const at = parameters.map((parameter) => places.indexOf(parameter));
    return async (...values) => {
      const filled = parameters.map((parameter, n) => (at[n] === -1 ? parameter : values[at[n] as number]));
      return (await read({ sql: text, query, queryId, parameters: filled })) as T[];
    };
  }

  /**
   * Truncates SQLite's write-ahead log, whose older pages may contain deleted keys. Returns true if it is empty now. Otherwise a reader
   * blocks it, and attempts go on in the background. Never throws.
   */
  async function truncateLog(): Promise<boolean> {
    clearTimeout(truncation);
    const checkpoint = sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(kysely);
    const done = await checkpoint.then(({ rows }) => rows[0]?.busy === 0).catch(() => false);
    clearTimeout(truncation);
    if (!done && !closed) truncation = setTimeout(() => void truncateLog(), TRUNCATION_RETRY_MS).unref();
    return done;
  }

  return {
    kysely,
    engine,
    notices,
    transaction,
    batch,
    prepare,
    /** Counts the connections; null with SQLite, which has one. */
    connections: () => postgres?.connections() ?? null,
    /**
     * Calls the listener after each commit of this process, with the event that it changed (changes.ts). Returns a function that ends that.
     */
    onChange(listener: (eventId: string) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Runs `work` in a read transaction: it sees the database as of one moment, and writers do not wait for it. */
    async snapshot<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
      if (engine === 'postgres') return kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
      await using reader = new Kysely<Database>({ dialect: sqliteDialect(file, { reading: true }) });
      return await reader.transaction().execute(work);
    },
    /** Returns the applied migrations by name, in order. */
    migrations: (): Promise<string[]> => appliedMigrations(kysely),
    /**
     * Removes the bytes of deleted keys from the disk. SQLite: truncates the log, which keeps older pages. PostgreSQL: rewrites the tables
     * from which keys were deleted, which locks them; with `night` also the tables that lost only keys of single photos, links and
     * sessions. Not within a transaction. Throws if a reader blocks it for long: the rewrites stay due, and SQLite's log is truncated after
     * the reader's end. Ends once the signal is aborted.
     */
    async wipe({ night = false, signal }: { night?: boolean; signal?: AbortSignal } = {}): Promise<void> {
      if (sessionUrl) return rewriteDue(kysely, sessionUrl, { night, signal });
      const until = performance.now() + READERS_MS;
      while (!(await truncateLog())) {
        if (performance.now() > until) throw new Error('the log cannot be truncated while others read the database');
        await pause(READERS_RETRY_MS, undefined, { signal });
      }
    },
    /**
     * Must be called after keys were deleted, not within a transaction. SQLite: truncates the log now, or after the end of a reader that
     * blocks it. PostgreSQL: does nothing, because triggers record the due rewrites. Never throws.
     */
    async eraseDeleted(): Promise<void> {
      if (!url) await truncateLog();
    },
    /** Resolves if the database answers. */
    async check(): Promise<void> {
      await sql`select 1`.execute(kysely);
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(truncation);
      notices?.close();
      // On a silent line the regular end would never come.
      await withDeadline(kysely.destroy(), CLOSE_MS, 'database').catch(() => undefined);
    },
  };
}

/** Tells whether a server has already created the database. Creates nothing. Throws if PostgreSQL does not answer. */
export async function databaseExists({ url, file }: DatabaseLocation): Promise<boolean> {
  if (!url) return existsSync(file);
  using client = await openSession(url);
  const { rows } = await client.query<{ made: boolean }>(inTime("select to_regclass('kysely_migration') is not null as made"));
  return rows[0]?.made === true;
}

/** Repeats work after a deadlock or serialization failure. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === RETRIES || !isRetryable(error)) throw error;
    }
  }
}
