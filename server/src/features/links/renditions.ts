import type { ByteRange } from '../../http/byte-answer.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import { single } from '../../lib/stages.ts';
import { readStaged, writeStaged } from '../../storage/staged-file.ts';
import type { Ground } from '../ground.ts';
import type { FoundPhoto, Photos } from '../photos/photos.ts';

/** Pictures made at the same time: each is in memory meanwhile, up to some tens of megabytes. */
const MAX_RENDERS = 2;
/** Photos that are made or read at the same time; each waits, or needs a file of some megabytes. */
const MAX_PHOTOS = 64;
/** Seconds until a refused client may retry. */
const RETRY_AFTER_S = 10;

/** A JPEG for everybody who has a link, or null. */
export type Rendition = Awaited<ReturnType<ReturnType<typeof createRenditions>>>;

/** A picture in a sealed file. */
type Made = { path: string; size: number };

interface Parts extends Pick<Ground, 'vault' | 'decoder' | 'staging'> {
  photos: Pick<Photos, 'read'>;
}

/**
 * Makes the pictures that links show. Each is made once for all concurrent readers, who read it from a sealed file, which the last
 * one removes. So slow readers keep no picture in memory. What it returns answers with a JPEG in full size without the place where it was
 * taken, which must be read or released; with null if the original is one. Throws Refusal unavailable if there are too many requests.
 */
export function createRenditions({ vault, decoder, photos, staging }: Parts) {
  const renders = createFairSemaphore(MAX_RENDERS);
  /** By photo; a picture is kept while it has readers. */
  const pictures = new Map<string, { making: Promise<Made | null>; readers: number }>();

  async function make(found: FoundPhoto): Promise<Made | null> {
    const { size, event_id: owner } = found.row;
    const jpeg = await decoder.share(() => photos.read(found, 'original', { start: 0, end: size }), size, { owner });
    if (!jpeg) return null;
    const path = staging.path();
    using key = found.openKey();
    try {
      await writeStaged(path, vault.sealBlob(key, blobOf(found), single(jpeg)));
    } catch (error) {
      await staging.discard(path);
      throw error;
    }
    return { path, size: jpeg.length };
  }

  async function* read(found: FoundPhoto, { path, size }: Made, range: ByteRange, holding: DisposableStack): AsyncGenerator<Bytes> {
    using owned = new DisposableStack();
    owned.use(holding);
    const key = owned.use(found.openKey());
    yield* vault.openBlob(key, blobOf(found), size, (sealed) => readStaged(path, sealed), range);
  }

  return async (found: FoundPhoto) => {
    const { id } = found.row;
    if (!pictures.has(id) && pictures.size >= MAX_PHOTOS) throw new Refusal('unavailable', { retryAfter: RETRY_AFTER_S });
    const picture = pictures.get(id) ?? { making: renders.run([], () => make(found)), readers: 0 };
    pictures.set(id, picture);
    picture.readers += 1;
    using owned = new DisposableStack();
    owned.defer(() => {
      picture.readers -= 1;
      if (picture.readers > 0) return;
      pictures.delete(id);
      picture.making.then(
        (made) => made && staging.discard(made.path),
        () => undefined,
      );
    });
    const made = await picture.making;
    if (!made) return null;
    const holding = owned.move();
    return {
      size: made.size,
      /** Releases the picture if nothing is read. */
      release: () => holding.dispose(),
      /** May be called once; releases the picture at its end. */
      read: (range: ByteRange) => read(found, made, range, holding),
    };
  };
}

function blobOf({ row }: FoundPhoto) {
  return { eventId: row.event_id, photoId: row.id, variant: 'shared' };
}
