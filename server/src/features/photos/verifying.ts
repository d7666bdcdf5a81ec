import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import { inPages } from '../../database/pieces.ts';
import type { PhotoRow } from '../../database/rows.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { BlobMissing } from '../../storage/blob-store.ts';
import { Tampered, type Key } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import type { FoundPhoto, PhotoStore, PhotoWithKeys } from './photos.store.ts';
import type { createPreviews } from './previews.ts';

/** Age after which an unverified photo was left by a process that ended. */
const LEFT_MS = 60_000;

interface Deps extends Pick<Context, 'vault' | 'clock'> {
  store: Pick<PhotoStore, 'unverified'>;
  previews: Pick<ReturnType<typeof createPreviews>, 'verify' | 'later'>;
  mustExist(photoId: string): Promise<PhotoWithKeys>;
  explained(photoId: string, error: unknown): Promise<unknown>;
}

/** Has received photos verified for those who need their originals. */
export function createVerifying({ store, previews, vault, clock, mustExist, explained }: Deps) {
  /** Verifies a photo now. Adds it to `lost` if its original is; without `lost`, throws what `explained` returns. */
  async function verify(row: PhotoRow, openKey: () => Key, lost?: Set<string>): Promise<void> {
    try {
      await previews.verify(row, openKey);
    } catch (error) {
      if (!lost || !(error instanceof BlobMissing || error instanceof Tampered)) throw await explained(row.id, error);
      lost.add(row.id);
    }
  }

  function mustHaveOriginal(found: FoundPhoto): FoundPhoto {
    if (!STATE_RULES[found.row.state].handedOut) throw new Refusal('original_missing');
    return found;
  }

  return {
    /** Verifies a photo whose process ended before that, in the background; only a viewer of the photo has its key. */
    left({ row, openKey }: FoundPhoto): void {
      if (row.state !== 'received' || row.created_at > clock.now() - LEFT_MS) return;
      using key = openKey();
      previews.later(row, key);
    },

    /** Verifies a photo before its original leaves the house. Throws Refusal original_missing. */
    async verified(found: FoundPhoto): Promise<FoundPhoto> {
      if (found.row.state !== 'received') return mustHaveOriginal(found);
      await verify(found.row, found.openKey);
      return mustHaveOriginal({ ...found, row: await mustExist(found.row.id) });
    },

    /**
     * Verifies the received photos of an event, with `ids` only these, with its private key. Adds those whose original is lost to `lost`;
     * throws without it.
     */
    async received(
      eventId: string,
      eventKey: Bytes,
      { ids, signal, lost }: { ids?: string[]; signal?: AbortSignal; lost?: Set<string> },
    ): Promise<void> {
      for await (const row of inPages((after, limit) => store.unverified(eventId, ids, after, limit))) {
        signal?.throwIfAborted();
        await verify(row, () => vault.openPhotoKey(eventKey, row.sealed_for_event, { eventId, photoId: row.id }), lost);
      }
    },
  };
}
