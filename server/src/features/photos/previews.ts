import type { Bytes } from '../../lib/bytes.ts';
import type { Log } from '../../lib/log.ts';
import { NotAPhoto, type Decoder } from '../../images/decoder.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { collect, single } from '../../lib/stages.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { PhotoStore } from './photos.store.ts';

/** Keys of photos whose preview waits for a quiet moment; beyond, previews are made at the first view. */
const QUEUE = 1000;
/** Photos remembered as having no preview of their own, so that a view does not try in vain again. */
const FAILED = 1000;

export interface PreviewSource {
  id: string;
  eventId: string;
  /** Bytes of the original. */
  size: number;
}
export interface PreviewFacts {
  type: string;
  size: number;
}

export interface Previews {
  /** Makes a preview while no upload runs. Takes the key over and wipes it afterwards. */
  later(photo: PreviewSource, key: Bytes): void;
  /** Makes a preview at once; those who ask at the same time share it. Null where there is none to be had. */
  now(photo: PreviewSource, openKey: () => Bytes): Promise<PreviewFacts | null>;
  /** Keeps the background work waiting until the returned function is called. */
  hold(): () => void;
  /** Drops what waits, wipes its keys, and waits for what runs. */
  close(): Promise<void>;
}

interface Parts {
  blobs: BlobStore;
  vault: Vault;
  decoder: Decoder;
  store: Pick<PhotoStore, 'savePreview'>;
  log: Log;
}

export function createPreviews({ blobs, vault, decoder, store, log }: Parts): Previews {
  const waiting = new Map<string, { photo: PreviewSource; key: Bytes }>();
  const flight = createSingleFlight<PreviewFacts | null>();
  const failed = new Set<string>();
  let holds = 0;
  let working = false;
  let closed = false;

  async function make(photo: PreviewSource, key: Bytes, urgent: boolean): Promise<PreviewFacts | null> {
    const { id: photoId, eventId, size } = photo;
    const original = photoBlob(eventId, photoId, 'original');
    const open = () => vault.openBlob(key, { eventId, photoId, variant: 'original' }, size, (range) => blobs.read(original, range));
    const rendition = await decoder.preview(open, size, { owner: eventId, urgent });
    const blob = photoBlob(eventId, photoId, 'preview');
    await blobs.put(blob, await collect(vault.sealBlob(key, { eventId, photoId, variant: 'preview' }, single(rendition.bytes))));
    const saved = await store.savePreview(photoId, { type: rendition.type, size: rendition.bytes.length });
    if (saved) return saved;
    await blobs.remove(blob);
    return null;
  }

  /** Wipes the key afterwards. */
  async function attempt(photo: PreviewSource, key: Bytes, urgent: boolean): Promise<PreviewFacts | null> {
    try {
      return await make(photo, key, urgent);
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
      if (failed.size >= FAILED) failed.clear();
      failed.add(photo.id);
      return null;
    } finally {
      key.fill(0);
    }
  }

  function drop(id: string): void {
    waiting.get(id)?.key.fill(0);
    waiting.delete(id);
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    while (holds === 0 && !closed) {
      const next = waiting.values().next().value;
      if (!next) break;
      waiting.delete(next.photo.id);
      await flight
        .run(next.photo.id, () => attempt(next.photo, next.key, false))
        .catch((error: unknown) => log.warn({ err: error }, 'a preview was not made'))
        // Where somebody's view makes this preview already, its own key was not used.
        .finally(() => next.key.fill(0));
    }
    working = false;
  }

  return {
    later(photo, key) {
      if (closed || waiting.size >= QUEUE) {
        key.fill(0);
        return;
      }
      waiting.set(photo.id, { photo, key });
      void work();
    },
    async now(photo, openKey) {
      if (failed.has(photo.id)) return null;
      return flight.run(photo.id, () => {
        drop(photo.id);
        return attempt(photo, openKey(), true);
      });
    },
    hold() {
      holds += 1;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        holds -= 1;
        void work();
      };
    },
    async close() {
      closed = true;
      for (const id of waiting.keys()) drop(id);
      await flight.settled();
    },
  };
}
