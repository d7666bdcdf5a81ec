import { existsSync } from 'node:fs';
import { openSession } from './postgres.ts';

/** Longest wait for the answer. */
const ANSWER_MS = 10_000;

/** Whether a server has already created the database. Creates nothing. Throws where PostgreSQL does not answer. */
export async function databaseExists({ url, file }: { url: string | null; file: string }): Promise<boolean> {
  if (!url) return existsSync(file);
  const client = await openSession(url, { query_timeout: ANSWER_MS });
  try {
    const { rows } = await client.query<{ made: boolean }>("select to_regclass('kysely_migration') is not null as made");
    return rows[0]?.made === true;
  } finally {
    await client.end();
  }
}
