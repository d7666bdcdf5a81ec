import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { UploadRow } from '../../database/schema.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { deviceHash } from '../devices/devices.ts';
import { hasOriginal } from '../photos/photos.ts';
import type { Admitted } from './admission.ts';
import type { ResumableStore } from './resumable.store.ts';

/** A visitor with a device. */
export type Device = Visitor & { deviceId: string };

/** A file that a device uploads under a key. */
export interface KeyedUpload {
  visitor: Device;
  key: string;
  deviceName: string;
  filename: string;
  length: number;
}

interface Parts {
  store: ResumableStore;
  blobs: Pick<BlobStore, 'size'>;
  vault: Vault;
  clock: Clock;
}

/** The rows of resumable uploads: made, and found by the client's key. */
export function createUploadRecords({ store, blobs, vault, clock }: Parts) {
  const hashOf = (key: string, { deviceId }: Device): Bytes => vault.keyedHash(deviceId, 'upload', Buffer.from(key));
  /** Whether an upload is to begin anew: it has expired, or the store has lost the photo that it became. */
  async function isOver({ expires_at, photo_id, event_id, length }: UploadRow): Promise<boolean> {
    if (expires_at <= clock.now()) return true;
    return photo_id !== null && !(await hasOriginal({ blobs, vault }, { id: photo_id, event_id, size: length }));
  }

  /** A row without the file's description, and not yet of a photo. */
  function create({ key, length, visitor }: Pick<KeyedUpload, 'key' | 'length' | 'visitor'>, { event, fotobox }: Admitted): UploadRow {
    return {
      id: uuidv7(clock.now()),
      key_hash: hashOf(key, visitor),
      event_id: event.id,
      device_hash: deviceHash(vault, visitor.deviceId, event.id),
      length,
      received: 0,
      version: 0,
      fotobox: fotobox ? 1 : 0,
      description: null,
      photo_id: null,
      expires_at: clock.now() + UPLOAD_KEPT,
    };
  }

  return {
    create,
    isOver,

    /** Identifies a device's upload on this node, whether or not there is a row. */
    nameOf: (key: string, visitor: Device): string => Buffer.from(hashOf(key, visitor)).toString('base64'),

    findAny: (key: string, visitor: Device): Promise<UploadRow | undefined> => store.byKey(hashOf(key, visitor)),

    /** The device's upload of a key. Throws Refusal upload_not_found, upload_expired. */
    async find(key: string, visitor: Device): Promise<UploadRow> {
      const row = await store.byKey(hashOf(key, visitor));
      if (!row) throw new Refusal('upload_not_found');
      if (await isOver(row)) throw new Refusal('upload_expired');
      return row;
    },

    /** The row of a new upload that is received in parts, and the key of those. */
    createWithKey(upload: KeyedUpload, admitted: Admitted): { row: UploadRow; key: Bytes; wrapped: Bytes } {
      const { deviceName, filename, visitor } = upload;
      const row = create(upload, admitted);
      const context = { eventId: row.event_id, photoId: row.id };
      const guestKey = vault.guestKey(visitor.deviceId, row.event_id);
      const description = vault.sealDescription(guestKey, { deviceName, filename, takenAt: null }, context);
      const key = vault.createPhotoKey();
      return { row: { ...row, description }, key, wrapped: vault.wrapForDevice(key, visitor.deviceId, context) };
    },
  };
}

export type UploadRecords = ReturnType<typeof createUploadRecords>;
