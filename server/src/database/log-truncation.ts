import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Between two attempts while another process reads. */
const RETRY_MS = 500;

/** SQLite's log, which holds older pages with deleted keys until it is truncated. */
export interface LogTruncation {
  /** True where the log is empty now; else it is tried again until no reader is in the way. Never throws. */
  truncate(): Promise<boolean>;
  close(): void;
}

export function createLogTruncation(kysely: Kysely<Database>): LogTruncation {
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function attempt(): Promise<boolean> {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(kysely);
    return rows[0]?.busy === 0;
  }

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
