import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { OutcomeUnknown } from '../../database/errors.ts';
import type { UploadRow } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { partBlob, type BlobStore } from '../../storage/blob-store.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import { isBreak, LEAST_KEPT_BYTES, type PartStream } from './part-stream.ts';
import { Superseded, type Part, type ResumableStore } from './resumable.store.ts';

interface Parts {
  store: ResumableStore;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  life: BlobLife;
  clock: Clock;
}

type Upload = Pick<UploadRow, 'id' | 'event_id'>;

/** Version of an upload that has its first part from its beginning. */
const FIRST_PART_VERSION = 1;

/** The parts of uploads: sealed, put into the photo store, opened and removed. */
export function createPartStore({ store, blobs, staging, vault, life, clock }: Parts) {
  const contextOf = ({ id, event_id }: Upload, n: number) => ({ eventId: event_id, photoId: id, variant: `part-${n}` });

  /** Removes an upload, with `expiredAt` only if it had expired by that instant. Row and key first: without the key the parts are unreadable. */
  async function remove({ id }: { id: string }, expiredAt?: number): Promise<void> {
    await life.remove(await store.remove(id, expiredAt));
  }

  /** The key of an upload's parts. Throws Refusal upload_offset where it is finished or gone. */
  async function openKey({ id, event_id }: Upload, deviceId: string): Promise<Bytes> {
    const wrapped = await store.wrappedKey(id);
    if (!wrapped) throw new Refusal('upload_offset');
    return vault.openForDevice(wrapped, deviceId, { eventId: event_id, photoId: id });
  }

  /** Seals a part to the local disk; its plain bytes. */
  async function seal(upload: Upload, { key, n, path }: { key: Bytes; n: number; path: string }, source: AsyncIterable<Bytes>) {
    let size = 0;
    async function* counted(): AsyncGenerator<Bytes> {
      for await (const piece of source) {
        size += piece.length;
        yield piece;
      }
    }
    await staging.write(path, vault.sealBlob(key, contextOf(upload, n), counted()));
    return size;
  }

  /** Puts a part into the photo store and commits it; the upload's new version. Throws Refusal upload_offset for an older sender. */
  async function place({ id, event_id }: Upload, { n, size }: Part, path: string): Promise<number> {
    try {
      return await life.change({
        placed: { [partBlob(event_id, id, n)]: (name) => blobs.adopt(name, path) },
        commit: () => store.addPart(id, n, size, clock.now() + UPLOAD_KEPT),
      });
    } catch (error) {
      if (error instanceof Refusal && error.code === 'upload_expired') await remove({ id });
      throw error instanceof Superseded ? new Refusal('upload_offset', { cause: error }) : error;
    }
  }

  return {
    openKey,
    remove,

    /** Adds an upload of which `source` has arrived, as its first part. The upload's version; null: its key is taken. */
    async addWithPart(row: UploadRow, { key, wrapped }: { key: Bytes; wrapped: Bytes }, source: AsyncIterable<Bytes>) {
      await using owned = new AsyncDisposableStack();
      const path = owned.adopt(staging.path(), staging.discard);
      const size = await seal(row, { key, n: 0, path }, source);
      const blob = partBlob(row.event_id, row.id, 0);
      const first = { ...row, received: size, version: FIRST_PART_VERSION };
      const adding = life.change({
        placed: { [blob]: (name) => blobs.adopt(name, path) },
        commit: () => store.add(first, wrapped, [{ n: 0, size }]),
        unnamed: (added) => (added ? [] : [blob]),
      });
      const added = await adding.catch((error: unknown) => {
        if (error instanceof OutcomeUnknown) return false;
        throw error;
      });
      return added ? FIRST_PART_VERSION : null;
    },

    /**
     * Adds the parts of a stream until its end, for the sender that holds `version`. A break ends the last part, and is thrown once that
     * is kept; where a newer sender has come, it is not. Throws Refusal.
     */
    async append(
      row: UploadRow,
      version: number,
      stream: PartStream,
      sender: { deviceId: string; isSuperseded(): boolean },
    ): Promise<void> {
      await using owned = new AsyncDisposableStack();
      owned.defer(stream.close);
      const key = owned.adopt(await openKey(row, sender.deviceId), (bytes) => void bytes.fill(0));
      let next = version;
      let left = row.length - row.received;
      while (await stream.more()) {
        const path = owned.adopt(staging.path(), staging.discard);
        const size = await seal(row, { key, n: next, path }, stream.next());
        left -= size;
        if (left < 0) throw new Refusal('too_large');
        const error = stream.error();
        if (error !== undefined && (sender.isSuperseded() || size < LEAST_KEPT_BYTES || !isBreak(error))) break;
        next = await place(row, { n: next, size }, path);
      }
      if (stream.error() !== undefined) throw stream.error();
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

export type PartStore = ReturnType<typeof createPartStore>;
