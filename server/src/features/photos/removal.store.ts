import { lockEvent, noteChange } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import type { PhotoRow } from '../../database/rows.ts';
import { noteUnwanted } from '../../database/unwanted.ts';
import { blobsOf, partBlob } from '../../storage/blob-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { counters } from './counters.ts';
import { renameSender, type Describe } from './sender-names.store.ts';

/**
 * Deletes row and keys and corrects the event's counters; guests lose the photo's name with it. Returns the keys of its blobs; undefined if the photo was gone already. An
 * announced photo leaves a note, so that its original is refused; the note is deleted with the event.
 */
export async function removePhoto(
  trx: Trx,
  vault: Vault,
  { id, event_id }: Pick<PhotoRow, 'id' | 'event_id'>,
  describe: Describe | null,
): Promise<string[] | undefined> {
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
  await renameSender(trx, vault, gone, describe);
  const blobs = blobsOf(gone).map(({ key }) => key);
  if (gone.state !== 'announced') return blobs;
  const parts = await trx.deleteFrom('upload_parts').where('upload_id', '=', id).returning('n').execute();
  await trx.deleteFrom('uploads').where('id', '=', id).where('photo_id', 'is', null).execute();
  await noteUnwanted(trx, [gone]);
  return [...blobs, ...parts.map(({ n }) => partBlob(event_id, id, n))];
}
