import type { Trx } from '../../database/open.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { StoredUpload } from '../uploads/uploads.ts';

/**
 * Counts how often booths were told that a photo is stored, minus how often they deleted it. The same bytes are one photo, whatever name,
 * session, form or node they come by; only the last deletion removes it. A new photo begins with 1.
 */
export function createTold({ db: { kysely } }: Pick<Context, 'db'>) {
  return {
    /**
     * Counts a photo before a booth is told; not if it is sent `again` under the same name. Throws Refusal `unavailable` if it was deleted
     * meanwhile.
     */
    async add(stored: StoredUpload, again = false): Promise<StoredUpload> {
      if (stored.status === 201) return stored;
      const counted = await kysely
        .updateTable('photos')
        .set((row) => ({ told: row('told', '+', again ? 0 : 1) }))
        .where('id', '=', stored.photo.id)
        .returning('id')
        .executeTakeFirst();
      if (!counted) throw new Refusal('unavailable', { retryAfter: 1 });
      return stored;
    },

    /** Counts one deletion; false if it is the last one, which stays counted until the photo is deleted. */
    async takeBack(photoId: string): Promise<boolean> {
      const counted = await kysely
        .updateTable('photos')
        .set((row) => ({ told: row('told', '-', 1) }))
        .where('id', '=', photoId)
        .where('told', '>', 1)
        .returning('id')
        .executeTakeFirst();
      return counted !== undefined;
    },

    /**
     * Takes the last count in the transaction that deletes the photo; `add` waits for its end. Throws Refusal `photo_not_found` if a booth
     * was told again meanwhile.
     */
    async takeLast(trx: Trx, photoId: string): Promise<void> {
      const last = trx.updateTable('photos').set({ told: 0 }).where('id', '=', photoId).where('told', '<=', 1).returning('id');
      if (!(await last.executeTakeFirst())) throw new Refusal('photo_not_found');
    },
  };
}
