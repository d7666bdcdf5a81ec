import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { OutcomeUnknown } from '../../database/errors.ts';
import type { UploadRow } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { partBlob, type BlobStore } from '../../storage/blob-store.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { removeBlobs } from '../photos/photos.ts';
import { counted } from './parts.ts';
import { Superseded, type Part, type ResumableStore } from './resumable.store.ts';

interface Parts {
  store: ResumableStore;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  clock: Clock;
  log: Log;
}

type Upload = Pick<UploadRow, 'id' | 'event_id'>;

/** The parts of uploads: sealed, placed in the photo store, opened and removed. */
export function createPieces({ store, blobs, staging, vault, clock, log }: Parts) {
  const contextOf = ({ id, event_id }: Upload, n: number) => ({ eventId: event_id, photoId: id, variant: `part-${n}` });

  /** Removes an upload. Row and key first: without the key the parts are unreadable. */
  async function remove({ id }: { id: string }): Promise<void> {
    await removeBlobs(blobs, await store.remove(id), log);
  }

  return {
    remove,

    /** The key of an upload's parts. Throws Refusal upload_offset where it is finished or gone. */
    async openKey({ id, event_id }: Upload, deviceId: string): Promise<Bytes> {
      const wrapped = await store.wrappedKey(id);
      if (!wrapped) throw new Refusal('upload_offset');
      return vault.openForDevice(wrapped, deviceId, { eventId: event_id, photoId: id });
    },

    /** Seals a part to the local disk; its plain bytes. */
    async seal(upload: Upload, { key, n, path }: { key: Bytes; n: number; path: string }, source: AsyncIterable<Bytes>): Promise<number> {
      const plain = counted(source);
      await staging.write(path, vault.sealBlob(key, contextOf(upload, n), plain.pieces));
      return plain.size();
    },

    /** Puts a part into the photo store and commits it; the upload's new version. Throws Refusal upload_offset for an older sender. */
    async place({ id, event_id }: Upload, { n, size }: Part, path: string): Promise<number> {
      const blob = partBlob(event_id, id, n);
      await blobs.adopt(blob, path);
      try {
        return await store.addPart(id, n, size, clock.now() + UPLOAD_KEPT);
      } catch (error) {
        // The part may be there, or appear in a moment. The janitor removes the blob where it does not.
        if (error instanceof OutcomeUnknown) throw error;
        await removeBlobs(blobs, [blob], log);
        if (error instanceof Refusal && error.code === 'upload_expired') await remove({ id });
        throw error instanceof Superseded ? new Refusal('upload_offset', { cause: error }) : error;
      }
    },

    /** The plain bytes of parts. Throws BlobMissing, Tampered. */
    async *open(upload: Upload, key: Bytes, parts: Part[]): AsyncGenerator<Bytes> {
      for (const { n, size } of parts) {
        const blob = partBlob(upload.event_id, upload.id, n);
        yield* vault.openBlob(key, contextOf(upload, n), size, (range) => blobs.read(blob, range));
      }
    },
  };
}
