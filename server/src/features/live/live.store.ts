import type { Db } from '../../database/open.ts';

/** Ids in one statement. */
const CHUNK = 1000;

/** The number of the last change of each event; events that are gone are left out. */
export async function lastChanges({ kysely }: Pick<Db, 'kysely'>, ids: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let at = 0; at < ids.length; at += CHUNK) {
    const rows = await kysely
      .selectFrom('events')
      .select(['id', 'change_seq'])
      .where('id', 'in', ids.slice(at, at + CHUNK))
      .execute();
    for (const { id, change_seq } of rows) found.set(id, change_seq);
  }
  return found;
}
