import { existsSync } from 'node:fs';
import { cut, inTime, openSession } from './postgres.ts';

/** Whether a server has already created the database. Creates nothing. Throws where PostgreSQL does not answer. */
export async function databaseExists({ url, file }: { url: string | null; file: string }): Promise<boolean> {
  if (!url) return existsSync(file);
  const client = await openSession(url);
  try {
    const { rows } = await client.query<{ made: boolean }>(inTime("select to_regclass('kysely_migration') is not null as made"));
    return rows[0]?.made === true;
  } finally {
    cut(client);
  }
}
