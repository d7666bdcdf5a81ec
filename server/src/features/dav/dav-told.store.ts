import type { Trx } from '../../database/open.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { StoredUpload } from '../uploads/uploads.ts';

/**
 * How often booths were told that a photo is stored, less how often they deleted it. Names, sessions, forms and nodes do not matter: the
 * same bytes are one photo, which is deleted only by the last of these. A new photo begins with 1.
 */
export function createTold({ db: { kysely } }: Pick<Context, 'db'>) {
  return {
    /** For a photo that is about to be told, `again` under the same name. Throws Refusal unavailable where it was deleted meanwhile. */
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

    /** Takes one back of several; false for the last, which stays counted until its photo is deleted. */
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

    /** In the transaction that deletes the photo: who tells of it waits for that. Throws Refusal photo_not_found where it was told again meanwhile. */
    async takeLast(trx: Trx, photoId: string): Promise<void> {
      const last = trx.updateTable('photos').set({ told: 0 }).where('id', '=', photoId).where('told', '<=', 1).returning('id');
      if (!(await last.executeTakeFirst())) throw new Refusal('photo_not_found');
    },
  };
}
