import { HOUR } from '@feierbild/contract/constants.ts';
import { readSetting, writeSetting } from '../../database/settings.ts';
import { Unavailable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { eventPrefix, EVENTS_PREFIX, Inaccessible, withGaps } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';
import { unnamedOf } from './blob-life.ts';
import { createStoreOwner } from './store-owner.ts';

/** Blobs per query. */
const BATCH = 200;
/** Age below which a blob may belong to an upload whose row is not written yet; a clock may be up to an hour ahead unnoticed. */
const GRACE_MS = 3 * HOUR;
/** Time after which a transaction of unknown outcome has ended. */
const NOTED_MS = 10 * 60 * 1000;
/** Longest part of a sweep; the next part continues it. */
const PART_MS = 10 * 60 * 1000;
/** Interval between the beginnings of sweeps: once a night, or by day if the server is off at night. */
const EVERY_MS = 12 * HOUR;
const OVERDUE_MS = 48 * HOUR;
/** Name of the row in `settings` that holds the progress. */
const NAME = 'sweep';

/** The progress of a sweep: after the event `after` ('' at the start), or after the blob `key` of this event. */
interface Cursor {
  after: string;
  key?: string;
}
const START: Cursor = { after: '' };

/** The last sweep with its progress; `after` is null once it has finished. */
type Sweep = { begunAt: number } & (Cursor | { after: null });

export type Janitor = ReturnType<typeof createJanitor>;

/**
 * Creates the removal of blobs that no row references, which crashes and failed removals leave. Sweeps throw OthersStore in the store of
 * another database, where no row references any. `partMs` replaces PART_MS in tests.
 */
export function createJanitor({ db, blobs, clock, partMs = PART_MS }: Pick<Context, 'db' | 'blobs' | 'clock'> & { partMs?: number }) {
  const owner = createStoreOwner({ db, blobs });

  /** Removes those of the blobs that no row references, and returns their number. Adds those that stay to `gaps`. */
  async function removeOrphans(keys: string[], gaps: Inaccessible[], signal: AbortSignal | undefined): Promise<number> {
    let removed = 0;
    for (const key of await unnamedOf(db, keys, clock.now())) {
      signal?.throwIfAborted();
      try {
        await blobs.remove(key);
        removed += 1;
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        gaps.push(new Inaccessible([key], error));
      }
    }
    return removed;
  }

  async function* eventsBehind({ after, key }: Cursor): AsyncGenerator<string> {
    if (key !== undefined) yield after;
    for await (const id of blobs.folders(EVENTS_PREFIX, after)) if (isUuid(id)) yield id;
  }

  /**
   * Sweeps the store after `from`; returns where to continue, null at the end, and what is inaccessible. Calls `isOver` wherever it
   * may pause.
   */
  async function sweepBehind(from: Cursor, graceMs: number, isOver: () => boolean, signal?: AbortSignal) {
    await owner.refuseOthers();
    const old = clock.now() - graceMs;
    let removed = 0;
    const gaps: Inaccessible[] = [];
    for await (const event of eventsBehind(from)) {
      const listed = blobs.list(eventPrefix(event), event === from.after ? from.key : '');
      let batch: string[] = [];
      let seen = 0;
      for await (const { key, modifiedAt } of withGaps(listed, (gap) => gaps.push(gap))) {
        signal?.throwIfAborted();
        if (modifiedAt <= old || graceMs <= 0) batch.push(key);
        if (++seen % BATCH !== 0) continue;
        removed += await removeOrphans(batch, gaps, signal);
        batch = [];
        if (isOver()) return { removed, gaps, reached: { after: event, key } };
      }
      removed += await removeOrphans(batch, gaps, signal);
      if (isOver()) return { removed, gaps, reached: { after: event } };
    }
    return { removed, gaps, reached: null };
  }

  const note = (sweep: Sweep): Promise<void> => writeSetting(db, NAME, JSON.stringify(sweep));

  return {
    /** Removes the blobs that were noted as left behind some minutes ago. Returns their number. Throws Inaccessible at the end. */
    async removeKnown(signal?: AbortSignal): Promise<number> {
      let removed = 0;
      const gaps: Inaccessible[] = [];
      for (;;) {
        const noted = db.kysely
          .selectFrom('orphans')
          .select('key')
          .where('at', '<=', clock.now() - NOTED_MS)
          .orderBy('at')
          .limit(BATCH);
        const keys = (await noted.execute()).map(({ key }) => key);
        if (keys.length === 0 || signal?.aborted) {
          throwAll(gaps);
          return removed;
        }
        removed += await removeOrphans(keys, gaps, signal);
        // The nightly sweep finds those that stay.
        await db.kysely.deleteFrom('orphans').where('key', 'in', keys).execute();
      }
    },

    /**
     * Sweeps the whole store and removes blobs that are at least `graceMs` old and that no row references. Returns their number. Throws
     * Inaccessible at the end.
     */
    async sweep({ graceMs = GRACE_MS, signal }: { graceMs?: number; signal?: AbortSignal } = {}): Promise<number> {
      const { removed, gaps } = await sweepBehind(START, graceMs, () => false, signal);
      throwAll(gaps);
      return removed;
    },

    /**
     * Sweeps for some minutes. Continues an unfinished sweep; begins a new one at night, or by day if the last one is long ago. Throws
     * Inaccessible at the end; the next part goes on behind that.
     */
    async sweepPart({ night, signal }: { night: boolean; signal?: AbortSignal }): Promise<number> {
      const now = clock.now();
      const noted = await readSetting(db, NAME);
      const last = noted && (JSON.parse(noted.toString()) as Sweep);
      let from = last?.after != null ? last : null;
      if (!from) {
        const age = last ? now - last.begunAt : night ? EVERY_MS : 0;
        // After the clock was set back, the last sweep lies in the future.
        const due = age < 0 || age >= (night ? EVERY_MS : OVERDUE_MS);
        if (!last && !due) await note({ begunAt: now, after: null });
        if (!due) return 0;
        from = { begunAt: now, ...START };
      }
      const began = performance.now();
      const isOver = (): boolean => performance.now() - began >= partMs;
      const { removed, gaps, reached } = await sweepBehind(from, GRACE_MS, isOver, signal);
      await note({ begunAt: from.begunAt, ...(reached ?? { after: null }) });
      throwAll(gaps);
      return removed;
    },
  };
}

/** Throws gaps as one. */
function throwAll(gaps: Inaccessible[]): void {
  const names = gaps.flatMap((gap) => gap.names);
  if (names.length > 0) throw new Inaccessible(names, gaps[0]?.cause);
}
