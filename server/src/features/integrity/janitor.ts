import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUuid } from '../../lib/ids.ts';
import { eventPrefix, EVENTS_PREFIX, type BlobStore } from '../../storage/blob-store.ts';
import { unnamedOf } from './blob-life.ts';

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
/** Interval at which a sweep stores its progress. */
const NOTE_MS = 5000;
/** Name of the row in `settings` that holds the progress. */
const NAME = 'sweep';

/**
 * Progress of the last sweep. `after`: id of the last event that it reached ('' at the start), null once it has finished. `key`: last blob
 * checked in that event, if the event is not finished.
 */
interface Sweep {
  begunAt: number;
  after: string | null;
  key?: string;
}

interface Options {
  graceMs: number;
  signal: AbortSignal | undefined;
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
   * The same for some minutes: a sweep that has not come to the end goes on behind the last blob, at night a new one begins, and by day
   * where the last one is long ago.
   */
  sweepPart(options: { night: boolean; signal?: AbortSignal }): Promise<number>;
  /** Removes the blobs that were noted as left behind some minutes ago. Returns how many. */
  removeKnown(signal?: AbortSignal): Promise<number>;
}

/** Removes blobs that no row names: crashes and failed removals leave them behind. */
export function createJanitor({ db, blobs, clock, partMs = PART_MS }: Parts): Janitor {
  async function removeOrphans(keys: string[], signal: AbortSignal | undefined): Promise<number> {
    const orphans = await unnamedOf(db, keys);
    for (const key of orphans) {
      signal?.throwIfAborted();
      await blobs.remove(key);
    }
    return orphans.length;
  }

  /** Sweeps an event's blobs behind the key `after`. `reached` is told of each batch's last key, and returns whether time is over. */
  async function sweepEvent(
    eventId: string,
    { graceMs, signal, after = '', reached }: Options & { after?: string | undefined; reached?: (key: string) => Promise<boolean> },
  ): Promise<number> {
    const old = clock.now() - graceMs;
    let removed = 0;
    let batch: string[] = [];
    let seen = 0;
    for await (const { key, modifiedAt } of blobs.list(eventPrefix(eventId), after)) {
      signal?.throwIfAborted();
      if (modifiedAt <= old || graceMs <= 0) batch.push(key);
      if (++seen % BATCH !== 0) continue;
      removed += await removeOrphans(batch, signal);
      batch = [];
      if (await reached?.(key)) return removed;
    }
    return removed + (await removeOrphans(batch, signal));
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
        removed += await removeOrphans(keys, signal);
        await db.kysely.deleteFrom('orphans').where('key', 'in', keys).execute();
      }
    },

    async sweep({ graceMs = GRACE_MS, signal } = {}) {
      let removed = 0;
      for await (const id of blobs.folders(EVENTS_PREFIX, '')) if (isUuid(id)) removed += await sweepEvent(id, { graceMs, signal });
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
      const state = sweep;
      const began = performance.now();
      let noted = began;
      let over = false;
      /** Called wherever the sweep may end. */
      const reached = async (after: string, key?: string): Promise<boolean> => {
        state.after = after;
        if (key === undefined) delete state.key;
        else state.key = key;
        over = performance.now() - began >= partMs;
        if (over || performance.now() - noted >= NOTE_MS) {
          await note(state);
          noted = performance.now();
        }
        return over;
      };
      let removed = 0;
      const event = async (id: string, after?: string): Promise<boolean> => {
        removed += await sweepEvent(id, { graceMs: GRACE_MS, signal, after, reached: (key) => reached(id, key) });
        return over || reached(id);
      };
      if (state.after && state.key && (await event(state.after, state.key))) return removed;
      for await (const id of blobs.folders(EVENTS_PREFIX, state.after ?? '')) {
        if (isUuid(id) && (await event(id))) return removed;
      }
      await note({ begunAt: state.begunAt, after: null });
      return removed;
    },
  };
}
