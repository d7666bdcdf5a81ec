import { chmodSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectQueryNode,
} from 'kysely';
import { createFairSemaphore } from '../lib/concurrency/fair-semaphore.ts';
import { Unavailable } from '../lib/errors.ts';
import { isBusy } from './errors.ts';

/** Most prepared statements kept; the server uses fewer. */
const PREPARED = 300;
/** How long opening waits while another process locks the file. This wait blocks the whole process. */
const OPEN_MS = 5000;
/** How long a statement waits for another process to end its transaction: longer than a phone would have to send a photo once more. */
const BUSY_MS = 20_000;
/** Pause between two attempts; it grows, because hundreds of uploads may wait. */
const FIRST_RETRY_MS = 10;
const LAST_RETRY_MS = 250;
/**
 * Time after which a statement first lets the event loop turn. A statement blocks the event loop, and the next one follows in a microtask:
 * of hundreds of waiting statements all would run before anything else of this process.
 */
const TURN_MS = 5;

/**
 * Kysely's SQLite dialect on the runtime's own SQLite: write-ahead log, full durability, deleted bytes overwritten. A `reading`
 * connection is read-only and never blocks a writer.
 */
export function sqliteDialect(file: string, { reading = false }: { reading?: boolean } = {}): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => createDriver(file, reading),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  };
}

class Adapter extends SqliteAdapter {
  /** Kysely sees one connection for each caller; the driver below lets them share the only real one. */
  override get supportsMultipleConnections() {
    return true;
  }
  /** A migration is applied whole or not at all. */
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Leaves out locks of rows: SQLite has none, and needs none, as its transactions run one after another. */
class Compiler extends SqliteQueryCompiler {
  protected override visitSelectQuery({ endModifiers: _, ...node }: SelectQueryNode): void {
    super.visitSelectQuery(node);
  }
}

/** A caller's connection; `release` ends its exclusive use of the file after a transaction. */
interface Caller extends DatabaseConnection {
  release?: (() => void) | undefined;
}

/**
 * All callers share one connection: a transaction has exclusive use until its end, every other statement only while it runs. If
 * another process locks the file, a caller retries later while other callers go on; SQLite's own waiting would block the whole
 * process.
 */
function createDriver(file: string, reading: boolean): Driver {
  const db = open(file, reading);
  const exclusive = createFairSemaphore(1, { maxWaitMs: BUSY_MS });
  const execute = statements(db);
  let turnedAt = 0;

  /** Lets the event loop turn if its last turn was long ago. */
  async function turn(): Promise<void> {
    if (performance.now() - turnedAt < TURN_MS) return;
    await nextTurn();
    turnedAt = performance.now();
  }

  /**
   * Runs `work` with exclusive use of the connection, which lasts until `release`. Waits BUSY_MS for its turn, and while the file is
   * locked.
   */
  async function attempt<T>(work: () => T): Promise<{ result: T; release: () => void }> {
    const until = performance.now() + BUSY_MS;
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)) {
      const place = await exclusive.acquire();
      await turn();
      const release = (): void => place[Symbol.dispose]();
      try {
        return { result: work(), release };
      } catch (error) {
        release();
        if (!isBusy(error)) throw error;
        if (performance.now() >= until) throw new Unavailable('database', error);
      }
      await pause(retryMs);
    }
  }

  async function end(caller: Caller, sql: 'commit' | 'rollback'): Promise<void> {
    if (!caller.release) return;
    try {
      // On a full disk SQLite has rolled back by itself. A second rollback would fail and hide the first error.
      if (sql === 'commit' || db.isTransaction) execute(sql, []);
    } finally {
      if (!db.isTransaction) {
        caller.release();
        caller.release = undefined;
      }
    }
  }

  return {
    init: async () => undefined,
    async acquireConnection(): Promise<Caller> {
      const caller: Caller = {
        async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
          if (caller.release) {
            await turn();
            return execute<R>(sql, parameters);
          }
          const { result, release } = await attempt(() => execute<R>(sql, parameters));
          release();
          return result;
        },
        streamQuery() {
          throw new Error('not supported: read in pages');
        },
      };
      return caller;
    },
    async beginTransaction(caller: Caller) {
      // The write lock is taken at the begin, so that the first write cannot fail because another process wrote before.
      caller.release = (await attempt(() => execute(reading ? 'begin' : 'begin immediate', []))).release;
    },
    commitTransaction: (caller) => end(caller, 'commit'),
    rollbackTransaction: (caller) => end(caller, 'rollback'),
    releaseConnection: async () => undefined,
    destroy: async () => db.close(),
  };
}

function open(file: string, reading: boolean): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: OPEN_MS, enableForeignKeyConstraints: true });
  // SQLite gives the log and the shared memory the same mode as this file.
  chmodSync(file, 0o600);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 0;');
  if (reading) db.exec('PRAGMA query_only = ON;');
  return db;
}

/** Runs statements and keeps them prepared. */
function statements(db: DatabaseSync): <R>(sql: string, parameters: readonly unknown[]) => QueryResult<R> {
  const prepared = new Map<string, { statement: StatementSync; hasRows: boolean }>();
  return <R>(sql: string, parameters: readonly unknown[]) => {
    let found = prepared.get(sql);
    if (!found) {
      if (prepared.size >= PREPARED) prepared.clear();
      const statement = db.prepare(sql);
      prepared.set(sql, (found = { statement, hasRows: statement.columns().length > 0 }));
    }
    const { statement, hasRows } = found;
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
}
