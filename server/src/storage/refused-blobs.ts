import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../lib/errors.ts';
import { collect } from '../lib/stages.ts';
import { BlobDamaged, BlobMissing, OWNER_BLOB, type BlobStore } from './blob-store.ts';

/** Pause before a store that was in trouble is asked once more for the same blob, and how often a run waits. */
const PAUSE_MS = 5000;
const PAUSES = 6;

/**
 * A store for runs over all blobs: a blob that it refuses for good, although it gives its owner's mark or says that it has none, is damaged,
 * and keeps no others back. A store that is down gives no mark either; then its error stays. The store has tried each call several times, and
 * is asked once more after a pause, because it may have been busy for a moment.
 * Only such runs may judge so: for a guest who asks, the same refusal is an outage that may pass.
 */
export function judgeRefusals(blobs: BlobStore): BlobStore {
  /** Returns what the error of a call for a blob means. */
  async function meaningOf(key: string, error: unknown): Promise<unknown> {
    if (error instanceof BlobMissing) return error;
    try {
      await collect(blobs.read(OWNER_BLOB));
    } catch (other) {
      if (!(other instanceof BlobMissing)) return error;
    }
    return new BlobDamaged(key, error);
  }

  let pauses = 0;
  /** Waits after trouble; false: the run has waited often enough. */
  async function waits(error: unknown): Promise<boolean> {
    if (!(error instanceof Unavailable) || pauses === PAUSES) return false;
    pauses += 1;
    await pause(PAUSE_MS);
    return true;
  }

  return {
    ...blobs,
    async *read(key, range) {
      let begun = false;
      try {
        for await (const piece of blobs.read(key, range)) {
          begun = true;
          yield piece;
        }
        return;
      } catch (error) {
        if (begun || !(await waits(error))) throw await meaningOf(key, error);
      }
      try {
        yield* blobs.read(key, range);
      } catch (error) {
        throw await meaningOf(key, error);
      }
    },
    async size(key) {
      const asked = blobs.size(key).catch(async (error: unknown) => {
        if (await waits(error)) return blobs.size(key);
        throw error;
      });
      return asked.catch(async (error: unknown) => {
        const meaning = await meaningOf(key, error);
        if (meaning instanceof BlobMissing) return null;
        throw meaning;
      });
    },
  };
}
