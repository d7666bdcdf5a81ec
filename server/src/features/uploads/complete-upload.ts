import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { UploadRow } from '../../database/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { BlobMissing, partBlob } from '../../storage/blob-store.ts';
import { Tampered, type Vault } from '../../vault/vault.ts';
import type { Originals } from './original.ts';
import type { PartStore } from './part-store.ts';
import type { ResumableStore } from './resumable.store.ts';
import type { Storing } from './storing.ts';
import type { StoredUpload } from './upload.ts';
import type { Device } from './upload-records.ts';
import type { Note } from './uploads.store.ts';

interface Parts {
  store: ResumableStore;
  partStore: PartStore;
  originals: Originals;
  storing: Storing;
  vault: Vault;
  clock: Clock;
  log: Log;
}

export type CompleteUpload = (row: UploadRow, visitor: Device) => Promise<StoredUpload>;

/** Makes the photo of a resumable upload whose bytes have all arrived. */
export function createCompleteUpload({ store, partStore, originals, storing, vault, clock, log }: Parts): CompleteUpload {
  const completing = createSingleFlight<StoredUpload>();

  async function storePhoto(row: UploadRow, from: { visitor: Device; fotobox: boolean }): Promise<StoredUpload> {
    const { deviceId } = from.visitor;
    if (row.description === null) throw new Refusal('upload_not_found');
    const guestKey = vault.guestKey(deviceId, row.event_id);
    const { filename, deviceName } = vault.openDescription(guestKey, row.description, { eventId: row.event_id, photoId: row.id });
    const parts = await store.parts(row.id);
    await using owned = new AsyncDisposableStack();
    const key = owned.adopt(await partStore.openKey(row, deviceId), (bytes) => void bytes.fill(0));
    const incoming = { eventId: row.event_id, deviceId, filename, mostBytes: row.length };
    const original = owned.use(await originals.stage(partStore.open(row, key, parts), incoming));
    const note: Note = {
      statements: (photoId) => store.finish(row.id, photoId, clock.now() + UPLOAD_KEPT),
      dropped: parts.map(({ n }) => partBlob(row.event_id, row.id, n)),
    };
    // The client that sent the last byte may have left: the photo is stored all the same.
    return await storing.store(original, { ...from, deviceName, gone: undefined, note });
  }

  /** Removes what can never become a photo, and throws why. What may succeed later stays. */
  async function giveUp(row: UploadRow, error: unknown): Promise<never> {
    const lost = error instanceof BlobMissing || error instanceof Tampered;
    // Its sender has ended it meanwhile, or sends the file again from its beginning, and its parts were removed for that.
    if (lost && (await store.byKey(row.key_hash))?.id !== row.id) throw new Refusal('upload_offset', { cause: error });
    if (lost) log.error({ err: error, upload: row.id }, 'parts of an upload are lost');
    if (lost || isFinal(error)) await partStore.remove(row);
    throw lost ? new Refusal('upload_expired', { cause: error }) : error;
  }

  /** Throws Refusal; after not_a_photo and the like nothing of the upload stays. */
  return async (row, visitor) => {
    const from = { visitor, fotobox: row.fotobox === 1 };
    /** Where it was completed before: a moment ago, or by another node. */
    async function storedBefore(): Promise<StoredUpload | null> {
      const photoId = (await store.byKey(row.key_hash))?.photo_id;
      return photoId ? storing.again(photoId, from) : null;
    }
    return completing.run(row.id, async () => {
      const before = await storedBefore();
      return before ?? storePhoto(row, from).catch(async (error: unknown) => (await storedBefore()) ?? giveUp(row, error));
    });
  };
}

/** Refused for what the file is: the same bytes are never taken. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof Refusal && ['not_a_photo', 'too_many_pixels', 'too_large', 'video_refused', 'video_unreadable'].includes(error.code)
  );
}
