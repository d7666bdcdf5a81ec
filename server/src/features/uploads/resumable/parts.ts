import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { UploadRow } from '../../../database/rows.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { partBlob } from '../../../storage/blob-store.ts';
import type { Key } from '../../../vault/vault.ts';
import type { UploadContext } from '../context.ts';
import type { NewPart, OpenUploadStore, Part } from './open-uploads.store.ts';
import type { ActiveSender } from './senders.ts';

/** Most plain bytes of one part, which is what the kill of a node loses. */
export const PART_BYTES = 8 * 1024 * 1024;
/**
 * A part of at least SLOW_PART_BYTES ends early after SLOW_PART_MS, so that the kill of a node loses less of a slow sender: six photos at
 * once over 8 Mbit/s would all be lost before one part has 8 MiB.
 */
const SLOW_PART_BYTES = 512 * 1024;
const SLOW_PART_MS = 3000;
/** Least bytes that are kept as a part after a break; fewer are sent again. */
const LEAST_KEPT_BYTES = 16 * 1024;
/** A smaller part is read again and merged with the next one, so that an upload in crumbs has few parts. */
const GATHERED_BYTES = 256 * 1024;

type Upload = Pick<UploadRow, 'id' | 'event_id'>;

/** Seals the parts of uploads, and puts them into the photo store, opens and removes them. */
export function createParts({ blobs, staging, vault, blobLife, clock }: UploadContext, store: OpenUploadStore) {
  const contextOf = ({ id, event_id }: Upload, n: number) => ({ eventId: event_id, photoId: id, variant: `part-${n}` });

  /** Opens the key of an upload's parts. Throws Refusal upload_offset if the upload is finished or gone. */
  async function openKey({ id, event_id }: Upload, deviceId: string): Promise<Key> {
    const wrapped = await store.wrappedKey(id);
    if (!wrapped) throw new Refusal('upload_offset');
    return vault.openForDevice(wrapped, deviceId, { eventId: event_id, photoId: id });
  }

  /** Reads the plain bytes of parts. Throws BlobMissing, Tampered. */
  async function* open(upload: Upload, key: Bytes, parts: Part[]): AsyncGenerator<Bytes> {
    for (const { n, size } of parts) {
      const blob = partBlob(upload.event_id, upload.id, n);
      yield* vault.openBlob(key, contextOf(upload, n), size, (range) => blobs.read(blob, range));
    }
  }

  /**
   * Puts a part into the photo store and commits it; returns the upload's new version. Throws Refusal upload_offset for an older sender.
   */
  async function place({ id, event_id }: Upload, part: NewPart, path: string): Promise<number> {
    const placed = partBlob(event_id, id, part.n);
    const dropped = part.instead ? [partBlob(event_id, id, part.instead.n)] : [];
    const version = await blobLife.changeBlobs({
      placed: { [placed]: (name) => blobs.adopt(name, path) },
      dropped,
      commit: () => store.addPart(id, part, clock.now() + UPLOAD_KEPT),
      unnamed: (newer) => (newer === undefined ? [placed] : dropped),
    });
    if (version === undefined) throw new Refusal('upload_offset');
    return version;
  }

  return {
    openKey,
    open,

    /**
     * Removes uploads, with `expiredAt` only those that had expired by then. Rows and keys go first: without its key a part is unreadable.
     */
    async remove(uploads: readonly Pick<UploadRow, 'id'>[], expiredAt?: number): Promise<void> {
      const ids = uploads.map(({ id }) => id);
      if (ids.length > 0) await blobLife.remove(await store.remove(ids, expiredAt));
    },

    /**
     * Adds a sender's bytes in parts until the stream ends; `begun` was read from the stream already as its first part. After a break the
     * last part is kept, unless a newer sender has come; then the break is thrown. Throws Refusal; BlobMissing, Tampered for the part
     * before.
     */
    async append(
      row: UploadRow,
      deviceId: string,
      sender: ActiveSender,
      stream: Stream,
      begun: AsyncIterable<Bytes> | null,
    ): Promise<void> {
      await using owned = new AsyncDisposableStack();
      using key = await openKey(row, deviceId);
      const last = (await store.parts(row.id)).at(-1);
      let instead = last && last.size < GATHERED_BYTES ? last : null;
      async function* nextPart(): AsyncGenerator<Bytes> {
        if (instead) yield* open(row, key, [instead]);
        yield* stream.next();
      }
      let next = sender.version;
      let left = row.length - row.received;
      for (let first = begun; first || (await stream.more()); first = null) {
        const path = owned.adopt(staging.path(), staging.discard);
        let sealed = 0;
        const bytes = counted(first ?? nextPart(), (size) => (sealed += size));
        await staging.write(path, vault.sealBlob(key, contextOf(row, next), bytes));
        const { size: arrived, error } = stream.last();
        left -= arrived;
        if (left < 0) throw new Refusal('too_large');
        const isBreak = error instanceof Refusal && error.code === 'upload_incomplete';
        if (error !== undefined && (sender.superseded || arrived < LEAST_KEPT_BYTES || !isBreak)) break;
        sender.line.rest();
        const size = arrived + (instead?.size ?? 0);
        if (sealed !== size) throw new Error(`a part of ${size} bytes was read again as ${sealed}`);
        next = await place(row, { n: next, size, instead }, path);
        instead = null;
      }
      const { error } = stream.last();
      if (error !== undefined) throw error;
    },
  };
}

/** Passes a stream on and reports each piece's length. */
async function* counted(source: AsyncIterable<Bytes>, count: (bytes: number) => void): AsyncGenerator<Bytes> {
  for await (const piece of source) {
    count(piece.length);
    yield piece;
  }
}

export type UploadParts = ReturnType<typeof createParts>;
export type Stream = ReturnType<typeof cutIntoParts>;

/** Cuts a stream into parts of at most `partBytes`. A break ends the part, so that the bytes before it can be kept. */
export function cutIntoParts(source: AsyncIterable<Bytes>, partBytes = PART_BYTES) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Bytes | null = null;
  let ended = false;
  let error: unknown;
  let size = 0;

  /** Reads until it knows whether there are more bytes. */
  async function more(): Promise<boolean> {
    while (rest === null && !ended) {
      try {
        const { done, value } = await iterator.next();
        if (done) ended = true;
        else if (value.length > 0) rest = value;
      } catch (cause) {
        ended = true;
        error = cause;
      }
    }
    return rest !== null;
  }

  return {
    more,
    /** Reads the bytes of the next part. They also end if the stream breaks off. */
    async *next(): AsyncGenerator<Bytes> {
      const since = performance.now();
      const isSlow = (): boolean => performance.now() - since >= SLOW_PART_MS;
      for (size = 0; size < partBytes && !(size >= SLOW_PART_BYTES && isSlow()) && (await more());) {
        const whole = rest as unknown as Bytes;
        const piece = whole.subarray(0, partBytes - size);
        rest = piece.length < whole.length ? whole.subarray(piece.length) : null;
        size += piece.length;
        yield piece;
      }
    },
    /** Returns the size of the part that was read last, and the error with which the stream broke off in it. */
    last: (): { size: number; error: unknown } => ({ size, error }),
    async close(): Promise<void> {
      await iterator.return?.();
    },
  };
}
