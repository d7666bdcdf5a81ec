import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { UploadRow } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { partBlob } from '../../../storage/blob-store.ts';
import type { Key } from '../../../vault/vault.ts';
import type { UploadGround } from '../ground.ts';
import { cutIntoParts, isBreak } from './cut.ts';
import type { NewPart, OpenUploadStore, Part } from './open-uploads.store.ts';
import type { ActiveSender } from './senders.ts';

/** Of what arrived before a break, less is not worth a part: the sender sends it again. */
const LEAST_KEPT_BYTES = 64 * 1024;
/** A part of less is read again and becomes one with the next: an upload in crumbs has few parts. */
const GATHERED_BYTES = 256 * 1024;

type Upload = Pick<UploadRow, 'id' | 'event_id'>;

/** The parts of uploads: sealed, put into the photo store, opened and removed. */
export function createParts({ blobs, staging, vault, life, clock }: UploadGround, store: OpenUploadStore) {
  const contextOf = ({ id, event_id }: Upload, n: number) => ({ eventId: event_id, photoId: id, variant: `part-${n}` });

  /** The key of an upload's parts. Throws Refusal upload_offset where it is finished or gone. */
  async function openKey({ id, event_id }: Upload, deviceId: string): Promise<Key> {
    const wrapped = await store.wrappedKey(id);
    if (!wrapped) throw new Refusal('upload_offset');
    return vault.openForDevice(wrapped, deviceId, { eventId: event_id, photoId: id });
  }

  /** The plain bytes of parts. Throws BlobMissing, Tampered. */
  async function* open(upload: Upload, key: Bytes, parts: Part[]): AsyncGenerator<Bytes> {
    for (const { n, size } of parts) {
      const blob = partBlob(upload.event_id, upload.id, n);
      yield* vault.openBlob(key, contextOf(upload, n), size, (range) => blobs.read(blob, range));
    }
  }

  /** Seals a part to the local disk; its plain bytes. */
  async function seal(upload: Upload, { key, n, path }: { key: Bytes; n: number; path: string }, sources: AsyncIterable<Bytes>[]) {
    let size = 0;
    async function* counted(): AsyncGenerator<Bytes> {
      for (const source of sources)
        for await (const piece of source) {
          size += piece.length;
          yield piece;
        }
    }
    await staging.write(path, vault.sealBlob(key, contextOf(upload, n), counted()));
    return size;
  }

  /** Puts a part into the photo store and commits it; the upload's new version. Throws Refusal upload_offset for an older sender. */
  async function place({ id, event_id }: Upload, part: NewPart, path: string): Promise<number> {
    const placed = partBlob(event_id, id, part.n);
    const dropped = part.instead ? [partBlob(event_id, id, part.instead.n)] : [];
    const version = await life.change({
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

    /** Removes an upload, with `expiredAt` only if it had expired by that instant. Row and key first: without the key the parts are unreadable. */
    async remove({ id }: Pick<UploadRow, 'id'>, expiredAt?: number): Promise<void> {
      await life.remove(await store.remove(id, expiredAt));
    },

    /**
     * Adds what a sender sends, in parts, until its end. A break ends the last part, and is thrown once that is kept; where a newer sender
     * has come, it is not. Throws Refusal; BlobMissing, Tampered of the part before.
     */
    async append(
      row: UploadRow,
      deviceId: string,
      { version, isSuperseded, rest }: ActiveSender,
      pieces: AsyncIterable<Bytes>,
    ): Promise<void> {
      await using owned = new AsyncDisposableStack();
      const stream = cutIntoParts(pieces);
      owned.defer(stream.close);
      using key = await openKey(row, deviceId);
      const last = (await store.parts(row.id)).at(-1);
      let instead = last && last.size < GATHERED_BYTES ? last : null;
      let next = version;
      let left = row.length - row.received;
      while (await stream.more()) {
        const path = owned.adopt(staging.path(), staging.discard);
        const size = await seal(row, { key, n: next, path }, [open(row, key, instead ? [instead] : []), stream.next()]);
        const arrived = size - (instead?.size ?? 0);
        left -= arrived;
        if (left < 0) throw new Refusal('too_large');
        const error = stream.error();
        if (error !== undefined && (isSuperseded() || arrived < LEAST_KEPT_BYTES || !isBreak(error))) break;
        rest();
        next = await place(row, { n: next, size, instead }, path);
        instead = null;
      }
      if (stream.error() !== undefined) throw stream.error();
    },
  };
}
