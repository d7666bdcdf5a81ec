import { Kysely, sql, type Compilable } from 'kysely';
import { withDeadline } from '../lib/deadline.ts';
import { changedEvents, markChanged } from './changes.ts';
import { fromCommit, isRetryable, OutcomeUnknown } from './errors.ts';
import { createLogTruncation } from './log-truncation.ts';
import { appliedMigrations, migrate, requireSchema, SchemaMismatch } from './migrate.ts';
import { createNotices, type Notices } from './notices.ts';
import { postgresDialect, type Connections, type PostgresLimits } from './postgres.ts';
import { rewriteDue } from './rewrites.ts';
import type { Database, Trx } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

export type { Trx } from './schema.ts';

export interface Db {
  kysely: Kysely<Database>;
  engine: 'sqlite' | 'postgres';
  /**
   * Runs `work` in a transaction. `work` may run several times on PostgreSQL (after a deadlock or serialization failure). Throws
   * OutcomeUnknown if the connection failed at the commit; after any other error nothing was committed.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /**
   * Runs statements in a transaction, in their order; on PostgreSQL in one round trip, and prepared once for a connection: for
   * statements that are always the same. None may depend on what an earlier one returns,
   * so what must not be has to fail in the database. Returns the rows of each. `changes`: the event whose pages learn of it. Throws as
   * `transaction` does.
   */
  batch(statements: readonly Compilable[], changes?: string): Promise<unknown[][]>;
  /** A read transaction: `work` sees the database as of one moment, and writers do not wait for it. */
  snapshot<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** Names of the applied migrations, in order. */
  migrations(): Promise<string[]>;
  /**
   * Removes the bytes of deleted keys from the disk. SQLite: truncates the log, which keeps older pages. PostgreSQL: rewrites
   * the tables that keys were deleted from, which locks them; with `night` also the tables from which only keys of single
   * photos, links and sessions were deleted. Not within a transaction. Throws if a reader blocks it: the rewrites then stay due,
   * and SQLite's log is truncated once the reader has ended. A rewrite stops once the signal is aborted.
   */
  wipe(options?: { night?: boolean; signal?: AbortSignal }): Promise<void>;
  /**
   * Must be called after keys were deleted, not within a transaction. SQLite: truncates the log now, or once the reader that blocks
   * it has ended. PostgreSQL: does nothing, because triggers record the due rewrites. Never throws.
   */
  eraseDeleted(): Promise<void>;
  /** Calls back after each commit of this process, with the event that it changed (changes.ts). Returns what ends that. */
  onChange(listener: (eventId: string) => void): () => void;
  /** Sends notices to other processes and receives theirs; null with SQLite: there only commands are other processes. */
  notices: Notices | null;
  /** Null with SQLite, which has one. */
  connections(): Connections | null;
  /** Resolves if the database answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const RETRIES = 5;
/** Longest wait for the connections to end. */
const CLOSE_MS = 1000;

/** Where the database is: PostgreSQL at `url`, or SQLite in `file` if `url` is null. */
export interface DatabaseLocation {
  url: string | null;
  /** PostgreSQL without a pooler between, if that is another URL: for what needs a session of its own. */
  directUrl?: string | null;
  file: string;
}

interface Options extends PostgresLimits {
  /** `migrate` migrates the schema to this version; `require` throws SchemaMismatch if it differs. */
  schema: 'migrate' | 'require';
  /** For operator's commands: statements may take minutes. */
  patient?: boolean;
}

export async function openDatabase(
  { url, directUrl, file }: DatabaseLocation,
  { schema, patient = false, ...limits }: Options,
): Promise<Db> {
  const engine = url ? 'postgres' : 'sqlite';
  const sessionUrl = directUrl ?? url;
  const postgres = url ? postgresDialect(url, { ...limits, patient }) : null;
  const kysely = new Kysely<Database>({ dialect: postgres?.dialect ?? sqliteDialect(file) });
  try {
    await requireSchema(kysely, engine).catch(async (error: unknown) => {
      const pendingAlone = error instanceof SchemaMismatch && !error.unreleased && error.newer.length === 0;
      if (schema === 'require' || !pendingAlone) throw error;
      const patiently = sessionUrl ? postgresDialect(sessionUrl, { ...limits, patient: true }).dialect : sqliteDialect(file);
      const migrating = new Kysely<Database>({ dialect: patiently });
      await migrate(migrating, engine).finally(() => migrating.destroy());
    });
  } catch (error) {
    await kysely.destroy();
    throw error;
  }

  const log = createLogTruncation(kysely);
  const listeners = new Set<(eventId: string) => void>();
  const notices = sessionUrl ? createNotices(kysely, sessionUrl, limits.node) : null;
  const db: Db = {
    kysely,
    engine,
    notices,
    connections: () => postgres?.connections() ?? null,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        let committing = false;
        let changed: Iterable<string> | undefined;
        try {
          return await kysely
            .transaction()
            .execute(async (trx) => {
              const result = await work(trx);
              committing = true;
              changed = changedEvents(trx);
              return result;
            })
            .finally(() => {
              // Also where the outcome is not known.
              for (const eventId of changed ?? []) for (const listener of listeners) listener(eventId);
            });
        } catch (error) {
          if (attempt < RETRIES && isRetryable(error)) continue;
          throw committing ? fromCommit(error) : error;
        }
      }
    },
    async batch(statements, changes) {
      const compiled = statements.map((statement) => statement.compile());
      if (!postgres) {
        const [only, ...others] = compiled;
        if (only && others.length === 0 && changes === undefined) return [(await kysely.executeQuery(only)).rows];
        return db.transaction(async (trx) => {
          if (changes !== undefined) markChanged(trx, changes);
          const rows: unknown[][] = [];
          for (const statement of compiled) rows.push((await trx.executeQuery(statement)).rows);
          return rows;
        });
      }
      const notify = (): void => {
        if (changes !== undefined) for (const listener of listeners) listener(changes);
      };
      for (let attempt = 1; ; attempt++) {
        try {
          const rows = await postgres.batch(compiled);
          notify();
          return rows;
        } catch (error) {
          if (attempt < RETRIES && isRetryable(error)) continue;
          if (error instanceof OutcomeUnknown) notify();
          throw error;
        }
      }
    },
    async snapshot(work) {
      if (engine === 'postgres') return kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
      const reader = new Kysely<Database>({ dialect: sqliteDialect(file, { reading: true }) });
      try {
        return await reader.transaction().execute(work);
      } finally {
        await reader.destroy();
      }
    },
    migrations: () => appliedMigrations(kysely),
    async wipe({ night = false, signal } = {}) {
      if (sessionUrl) return rewriteDue(kysely, sessionUrl, { night, signal });
      if (!(await log.truncate())) throw new Error('the log cannot be truncated while others read the database');
    },
    async eraseDeleted() {
      if (!url) await log.truncate();
    },
    async check() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      log.close();
      await notices?.close();
      // On a silent line the regular end would never come.
      await withDeadline(kysely.destroy(), CLOSE_MS, 'database').catch(() => undefined);
    },
  };
  return db;
}
