import { Counter, Histogram, type Registry } from 'prom-client';
import { Unavailable } from '../../lib/errors.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { described } from './monitoring.ts';

/** From a file on a disk to a store in trouble. */
const BOUNDS_SECONDS = [0.002, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

/** Shortest time between two checks of a store that did not answer. */
const CHECK_MS = 60_000;

/**
 * A photo store whose calls are timed, and whether the last one was answered. Where it was not, each question checks the store for
 * the next ones: at night nobody else may call it for hours.
 */
export function meterStore(blobs: BlobStore, registry: Registry): { blobs: BlobStore; up(): boolean } {
  let answers = true;
  let checkedAt = -Infinity;
  const times = new Histogram({
    ...described(registry, 'store_duration_seconds', 'Time of calls of the photo store; of reads until the first bytes.', 'operation'),
    buckets: BOUNDS_SECONDS,
  });
  const errors = new Counter(described(registry, 'store_errors_total', 'Calls that the photo store did not answer.', 'operation'));
  const timed = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const end = times.startTimer({ operation });
    try {
      const result = await work();
      answers = true;
      return result;
    } catch (error) {
      answers = !(error instanceof Unavailable);
      if (!answers) errors.inc({ operation });
      throw error;
    } finally {
      end();
    }
  };
  return {
    up() {
      // Nobody waits for it: a silent store would take longer than a scrape may.
      if (!answers && performance.now() - checkedAt >= CHECK_MS) {
        checkedAt = performance.now();
        void timed('check', () => blobs.check()).catch(() => undefined);
      }
      return answers;
    },
    blobs: {
      ...blobs,
      adopt: (key, path) => timed('put', () => blobs.adopt(key, path)),
      put: (key, bytes) => timed('put', () => blobs.put(key, bytes)),
      size: (key) => timed('size', () => blobs.size(key)),
      remove: (key) => timed('remove', () => blobs.remove(key)),
      check: () => timed('check', () => blobs.check()),
      async *read(key, range) {
        const pieces = blobs.read(key, range)[Symbol.asyncIterator]();
        try {
          for (let piece = await timed('read', () => pieces.next()); !piece.done; piece = await pieces.next()) yield piece.value;
        } finally {
          await pieces.return?.();
        }
      },
    },
  };
}
