import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUuid } from '../../lib/ids.ts';
import { blobsOf, eventPrefix, EVENTS_PREFIX, partOf, photoOf, type BlobStore } from '../../storage/blob-store.ts';

/** Blobs whose photos are looked up with one query. */
const BATCH = 200;
const HOUR_MS = 60 * 60 * 1000;
/** Younger blobs may belong to an upload whose row is not written yet; a clock may be up to an hour ahead unnoticed. */
const GRACE_MS = 3 * HOUR_MS;
/** A transaction whose outcome was not known is over after this time. */
const NOTED_MS = 10 * 60 * 1000;
/** Longest part of a sweep; the next one goes on behind it. */
const PART_MS = 10 * 60 * 1000;
/** From the beginning of one sweep to the next: once a night, and by day where the server is off at night. */
const EVERY_MS = 12 * HOUR_MS;
const OVERDUE_MS = 48 * HOUR_MS;
/** How often is written down how far a sweep has come. */
const NOTE_MS = 5000;
/** Where in the settings. */
const NAME = 'sweep';

/** How far the last sweep has come: behind this event, or null: to the end. */
interface Sweep {
  begunAt: number;
  after: string | null;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  clock: Clock;
  /** Another, for tests. */
  partMs?: number;
}

export interface Janitor {
  /** Goes through the whole store once and removes blobs that are at least `graceMs` old and that no row names. Returns how many. */
  sweep(options?: { graceMs?: number; signal?: AbortSignal }): Promise<number>;
  /**
   * The same event by event, for some minutes: a sweep that has not come to the end goes on, at night a new one begins, and by day where
   * the last one is long ago.
   */
  sweepPart(options: { night: boolean; signal?: AbortSignal }): Promise<number>;
  /** Removes the blobs that were noted as left behind some minutes ago. Returns how many. */
  removeKnown(signal?: AbortSignal): Promise<number>;
}

/** Removes blobs that no row names: crashes and failed removals leave them behind. */
export function createJanitor({ db, blobs, clock, partMs = PART_MS }: Parts): Janitor {
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

  async function sweepEvent(eventId: string, graceMs: number, signal: AbortSignal | undefined): Promise<number> {
    const old = clock.now() - graceMs;
    let removed = 0;
    let batch: string[] = [];
    for await (const { key, modifiedAt } of blobs.list(eventPrefix(eventId))) {
      signal?.throwIfAborted();
      if (modifiedAt > old && graceMs > 0) continue;
      if (batch.push(key) < BATCH) continue;
      removed += await removeOrphans(batch);
      batch = [];
    }
    return removed + (await removeOrphans(batch));
  }

  async function read(): Promise<Sweep | null> {
    const row = await db.kysely.selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst();
    return row ? (JSON.parse(Buffer.from(row.value).toString()) as Sweep) : null;
  }

  async function note(sweep: Sweep): Promise<void> {
    const value = Buffer.from(JSON.stringify(sweep));
    await db.kysely
      .insertInto('settings')
      .values({ name: NAME, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
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
      let removed = 0;
      for await (const id of blobs.folders(EVENTS_PREFIX, '')) if (isUuid(id)) removed += await sweepEvent(id, graceMs, signal);
      return removed;
    },

    async sweepPart({ night, signal }) {
      let sweep = await read();
      if (!sweep || sweep.after === null) {
        const now = clock.now();
        const age = sweep ? now - sweep.begunAt : night ? EVERY_MS : 0;
        // A clock that was set back makes the last one lie in the future.
        const due = age < 0 || age >= (night ? EVERY_MS : OVERDUE_MS);
        if (!sweep && !due) await note({ begunAt: now, after: null });
        if (!due) return 0;
        sweep = { begunAt: now, after: '' };
      }
      const began = performance.now();
      let noted = began;
      let removed = 0;
      for await (const id of blobs.folders(EVENTS_PREFIX, sweep.after ?? '')) {
        if (!isUuid(id)) continue;
        removed += await sweepEvent(id, GRACE_MS, signal);
        sweep.after = id;
        const over = performance.now() - began >= partMs;
        if (over || performance.now() - noted >= NOTE_MS) {
          await note(sweep);
          noted = performance.now();
        }
        if (over) return removed;
      }
      await note({ ...sweep, after: null });
      return removed;
    },
  };
}
