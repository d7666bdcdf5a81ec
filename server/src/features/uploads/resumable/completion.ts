import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { UploadRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createSingleFlight } from '../../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../../lib/errors.ts';
import { partBlob } from '../../../storage/blob-store.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { Originals } from '../storing/original.ts';
import type { StoredUpload, Storing } from '../storing/storing.ts';
import type { OpenUploadStore } from './open-uploads.store.ts';
import type { PartsOfUploads } from './parts.ts';

interface Parts {
  store: OpenUploadStore;
  parts: PartsOfUploads;
  originals: Originals;
  storing: Storing;
  vault: Vault;
  clock: Clock;
}

/** Makes the photo of a resumable upload whose bytes have all arrived. */
export function createCompletion({ store, parts, originals, storing, vault, clock }: Parts) {
  const completing = createSingleFlight<StoredUpload>();

  async function storePhoto(row: UploadRow, from: { visitor: DeviceVisitor; fotobox: boolean }): Promise<StoredUpload> {
    const { deviceId } = from.visitor;
    if (row.description === null) throw new Refusal('upload_not_found');
    using guestKey = vault.guestKey(deviceId, row.event_id);
    const { filename, deviceName } = vault.openDescription(guestKey, row.description, { eventId: row.event_id, photoId: row.id });
    const arrived = await store.parts(row.id);
    await using owned = new AsyncDisposableStack();
    using key = await parts.openKey(row, deviceId);
    const incoming = { eventId: row.event_id, deviceId, filename, mostBytes: row.length };
    const original = owned.use(await originals.stage(parts.open(row, key, arrived), incoming));
    const note = {
      statements: (photoId: string) => store.finish(row.id, photoId, clock.now() + UPLOAD_KEPT),
      dropped: arrived.map(({ n }) => partBlob(row.event_id, row.id, n)),
    };
    // The client that sent the last byte may have left: the photo is stored all the same.
    return await storing.store(original, { ...from, deviceName, gone: undefined, note });
  }

  /** Throws Refusal; after not_a_photo and the like nothing of the upload stays. What may succeed later stays. */
  return async (row: UploadRow, visitor: DeviceVisitor): Promise<StoredUpload> => {
    const from = { visitor, fotobox: row.fotobox === 1 };
    /** Where it was completed before: a moment ago, or by another node. */
    async function storedBefore(): Promise<StoredUpload | null> {
      const photoId = (await store.byKey(row.key_hash))?.photo_id;
      return photoId ? storing.again(photoId, from) : null;
    }
    return completing.run(row.id, async () => {
      const before = await storedBefore();
      if (before) return before;
      return storePhoto(row, from).catch(async (error: unknown) => {
        const other = await storedBefore();
        if (other) return other;
        if (isFinal(error)) await parts.remove(row);
        throw error;
      });
    });
  };
}

/** Refused for what the file is: the same bytes are never taken. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof Refusal && ['not_a_photo', 'too_many_pixels', 'too_large', 'video_refused', 'video_unreadable'].includes(error.code)
  );
}
