import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Pause between two attempts while another process reads. */
const RETRY_MS = 500;

/** Truncates SQLite's write-ahead log, which may contain deleted keys in older pages. */
export function createLogTruncation(kysely: Kysely<Database>) {
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function attempt(): Promise<boolean> {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(kysely);
    return rows[0]?.busy === 0;
  }

  /** True if the log is empty now. Otherwise a reader blocks it, and attempts go on in the background. Never throws. */
  async function truncate(): Promise<boolean> {
    clearTimeout(retry);
    const done = await attempt().catch(() => false);
    clearTimeout(retry);
    if (!done && !closed) retry = setTimeout(() => void truncate(), RETRY_MS).unref();
    return done;
  }

  return {
    truncate,
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}
