import { chmodSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteDialect } from 'kysely';

/** Statements kept prepared; the product has fewer. */
const PREPARED = 300;
/** How long another process (the operator's commands) may hold the file, ms. */
const BUSY = 5000;

/**
 * Kysely's SQLite dialect on the runtime's own SQLite: write-ahead log, full durability, deleted bytes overwritten. A connection
 * that is `reading` writes nothing and holds up no writer.
 */
export function sqliteDialect(file: string, { reading = false }: { reading?: boolean } = {}): SqliteDialect {
  const db = new DatabaseSync(file, { timeout: BUSY, enableForeignKeyConstraints: true });
  // Log and shared memory take their mode from the file.
  chmodSync(file, 0o600);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;');
  if (reading) db.exec('PRAGMA query_only = ON;');
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= PREPARED) prepared.clear();
    const fresh = db.prepare(sql);
    prepared.set(sql, fresh);
    return fresh;
  };
  return new SqliteDialect({
    database: {
      close: () => db.close(),
      prepare(sql) {
        // Taking the write lock first, a transaction never finds at its first write that another process was ahead.
        const found = statement(sql === 'begin' && !reading ? 'begin immediate' : sql);
        return {
          reader: found.columns().length > 0,
          all: (parameters) => found.all(...(parameters as SQLInputValue[])),
          run: (parameters) => {
            // On a full disk SQLite has rolled back by itself; that there is nothing left to do must not hide why.
            if (sql === 'rollback' && !db.isTransaction) return { changes: 0, lastInsertRowid: 0 };
            return found.run(...(parameters as SQLInputValue[]));
          },
          iterate: (parameters) => found.iterate(...(parameters as SQLInputValue[])),
        };
      },
    },
  });
}
