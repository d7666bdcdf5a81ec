import { Kysely, sql, type Transaction } from 'kysely';
import { fromCommit, isRetryable } from './errors.ts';
import { createLogTruncation } from './log-truncation.ts';
import { appliedMigrations, migrate, requireSchema, SchemaMismatch } from './migrate.ts';
import { postgresDialect } from './postgres.ts';
import { rewriteDue } from './rewrites.ts';
import type { Database } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

export type Trx = Transaction<Database>;

export interface Db {
  kysely: Kysely<Database>;
  engine: 'sqlite' | 'postgres';
  /**
   * All or nothing. `work` may run again where PostgreSQL asks for it (deadlock, serialization). Throws OutcomeUnknown where the
   * connection failed at the commit; after any other error nothing was committed.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** All that `work` reads is of one moment; nobody who writes has to wait for it. */
  snapshot<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** Names of the migrations that the database has had, in order. */
  migrations(): Promise<string[]>;
  /**
   * Leaves no bytes of deleted keys behind. SQLite overwrites them at once, but its log holds older pages until it is
   * truncated. PostgreSQL keeps them in the pages until the table is rewritten, which stops all who use it: only tables
   * that lost keys are rewritten, with `night` also those that lost keys of single photos, links and sessions. Not within a
   * transaction. Throws where a reader is in the way; what is due then stays due, and SQLite's log goes once the reader has.
   */
  wipe(options?: { night?: boolean }): Promise<void>;
  /**
   * To be called after keys were destroyed, not within a transaction. SQLite: wipes at once, or once the reader that is in the
   * way has gone. PostgreSQL: nothing, its triggers note what is due. Never throws.
   */
  eraseDeleted(): Promise<void>;
  /** Resolves if the database answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const RETRIES = 5;

/** Where the database is: PostgreSQL at `url`, or SQLite in `file` where there is none. */
export interface DatabaseLocation {
  url: string | null;
  file: string;
}

interface Options {
  /** `migrate` brings the schema up to this version; `require` throws SchemaMismatch where it is another. */
  schema: 'migrate' | 'require';
  /** For operator's commands: statements may take minutes. */
  patient?: boolean;
  /** To PostgreSQL, at most. */
  connections?: number;
}

export async function openDatabase({ url, file }: DatabaseLocation, { schema, patient = false, ...pool }: Options): Promise<Db> {
  const engine = url ? 'postgres' : 'sqlite';
  const connect = (options: { patient: boolean }): Kysely<Database> =>
    new Kysely<Database>({ dialect: url ? postgresDialect(url, { ...pool, ...options }) : sqliteDialect(file) });
  const kysely = connect({ patient });
  try {
    await requireSchema(kysely, engine).catch(async (error: unknown) => {
      if (schema === 'require' || !(error instanceof SchemaMismatch)) throw error;
      const migrating = connect({ patient: true });
      await migrate(migrating, engine).finally(() => migrating.destroy());
    });
  } catch (error) {
    await kysely.destroy();
    throw error;
  }

  const log = createLogTruncation(kysely);
  const db: Db = {
    kysely,
    engine,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        let committing = false;
        try {
          return await kysely.transaction().execute(async (trx) => {
            const result = await work(trx);
            committing = true;
            return result;
          });
        } catch (error) {
          if (attempt < RETRIES && isRetryable(error)) continue;
          throw committing ? fromCommit(error) : error;
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
    async wipe({ night = false } = {}) {
      if (url) return rewriteDue(kysely, url, { night });
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
      await kysely.destroy();
    },
  };
  return db;
}
