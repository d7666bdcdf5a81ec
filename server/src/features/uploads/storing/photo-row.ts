import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { PhotoRow } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { cleanText, cutText } from '../../../lib/clean-text.ts';
import type { PhotoDescription } from '../../../vault/vault.ts';
import { cleanFileName } from '../../photos/photos.ts';
import type { StagedOriginal } from './original.ts';
import type { Proof } from './prove.ts';

/** The row of a photo that is proved and about to be committed. */
export function newPhotoRow(
  original: StagedOriginal,
  proof: Proof,
  guest: { deviceHash: Bytes; deviceName: string; receivedAt: number; seal(description: PhotoDescription): Bytes },
): PhotoRow {
  return {
    id: original.photoId,
    event_id: original.eventId,
    device_hash: guest.deviceHash,
    description: guest.seal({
      deviceName: cutText(cleanText(guest.deviceName), DEVICE_NAME_LENGTH).trim() || ANONYMOUS,
      filename: cleanFileName(original.filename, proof.type),
      takenAt: proof.takenAt,
    }),
    type: proof.type,
    size: original.digest.size,
    width: proof.width,
    height: proof.height,
    duration_ms: proof.video?.durationMs ?? null,
    codecs: proof.video?.codecs ?? null,
    thumbnail_type: proof.thumbnail.type,
    thumbnail_size: proof.thumbnail.bytes.length,
    thumbnail_attempt: null,
    preview_type: null,
    preview_size: null,
    preview_attempt: null,
    created_at: guest.receivedAt,
    slideshow: 1,
    sample: 0,
    fingerprint: original.fingerprint,
  };
}
