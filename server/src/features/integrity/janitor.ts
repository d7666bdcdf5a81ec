import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUuid } from '../../lib/ids.ts';
import { blobsOf, partOf, photoOf, type BlobStore } from '../../storage/blob-store.ts';

/** Blobs whose photos are looked up with one query. */
const BATCH = 200;
/** Younger blobs may belong to an upload whose row is not written yet; a clock may be up to an hour ahead unnoticed. */
const GRACE_MS = 3 * 60 * 60 * 1000;

/** A transaction whose outcome was not known is over after this time. */
const NOTED_MS = 10 * 60 * 1000;

interface Parts {
  db: Db;
  blobs: BlobStore;
  clock: Clock;
}

export interface Janitor {
  /**
   * Goes through the whole store once and removes blobs that are at least `graceMs` old and that no row of a photo or upload names.
   * Returns how many.
   */
  sweep(options?: { graceMs?: number; signal?: AbortSignal }): Promise<number>;
  /** Removes the blobs that were noted as left behind some minutes ago. Returns how many. */
  removeKnown(signal?: AbortSignal): Promise<number>;
}

/** Removes blobs that no row names: crashes and failed removals leave them behind. */
export function createJanitor({ db, blobs, clock }: Parts): Janitor {
  async function removeOrphans(keys: string[]): Promise<number> {
    const ids = [...new Set(keys.map(photoOf))].filter(isUuid);
    if (ids.length === 0) return 0;
    const rows = await db.kysely.selectFrom('photos').selectAll().where('id', 'in', ids).execute();
    const named = new Set(rows.flatMap(blobsOf).map(({ key }) => key));
    const parts = await db.kysely.selectFrom('upload_parts').selectAll().where('upload_id', 'in', ids).execute();
    const isPart = (key: string): boolean => {
      const part = partOf(key);
      return part !== null && parts.some(({ upload_id, n }) => upload_id === part.uploadId && n === part.n);
    };
    const orphans = keys.filter((key) => isUuid(photoOf(key)) && !named.has(key) && !isPart(key));
    for (const key of orphans) await blobs.remove(key);
    return orphans.length;
  }

  return {
    async removeKnown(signal) {
      let removed = 0;
      for (;;) {
        const noted = db.kysely
          .selectFrom('orphans')
          .select('key')
          .where('at', '<=', clock.now() - NOTED_MS)
          .orderBy('at')
          .limit(BATCH);
        const keys = (await noted.execute()).map(({ key }) => key);
        if (keys.length === 0 || signal?.aborted) return removed;
        removed += await removeOrphans(keys);
        await db.kysely.deleteFrom('orphans').where('key', 'in', keys).execute();
      }
    },
    async sweep({ graceMs = GRACE_MS, signal } = {}) {
      const old = clock.now() - graceMs;
      let removed = 0;
      let batch: string[] = [];
      for await (const { key, modifiedAt } of blobs.list('events/')) {
        if (signal?.aborted) return removed;
        if (modifiedAt > old && graceMs > 0) continue;
        if (batch.push(key) < BATCH) continue;
        removed += await removeOrphans(batch);
        batch = [];
      }
      return removed + (await removeOrphans(batch));
    },
  };
}
