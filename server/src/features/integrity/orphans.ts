import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { Unavailable } from '../../lib/errors.ts';
import type { BlobStore } from '../../storage/blob-store.ts';

/** Pause before keys are written down again, where the database did not answer. */
const RETRY_MS = 30_000;
/** Keys in one statement. */
const BATCH = 500;
/** Keys that wait for the database; the nightly sweep finds the others. */
const MAX_NOTES = 10_000;

/** Remembers blobs that were left behind, so that they are removed within the hour. */
export interface Orphans {
  note(keys: readonly string[]): void;
  /** The store, which notes what it could not remove, and what it may have stored without an answer. */
  watch(blobs: BlobStore): BlobStore;
  close(): void;
}

export function createOrphans({ db, clock }: { db: Pick<Db, 'kysely'>; clock: Clock }): Orphans {
  const waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    try {
      while (waiting.size > 0) {
        const rows = [...waiting].slice(0, BATCH).map(([key, at]) => ({ key, at }));
        await db.kysely
          .insertInto('orphans')
          .values(rows)
          .onConflict((conflict) => conflict.column('key').doNothing())
          .execute();
        for (const { key } of rows) waiting.delete(key);
      }
    } catch {
      clearTimeout(timer);
      timer = setTimeout(() => void write(), RETRY_MS).unref();
    }
    writing = false;
  }

  const note = (keys: readonly string[]): void => {
    for (const key of keys) if (waiting.size < MAX_NOTES) waiting.set(key, clock.now());
    void write();
  };
  /** Even where the blob is removed afterwards: it may appear later than that. */
  const noting = (key: string, work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (error instanceof Unavailable) note([key]);
      throw error;
    });
  return {
    note,
    watch: (blobs) => ({
      ...blobs,
      put: (key, bytes) => noting(key, blobs.put(key, bytes)),
      adopt: (key, path) => noting(key, blobs.adopt(key, path)),
      remove: (key) =>
        blobs.remove(key).catch((error: unknown) => {
          note([key]);
          throw error;
        }),
    }),
    close: () => clearTimeout(timer),
  };
}
