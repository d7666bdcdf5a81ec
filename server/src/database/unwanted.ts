import type { Trx } from './open.ts';
import type { PhotoRow } from './rows.ts';

/**
 * Replaces the uploads of announced photos by notes that refuse their originals. A note is needed even if an upload had ended before: a
 * phone may come back with its key, and the note keeps nothing else.
 */
export async function noteUnwanted(trx: Trx, photos: readonly Pick<PhotoRow, 'id' | 'event_id' | 'fingerprint'>[]): Promise<void> {
  if (photos.length === 0) return;
  const ended = { description: null, photo_id: null, length: 0, received: 0, version: 0, fotobox: 0, announced: 1, expires_at: 0 };
  const notes = photos.map(({ id, event_id, fingerprint: key_hash }) => {
    return { id, event_id, key_hash, device_hash: key_hash, network: key_hash, ...ended };
  });
  await trx
    .insertInto('uploads')
    .values(notes)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
