import { collect } from '../lib/stages.ts';
import { BlobDamaged, BlobMissing, OWNER_BLOB, type BlobStore } from './blob-store.ts';

/**
 * A store for runs over all blobs: a blob that it refuses for good, although it gives its owner's mark or says that it has none, is damaged,
 * and keeps no others back. A store that is down gives no mark either; then its error stays. The store has tried each call several times.
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

  return {
    ...blobs,
    async *read(key, range) {
      try {
        yield* blobs.read(key, range);
      } catch (error) {
        throw await meaningOf(key, error);
      }
    },
    size: (key) =>
      blobs.size(key).catch(async (error: unknown) => {
        const meaning = await meaningOf(key, error);
        if (meaning instanceof BlobMissing) return null;
        throw meaning;
      }),
  };
}
