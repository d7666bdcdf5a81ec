import { randomBytes } from 'node:crypto';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { Db } from '../../../database/open.ts';
import type { UploadRow } from '../../../database/rows.ts';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { createOpenUploadStore } from './open-uploads.store.ts';

/** For tests: adds an open upload of an event, without bytes. */
export async function openUpload({ db, clock }: { db: Db; clock: Clock }, eventId: string): Promise<UploadRow> {
  const hashes = { key_hash: randomBytes(32), device_hash: randomBytes(32), network: randomBytes(32), description: randomBytes(64) };
  const state = { length: 100, received: 0, version: 7, fotobox: 0, announced: 0, photo_id: null };
  const row = { id: uuidv7(clock.now()), event_id: eventId, ...hashes, ...state, expires_at: clock.now() + UPLOAD_KEPT };
  const added = await createOpenUploadStore(db).add(row, randomBytes(64));
  if (!added) throw new Error('the upload was not added');
  return added;
}
