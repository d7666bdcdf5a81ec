import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUuid } from '../../lib/ids.ts';
import type { BlobStore } from '../../storage/blob-store.ts';

/** Photos looked up at once. */
const BATCH = 200;
/** No upload takes so long from its first byte to its row, ms. */
const GRACE = 60 * 60 * 1000;

interface Parts {
  db: Db;
  blobs: BlobStore;
  clock: Clock;
}

export interface Janitor {
  /**
   * Looks through the whole store once; answers how many blobs it removed. Blobs younger than `graceMs` may belong to an upload
   * that is still on its way.
   */
  sweep(options?: { graceMs?: number }): Promise<number>;
}

/** Removes what crashes, and a store that did not answer, leave in the photo store: blobs of photos that have no row. */
export function createJanitor({ db, blobs, clock }: Parts): Janitor {
  async function removeOrphans(keys: string[]): Promise<number> {
    const idOf = (key: string): string => key.split('/').at(-1)?.split('.')[0] ?? '';
    const ids = [...new Set(keys.map(idOf))].filter(isUuid);
    if (ids.length === 0) return 0;
    const rows = await db.kysely.selectFrom('photos').select('id').where('id', 'in', ids).execute();
    const known = new Set(rows.map(({ id }) => id));
    const orphans = keys.filter((key) => isUuid(idOf(key)) && !known.has(idOf(key)));
    for (const key of orphans) await blobs.remove(key);
    return orphans.length;
  }

  return {
    async sweep({ graceMs = GRACE } = {}) {
      const old = clock.now() - graceMs;
      let removed = 0;
      let batch: string[] = [];
      for await (const { key, modifiedAt } of blobs.list('events/')) {
        if (modifiedAt > old && graceMs > 0) continue;
        if (batch.push(key) < BATCH) continue;
        removed += await removeOrphans(batch);
        batch = [];
      }
      return removed + (await removeOrphans(batch));
    },
  };
}
