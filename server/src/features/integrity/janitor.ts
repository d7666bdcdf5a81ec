import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUuid } from '../../lib/ids.ts';
import { photoOf, type BlobStore } from '../../storage/blob-store.ts';

/** Blobs whose photos are looked up with one query. */
const BATCH = 200;
/** Younger blobs may belong to an upload whose row is not written yet. */
const GRACE_MS = 60 * 60 * 1000;

interface Parts {
  db: Db;
  blobs: BlobStore;
  clock: Clock;
}

export interface Janitor {
  /**
   * Goes through the whole store once and removes blobs that are at least `graceMs` old and have no photo. Returns how many.
   */
  sweep(options?: { graceMs?: number }): Promise<number>;
}

/** Removes blobs of photos that have no row: crashes and failed removals leave them behind. */
export function createJanitor({ db, blobs, clock }: Parts): Janitor {
  async function removeOrphans(keys: string[]): Promise<number> {
    const ids = [...new Set(keys.map(photoOf))].filter(isUuid);
    if (ids.length === 0) return 0;
    const rows = await db.kysely.selectFrom('photos').select('id').where('id', 'in', ids).execute();
    const known = new Set(rows.map(({ id }) => id));
    const orphans = keys.filter((key) => isUuid(photoOf(key)) && !known.has(photoOf(key)));
    for (const key of orphans) await blobs.remove(key);
    return orphans.length;
  }

  return {
    async sweep({ graceMs = GRACE_MS } = {}) {
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
