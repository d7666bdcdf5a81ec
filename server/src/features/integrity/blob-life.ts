import { OutcomeUnknown } from '../../database/errors.ts';
import type { Db } from '../../database/open.ts';
import { Unavailable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { blobsOf, partOf, photoOf, type BlobStore } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';

/** Pause before keys are noted again after a failure of the database. */
const RETRY_MS = 30_000;
/** Time after which a download that uses the blob has ended. */
const LATER_MS = 6 * 60 * 60 * 1000;
/** Keys per statement. */
const BATCH = 500;
/** Most keys that wait for the database; the nightly sweep finds the others. */
const MAX_NOTES = 10_000;
/** A change of rows that reference blobs. */
export interface BlobChange<T> {
  /** Blobs that the rows will reference, each with the work that stores it under a new key. */
  placed?: Record<string, (key: string) => Promise<void>>;
  /** Blobs that the rows reference so far. */
  dropped?: readonly string[];
  /** Changes the rows in one transaction. */
  commit(): Promise<T>;
  /** Returns those of these blobs that no row references after the commit. Default: `dropped`. */
  unnamed?(result: T): readonly string[];
  /** True if unnamed blobs must stay for hours, as a running download of a ZIP may need them. */
  later?: boolean;
  /** Reads the result after a commit of unknown outcome; undefined if it stays unknown. */
  look?(): Promise<T | undefined>;
}

export type BlobLife = ReturnType<typeof createBlobLife>;

/**
 * Creates the life of all blobs: placed, referenced by a row, dropped, removed. A row without its blobs cannot exist. Blobs without a row
 * may exist for a while; they are removed at once, by a note within the hour, or by the nightly sweep (`janitor.ts`).
 */
export function createBlobLife({ db, blobs: store, clock, log }: Pick<Context, 'db' | 'blobs' | 'clock' | 'log'>) {
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

  function noteOrphans(keys: readonly string[], at = clock.now()): void {
    for (const key of keys) if (waiting.size < MAX_NOTES) waiting.set(key, at);
    void write();
  }

  /** Notes a blob whose storing had no answer; it may appear even after its removal. */
  const noting = (key: string, work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (error instanceof Unavailable) noteOrphans([key]);
      throw error;
    });
  /** The store for features: notes blobs that it may have stored without an answer, or could not remove. */
  const blobs: BlobStore = {
    ...store,
    put: (key, bytes) => noting(key, store.put(key, bytes)),
    adopt: (key, path) => noting(key, store.adopt(key, path)),
    remove: (key) =>
      store.remove(key).catch((error: unknown) => {
        noteOrphans([key]);
        throw error;
      }),
  };

  /** Removes blobs that no row references any more; never throws. */
  async function remove(keys: readonly string[]): Promise<void> {
    for (const removal of await Promise.allSettled(keys.map((key) => blobs.remove(key)))) {
      // Outages are logged elsewhere.
      if (removal.status === 'rejected' && !(removal.reason instanceof Unavailable))
        log.error({ err: removal.reason }, 'a blob was not removed');
    }
  }

  /** Places blobs. Waits for all before it throws an error: none may appear after its removal. */
  async function putAll(placed: NonNullable<BlobChange<unknown>['placed']>): Promise<void> {
    const results = await Promise.allSettled(Object.entries(placed).map(([key, put]) => put(key)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return {
    blobs,
    remove,
    /**
     * Places blobs, then commits the rows. After a success it removes `dropped`, after a failure `placed`. If the outcome is unknown, it
     * notes both; they stay until the rows can be read.
     */
    async changeBlobs<T>({ placed = {}, dropped = [], commit, unnamed = () => dropped, later = false, look }: BlobChange<T>): Promise<T> {
      const committing = putAll(placed).then(commit);
      const result = await committing.catch(async (error: unknown) => {
        const isUnknown = error instanceof OutcomeUnknown;
        const found = isUnknown ? await look?.().catch(() => undefined) : undefined;
        if (found !== undefined) return found;
        if (isUnknown) noteOrphans([...Object.keys(placed), ...dropped]);
        else await remove(Object.keys(placed));
        throw error;
      });
      if (later) noteOrphans(unnamed(result), clock.now() + LATER_MS);
      else await remove(unnamed(result));
      return result;
    },
    /**
     * Puts back a blob that a row references and the store has lost. False if the row was deleted meanwhile, perhaps before the blob was
     * there.
     */
    async putBack(key: string, put: () => Promise<void>): Promise<boolean> {
      await put();
      const orphans = await unnamedOf(db, [key], clock.now()).catch((error: unknown) => {
        noteOrphans([key]);
        throw error;
      });
      await remove(orphans);
      return orphans.length === 0;
    },
    close: (): void => clearTimeout(timer),
  };
}

/** Returns which of these keys no row references and no note keeps beyond `now`, ms since 1970. */
export async function unnamedOf({ kysely }: Pick<Db, 'kysely'>, keys: readonly string[], now: number): Promise<string[]> {
  const ids = [...new Set(keys.map(photoOf))].filter(isUuid);
  if (ids.length === 0) return [];
  const photos = await kysely.selectFrom('photos').selectAll().where('id', 'in', ids).execute();
  const named = new Set(photos.flatMap(blobsOf).map(({ key }) => key));
  const later = kysely.selectFrom('orphans').select('key').where('key', 'in', keys).where('at', '>', Math.floor(now));
  for (const { key } of await later.execute()) named.add(key);
  const parts = await kysely.selectFrom('upload_parts').selectAll().where('upload_id', 'in', ids).execute();
  const isPart = (key: string): boolean => {
    const part = partOf(key);
    return part !== null && parts.some(({ upload_id, n }) => upload_id === part.uploadId && n === part.n);
  };
  return keys.filter((key) => isUuid(photoOf(key)) && !named.has(key) && !isPart(key));
}
