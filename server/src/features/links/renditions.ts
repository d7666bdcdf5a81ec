import type { Decoder } from '../../images/decoder.ts';
import type { ByteRange } from '../../http/byte-answer.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { createGate } from '../../lib/gate.ts';
import { single } from '../../lib/stages.ts';
import { readStaged, writeStaged } from '../../storage/staged-file.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { FoundPhoto, Photos } from '../photos/photos.ts';

/** Pictures made at once: while one is, it is held whole, up to some tens of megabytes. */
const RENDERS = 2;
/** Photos that are being made or read at once; each waits, or fills a file of some megabytes. */
const PHOTOS = 64;
/** Seconds until a place may be free. */
const RETRY = 10;

/** A JPEG for whoever has a link. */
export interface Rendition {
  size: number;
  /** Once; ends the use. */
  read(range: ByteRange): AsyncGenerator<Bytes>;
  /** Ends the use where nothing was read. */
  release(): void;
}

/** A picture that some are reading, in a sealed file; null where the original may go out. */
interface Made {
  path: string;
  size: number;
}

interface Parts {
  vault: Vault;
  decoder: Pick<Decoder, 'share'>;
  photos: Pick<Photos, 'read'>;
  staging: Staging;
}

/**
 * Makes the pictures that links show. Each is made once for all who ask at the same time, and read from a sealed file that goes
 * with the last of them: however slowly they read, no picture stays in memory.
 */
export function createRenditions({ vault, decoder, photos, staging }: Parts) {
  const gate = createGate(RENDERS);
  const current = new Map<string, { readers: number; made: Promise<Made | null> }>();

  async function make(found: FoundPhoto): Promise<Made | null> {
    const { size, event_id: lane } = found.row;
    const leave = await gate.enter();
    try {
      const jpeg = await decoder.share(() => photos.read(found, 'original', size, { start: 0, end: size }), size, { lane });
      if (!jpeg) return null;
      const path = staging.path();
      const key = found.openKey();
      try {
        await writeStaged(path, vault.sealBlob(key, blobOf(found), single(jpeg)));
      } catch (error) {
        await staging.discard(path);
        throw error;
      } finally {
        key.fill(0);
      }
      return { path, size: jpeg.length };
    } finally {
      leave();
    }
  }

  return {
    /** A JPEG in full size that does not tell where it was taken; null where the original is that. Throws Refusal unavailable. */
    async of(found: FoundPhoto): Promise<Rendition | null> {
      const { id } = found.row;
      let entry = current.get(id);
      if (!entry) {
        if (current.size >= PHOTOS) throw new Refusal('unavailable', { retryAfter: RETRY });
        entry = { readers: 0, made: make(found) };
        current.set(id, entry);
      }
      const used = entry;
      used.readers += 1;
      let released = false;
      const release = (): void => {
        if (released) return;
        released = true;
        used.readers -= 1;
        if (used.readers > 0) return;
        current.delete(id);
        used.made.then(
          (made) => made && staging.discard(made.path),
          () => undefined,
        );
      };
      try {
        const made = await used.made;
        if (made) return { size: made.size, release, read: (range) => read(found, made, range, release) };
        release();
        return null;
      } catch (error) {
        release();
        throw error;
      }
    },
  };

  async function* read(found: FoundPhoto, { path, size }: Made, range: ByteRange, release: () => void): AsyncGenerator<Bytes> {
    const key = found.openKey();
    try {
      yield* vault.openBlob(key, blobOf(found), size, (sealed) => readStaged(path, sealed), range);
    } finally {
      key.fill(0);
      release();
    }
  }
}

function blobOf({ row }: FoundPhoto) {
  return { eventId: row.event_id, photoId: row.id, variant: 'shared' };
}
