import { LINK_LIFETIME, LINK_REMEMBERED } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import { isReferenceViolation } from '../../database/errors.ts';
import { insertWhere } from '../../database/insert-where.ts';
import type { PhotoRow } from '../../database/schema.ts';
import type { ByteAnswer, ByteRange } from '../../http/byte-answer.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import { isBoothToken, isToken, randomToken } from '../../lib/ids.ts';
import { single } from '../../lib/stages.ts';
import { readStaged, writeStaged } from '../../storage/staged-file.ts';
import type { Context } from '../context.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import { CLEANING, cleanFileName, type FoundPhoto, type Photos } from '../photos/photos.ts';
import { createBoothTokens } from './booth-tokens.ts';
import { iso } from '../../lib/clock.ts';

/** Most pictures that are made at the same time; each takes up to some tens of megabytes of memory. */
const MAX_RENDERS = 2;
/** Most photos that are made or read at the same time; each waits, or needs a file of some megabytes. */
const MAX_PHOTOS = 64;
/** Part of the ETag; must change whenever the same photo may give different bytes. */
const RENDERING = 'shared-2';
/** Seconds until a refused client may retry. */
const RETRY_AFTER_S = 10;

export type Links = ReturnType<typeof createLinks>;

interface Deps extends Pick<Context, 'db' | 'vault' | 'decoder' | 'staging' | 'clock'> {
  limits: Pick<RateLimits, 'serialized'>;
  photos: Pick<Photos, 'byId' | 'read' | 'readClean' | 'mustBeShareable'>;
}

/**
 * Creates temporary links to single photos; the token opens the photo. A link's key is deleted before its row, so that an expired link can
 * be distinguished from an unknown one.
 */
export function createLinks({ db, vault, decoder, photos, staging, clock, limits }: Deps) {
  const hashOf = (token: string): Bytes => vault.lookupHash(token, 'link');
  const booths = createBoothTokens({ db, vault, clock, limits });
  const withoutPlace = createRenditions({ vault, decoder, photos, staging });

  /**
   * Answers with a photo for strangers, without the place where it was taken: a JPEG in full size, or picture and sound of a video.
   * `explained` translates an error for the caller.
   */
  async function shared(found: FoundPhoto, explained: (error: unknown) => unknown = (error) => error): Promise<ByteAnswer> {
    const { id, type, size, codecs, created_at } = found.row;
    let made = null as Rendition;
    const failed = async (error: unknown): Promise<never> => {
      made?.release();
      throw explained(error);
    };
    if (codecs === null)
      return {
        type: 'image/jpeg',
        etag: `${id}.${RENDERING}`,
        filename: `photo_${created_at}.jpg`,
        // A report can name the photo by this header.
        headers: { 'cache-control': 'no-store', 'photo-id': id },
        make: async () => {
          made = await withoutPlace(found);
          return made ? { size: made.size, open: made.read } : { size, open: (range) => photos.read(found, 'original', range) };
        },
        instead: failed,
      };
    // Hands out only picture and sound. Pages ask by HEAD, so HEAD is refused, too, if the video cannot be handed out.
    await photos.mustBeShareable(found).catch(failed);
    return {
      type,
      size,
      etag: `${id}.${CLEANING}`,
      filename: cleanFileName(`video_${created_at}`, type),
      headers: { 'cache-control': 'no-store' },
      open: (range) => photos.readClean(found, range),
      instead: failed,
    };
  }

  /** Returns statements that insert a link if its photo exists and no other photo has the token. */
  function rowsOf(token: string, key: Bytes, { id, event_id: eventId }: Pick<PhotoRow, 'id' | 'event_id'>) {
    const link = { token_hash: hashOf(token) };
    const wrapped = vault.wrapForLink(key, token, { eventId, photoId: id });
    const photo = db.kysely.selectFrom('photos').where('photos.id', '=', id);
    return [
      insertWhere(db.kysely, 'links', { ...link, expires_at: clock.now() + LINK_LIFETIME }, photo),
      insertWhere(db.kysely, 'link_keys', { ...link, photo_id: id, wrapped }, photo),
    ].map((statement) => statement.onConflict((conflict) => conflict.doNothing()));
  }

  /**
   * Makes a link to a photo: with `token` if a Fotobox has printed it and no other photo has it, else with a new one. Throws Refusal
   * `photo_not_found`, `original_missing`, and `demo_fixed` for the demo, which must not be used to publish photos.
   */
  async function make(found: FoundPhoto, token = randomToken()): Promise<{ download_url: string; expires_at: string }> {
    const { row, openKey } = found;
    if (row.demo === 1) throw new Refusal('demo_fixed');
    if (!STATE_RULES[row.state].handedOut) throw new Refusal('original_missing');
    using key = openKey();
    const link = db.kysely
      .selectFrom('links')
      .innerJoin('link_keys', 'link_keys.token_hash', 'links.token_hash')
      .select('expires_at')
      .where('links.token_hash', '=', hashOf(token))
      .where('photo_id', '=', row.id);
    const rows = await db.batch([...rowsOf(token, key, row), link]).catch((error: unknown) => {
      // The photo was deleted in between.
      throw isReferenceViolation(error) ? new Refusal('photo_not_found', { cause: error }) : error;
    });
    const [made] = rows.at(-1) as { expires_at: number }[];
    if (made) return { download_url: `/download/${token}`, expires_at: iso(Number(made.expires_at)) };
    if (isBoothToken(token)) return make(found);
    throw new Refusal('photo_not_found');
  }

  return {
    /** The tokens that a Fotobox makes; `rowsOf` are its links as rows that are written together with their photo. */
    booths,
    rowsOf,

    make,

    /**
     * Returns the photo of a token; null if a Fotobox made the token and the photo has not come yet. Throws Refusal `link_invalid`
     * (unknown), `link_expired` (expired, or the photo was deleted), `too_many_attempts`.
     */
    async open(token: string, address: string): Promise<FoundPhoto | null> {
      if (!isToken(token) && !isBoothToken(token)) throw new Refusal('link_invalid');
      // Photo and key are null after the photo was deleted or the link expired.
      const link = await db.kysely
        .selectFrom('links')
        .leftJoin('link_keys', 'link_keys.token_hash', 'links.token_hash')
        .select(['links.expires_at', 'link_keys.photo_id', 'link_keys.wrapped'])
        .where('links.token_hash', '=', hashOf(token))
        .executeTakeFirst();
      if (!link) {
        if (await booths.isAwaited(token, address)) return null;
        throw new Refusal('link_invalid');
      }
      const { photo_id: photoId, wrapped } = link;
      const row = photoId && link.expires_at > clock.now() ? await photos.byId(photoId) : undefined;
      if (!row || !wrapped || !STATE_RULES[row.state].handedOut) throw new Refusal('link_expired');
      return { row, openKey: () => vault.openForLink(wrapped, token, { eventId: row.event_id, photoId: row.id }) };
    },

    withoutPlace,
    shared,

    /** Deletes the keys of expired links, and the rows of links that expired 90 days ago. */
    async endExpired(): Promise<void> {
      const expired = db.kysely.selectFrom('links').select('token_hash').where('expires_at', '<=', clock.now());
      await db.kysely.deleteFrom('link_keys').where('token_hash', 'in', expired).execute();
      await db.kysely
        .deleteFrom('links')
        .where('expires_at', '<', clock.now() - LINK_REMEMBERED)
        .execute();
    },
  };
}

/** A JPEG for everybody who has a link, or null. */
type Rendition = Awaited<ReturnType<ReturnType<typeof createRenditions>>>;

/** A picture in a sealed file. */
type Made = { path: string; size: number };

/**
 * Creates the pictures that links show. Each is made once for all concurrent readers, who read it from a sealed file; the last reader
 * removes the file. So slow readers keep no picture in memory. The returned function gives a JPEG in full size without the place where it
 * was taken, which must be read or released; null if the original is such a JPEG. It throws Refusal `unavailable` if there are too many
 * requests.
 */
function createRenditions({ vault, decoder, photos, staging }: Omit<Deps, 'db' | 'clock' | 'limits'>) {
  const renders = createFairSemaphore(MAX_RENDERS);
  /** Pictures by photo id; a picture is kept while it has readers. */
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
      /** Reads the picture, at most once; releases it at the end. */
      read: (range: ByteRange) => read(found, made, range, holding),
    };
  };
}

function blobOf({ row }: FoundPhoto) {
  return { eventId: row.event_id, photoId: row.id, variant: 'shared' };
}
