import { Kysely, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { fromCommit, isRetryable } from './errors.ts';
import { start } from './migrations/0001-start.ts';
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
   * truncated. PostgreSQL keeps them in the pages until the table is written anew, which stops all who use it: only tables
   * that keys were destroyed in are, with `night` also those where single photos, links and sessions ended. Not within a
   * transaction. Throws where a reader is in the way; what is due then stays due.
   */
  wipe(options?: { night?: boolean }): Promise<void>;
  /** Resolves if the database answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const RETRIES = 5;

/** Opens PostgreSQL at `url`, or SQLite in `file` where there is none, and brings it up to the newest migration. */
export async function openDatabase({ url, file }: { url: string | null; file: string }): Promise<Db> {
  const engine = url ? 'postgres' : 'sqlite';
  const kysely = new Kysely<Database>({ dialect: url ? postgresDialect(url) : sqliteDialect(file) });
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
    async migrations() {
      const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(kysely);
      return rows.map(({ name }) => name);
    },
    async wipe({ night = false } = {}) {
      if (url) return rewriteDue(kysely, url, { night });
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(kysely);
      if (rows[0]?.busy !== 0) throw new Error('the log cannot be truncated while others read the database');
    },
    async check() {
      await sql`select 1`.execute(kysely);
    },
    close: () => kysely.destroy(),
  };
  try {
    await migrate(kysely, engine);
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  return db;
}

async function migrate(kysely: Kysely<Database>, engine: Db['engine']): Promise<void> {
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => ({ '0001-start': start(engine) }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
