import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { PhotoRow, UploadRow } from '../../../database/rows.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { deviceHash } from '../../devices/devices.ts';
import { hasOriginal, photoAnswer, type Describe } from '../../photos/photos.ts';
import type { UploadContext } from '../context.ts';
import type { UploadStore } from './photos-in.store.ts';

export interface StoredUpload {
  /** 201 for a new photo, 200 for one that was stored before. */
  status: 200 | 201;
  photo: Photo;
  /** SHA-256 of the stored original; null: the original follows. */
  sha256: Bytes | null;
  /** The Fotobox's link to the photo, for its guest. A repeat makes a new one. */
  link?: { download_url: string; expires_at: string };
}

/** The sender that gets the answer. */
export interface Answered {
  visitor: DeviceVisitor;
  fotobox: boolean;
  /** The token given with the upload; not checked yet. */
  linkToken: string | null;
  /** The device's id is forgotten after its session: a repeat may come from another device, which has not the keys. */
  isForgotten?: boolean;
}

/** Description of a photo from an earlier session, which cannot be opened. */
const UNKNOWN = { deviceName: ANONYMOUS, filename: 'foto.jpg', takenAt: null };

/** Answers senders about photos in the database. */
export function createAnswering({ blobs, vault, photos, links, sealedMetadata }: UploadContext, store: UploadStore) {
  const isOwn = ({ device_hash, event_id }: PhotoRow, deviceId: string): boolean =>
    Buffer.from(device_hash).equals(deviceHash(vault, deviceId, event_id));

  async function answer(
    row: PhotoRow,
    { visitor, fotobox, linkToken, isForgotten }: Answered,
    { status, sha256 }: Pick<StoredUpload, 'status' | 'sha256'>,
  ): Promise<StoredUpload> {
    const description = isOwn(row, visitor.deviceId) ? sealedMetadata.byDevice(visitor.deviceId, row.event_id)(row) : UNKNOWN;
    const stored = { status, sha256, photo: photoAnswer(row, description) };
    if (!fotobox || isForgotten) return stored;
    return { ...stored, link: await links.make(await photos.find({ ...visitor, host: null }, row.id), linkToken ?? undefined) };
  }

  /** Finds the photo of this id with its original; undefined if either is missing. */
  async function stored(photoId: string): Promise<PhotoRow | undefined> {
    const row = await store.byId(photoId);
    return row && STATE_RULES[row.state].original && (await hasOriginal({ blobs, vault }, row)) ? row : undefined;
  }

  return {
    isOwn,
    answer,
    stored,

    /** Removes the photo that an upload's preview shows; does nothing if its original has come, or it is gone. */
    async removeAnnounced({ id }: Pick<UploadRow, 'id'>, { deviceId }: Pick<DeviceVisitor, 'deviceId'>): Promise<void> {
      const row = await photos.byId(id);
      if (row?.state !== 'announced') return;
      const describe: Describe | null = isOwn(row, deviceId)
        ? (other = row) => sealedMetadata.byDevice(deviceId, row.event_id)(other)
        : null;
      await photos.remove({ row, describe }).catch((error: unknown) => {
        if (!(error instanceof Refusal && error.code === 'photo_not_found')) throw error;
      });
    },

    /** Answers with a photo that the device stored before; null if the photo or its original is gone. */
    async again(photoId: string, given: Answered): Promise<StoredUpload | null> {
      const row = await stored(photoId);
      const keys = row && (await store.keys(row.id));
      if (!row || !keys) return null;
      const context = { eventId: row.event_id, photoId: row.id };
      using key = vault.openForDevice(keys.wrapped_for_device, given.visitor.deviceId, context);
      const { sha256 } = vault.openDigest(key, keys.facts, context);
      const { token } = await links.booths.named(row.event_id, '', given.linkToken);
      return answer(row, { ...given, linkToken: token }, { status: 200, sha256 });
    },
  };
}
