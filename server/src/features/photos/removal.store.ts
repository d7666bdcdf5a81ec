import { lockEvent, noteChange } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import type { PhotoRow } from '../../database/schema.ts';
import { blobsOf, partBlob } from '../../storage/blob-store.ts';
import { counters } from './counters.ts';

/**
 * Deletes row and keys and corrects the event's counters. Returns the keys of its blobs; undefined where it was gone already. Of an
 * announced photo a note stays in place of its upload, that the original must not come; it goes with the event.
 */
export async function removePhoto(trx: Trx, { id, event_id }: Pick<PhotoRow, 'id' | 'event_id'>): Promise<string[] | undefined> {
  await lockEvent(trx, event_id);
  await trx.deleteFrom('photo_keys').where('photo_id', '=', id).execute();
  const gone = await trx.deleteFrom('photos').where('id', '=', id).returningAll().executeTakeFirst();
  if (!gone) return undefined;
  const event = await trx
    .updateTable('events')
    .set((row) => ({
      ...counters(row, gone, '-'),
      change_seq: row('change_seq', '+', 1),
    }))
    .where('id', '=', event_id)
    .returning('change_seq')
    .executeTakeFirstOrThrow();
  await noteChange(trx, event_id, { seq: event.change_seq, kind: 'gone', photo_id: id });
  const blobs = blobsOf(gone).map(({ key }) => key);
  if (gone.state !== 'announced') return blobs;
  const parts = await trx.deleteFrom('upload_parts').where('upload_id', '=', id).returning('n').execute();
  await trx.deleteFrom('uploads').where('id', '=', id).where('photo_id', 'is', null).execute();
  await noteUnwanted(trx, [gone]);
  return [...blobs, ...parts.map(({ n }) => partBlob(event_id, id, n))];
}

/**
 * Notes in place of the uploads of announced photos that their originals must not come. Also where an upload had ended before: a phone may come
 * back with its key, which is all that is kept of it.
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
