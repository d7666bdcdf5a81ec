import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../../../database/schema.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { UploadTarget } from './upload-target.store.ts';

/** The conditions under which a sender was admitted. */
export interface Admitted {
  fotobox: boolean;
  /** The verifier of the given password, null if none was needed. Undefined if an earlier request was asked for the password. */
  verifier?: string | null;
}

/** Returns how many photos each device may send; null: no limit. The host's limit for guests does not bind the Fotobox. */
export function limitOf({ demo, gallery_photos_per_device }: UploadTarget, fotobox: boolean): number | null {
  if (demo === 1) return DEMO_PHOTOS;
  return fotobox ? null : gallery_photos_per_device;
}

/** SQL condition: the event has room for so many bytes. */
export const hasRoom = (size: number) => (row: ExpressionBuilder<Database, 'events'>) =>
  row.and([
    row('purging_at', 'is', null),
    row.or([row('storage_limit', 'is', null), row(row('used_bytes', '+', size), '<=', row.ref('storage_limit'))]),
  ]);

/** Throws Refusal event_inactive, storage_full. */
export function refuseWithoutRoom(size: number, { purging_at, storage_limit, used_bytes }: UploadTarget): void {
  if (purging_at !== null) throw new Refusal('event_inactive');
  if (storage_limit !== null && used_bytes + size > storage_limit) throw new Refusal('storage_full');
}

/** Throws Refusal upload_disabled, wrong_event_password if the sender's terms changed while its bytes came. */
export function refuseEnded(event: UploadTarget, { fotobox, verifier }: Admitted): void {
  refuseSwitchedOff(event, fotobox);
  if (verifier === undefined || (!fotobox && event.with_upload_password === 0)) return;
  if (verifier !== (fotobox ? event.fotobox_verifier : event.upload_verifier)) throw new Refusal('wrong_event_password');
}

/** Throws Refusal upload_disabled if uploads were switched off while the bytes came. */
export function refuseSwitchedOff(event: Pick<UploadTarget, 'with_fotobox' | 'with_user_upload'>, fotobox: boolean): void {
  if ((fotobox ? event.with_fotobox : event.with_user_upload) === 0) throw new Refusal('upload_disabled');
}
