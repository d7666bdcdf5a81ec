import { addAbortListener } from 'node:events';
import { LINK_LIFETIME, LINK_REMEMBERED } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import { isReferenceViolation } from '../../database/errors.ts';
import { insertWhere } from '../../database/insert-where.ts';
import type { PhotoRow } from '../../database/rows.ts';
import type { ByteAnswer, ByteRange } from '../../http/byte-answer.ts';
import { networkPath } from '../../lib/address.ts';
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
/**
 * Most photos that are made or read at the same time, in all, of an event, and by a network in it; each waits for its turn, or needs a file
 * of some megabytes. Readers may be slow: the others of an event keep a quarter of its places, other events their own.
 */
const [MAX_PHOTOS, OF_EVENT, OF_NETWORK] = [64, 16, 12];
/** Longest wait for such a place, as long as somebody looks at a page that loads. */
const PLACE_WAIT_MS = 20_000;
/** Part of the ETag; must change whenever the same photo may give different bytes. */
const RENDERING = 'shared-2';

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
   * `address` is the reader's; `explained` translates an error for the caller.
   */
  async function shared(
    found: FoundPhoto,
    address: string,
    explained: (error: unknown) => unknown = (error) => error,
  ): Promise<ByteAnswer> {
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
        make: async (gone) => {
          made = await withoutPlace(found, { address, gone });
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
      headers: { 'cache-control': 'no-store', 'photo-id': id },
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

/** A picture in a sealed file, and its place among all pictures. */
type Made = { path: string; size: number; place: Disposable };

/** Who reads a picture: an address, and a signal that aborts when its connection closes. */
type Reader = { address: string; gone: AbortSignal };

/**
 * Creates the pictures that links show. Each is made once for all concurrent readers, who read it from a sealed file; the last reader
 * removes the file. So slow readers keep no picture in memory. A picture's place belongs to the event and the network of its first reader.
 * The returned function gives a JPEG in full size without the location, which must be read or released; null if the original is such a
 * JPEG. It throws Refusal `unavailable` if no place becomes free in time, and the reason of `gone`.
 */
function createRenditions({ vault, decoder, photos, staging }: Omit<Deps, 'db' | 'clock' | 'limits'>) {
  const places = createFairSemaphore(({ length }) => [MAX_PHOTOS, OF_EVENT][length] ?? OF_NETWORK, { maxWaitMs: PLACE_WAIT_MS });
  const renders = createFairSemaphore(MAX_RENDERS);
  /** Pictures by photo id; a picture is kept while it has readers. */
  const pictures = new Map<string, { making: Promise<Made | null>; ending: AbortController; readers: number }>();

  function begin(found: FoundPhoto, address: string) {
    const ending = new AbortController();
    return { making: make(found, networkPath(address), ending.signal), ending, readers: 0 };
  }

  async function make(found: FoundPhoto, networks: string[], signal: AbortSignal): Promise<Made | null> {
    const { size, event_id: owner } = found.row;
    using place = new DisposableStack();
    place.use(await places.acquire([owner, ...networks], signal));
    using _turn = await renders.acquire([owner, ...networks], signal);
    const source = () => photos.read(found, 'original', { start: 0, end: size });
    const jpeg = await decoder.share(source, size, { owner, network: networks.at(-1), signal });
    if (!jpeg) return null;
    const path = staging.path();
    using key = found.openKey();
    try {
      await writeStaged(path, vault.sealBlob(key, blobOf(found), single(jpeg)));
    } catch (error) {
      await staging.discard(path);
      throw error;
    }
    return { path, size: jpeg.length, place: place.move() };
  }

  function end({ making, ending }: ReturnType<typeof begin>): void {
    ending.abort(new Refusal('unavailable'));
    making.then(
      (made) => {
        made?.place[Symbol.dispose]();
        return made && staging.discard(made.path);
      },
      () => undefined,
    );
  }

  async function* read(found: FoundPhoto, { path, size }: Made, range: ByteRange, holding: DisposableStack): AsyncGenerator<Bytes> {
    using owned = new DisposableStack();
    owned.use(holding);
    const key = owned.use(found.openKey());
    yield* vault.openBlob(key, blobOf(found), size, (sealed) => readStaged(path, sealed), range);
  }

  return async (found: FoundPhoto, { address, gone }: Reader) => {
    const { id } = found.row;
    const picture = pictures.get(id) ?? begin(found, address);
    pictures.set(id, picture);
    picture.readers += 1;
    using owned = new DisposableStack();
    owned.defer(() => {
      picture.readers -= 1;
      if (picture.readers > 0) return;
      pictures.delete(id);
      end(picture);
    });
    const left = Promise.withResolvers<never>();
    using _leaving = addAbortListener(gone, () => left.reject(gone.reason));
    const made = await Promise.race([picture.making, left.promise]);
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
