import { DAY, MB } from '@feierbild/contract/constants.ts';
import type { Trx } from '../../database/open.ts';
import { NotAPhoto, TooManyPixels, type Rendition } from '../../images/decoder.ts';
import type { ByteAnswer } from '../../http/byte-answer.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { untilAborted } from '../../lib/deadline.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal } from '../../lib/errors.ts';
import { isShortToken, randomShortToken } from '../../lib/ids.ts';
import { single } from '../../lib/stages.ts';
import type { Context } from '../context.ts';

/** Largest file that a picture is made of; it is in memory meanwhile. */
export const SOURCE_BYTES = 20 * MB;
/** Largest picture that is kept. */
const KEPT_BYTES = 200_000;
/** Longest edges to try, pixels, until a picture is small enough. */
const EDGES = { logo: [480, 320, 160], title: [1200, 800, 480, 240] };
/** Read and made at the same time, one of each owner; each file is in memory meanwhile. */
const AT_ONCE = 4;
/** Longest time for the bytes of a file: who sends more slowly must not keep others waiting. */
const READ_MS = 60_000;
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

export type Pictures = ReturnType<typeof createPictures>;

/** A picture in the database. */
export interface StoredPicture {
  id: string;
  width: number;
  height: number;
}

export interface Logo extends StoredPicture {
  type: string;
  content: Bytes;
}

/** Whose a picture is: an event's, maybe made of one of its photos, or the operator's. */
interface Of {
  eventId: string | null;
  photoId: string | null;
}

/** Small pictures that everybody may see: made anew by the decoder, kept in the database, unsealed. */
export function createPictures({ db, decoder, clock }: Pick<Context, 'db' | 'decoder' | 'clock'>) {
  const places = createFairSemaphore(({ length }) => (length === 0 ? AT_ONCE : 1));

  /** Throws Refusal request_timeout. */
  async function inTime(file: Promise<Bytes>): Promise<Bytes> {
    const limit = AbortSignal.timeout(READ_MS);
    return untilAborted(file, limit, 0).catch((error: unknown) => {
      throw error === limit.reason ? new Refusal('request_timeout') : error;
    });
  }

  /** The picture in a file, small enough to be kept. Throws Refusal not_a_photo, too_many_pixels, logo_refused. */
  async function render(file: Bytes, use: keyof typeof EDGES, owner: string): Promise<Rendition> {
    const source = () => single(Buffer.from(file));
    try {
      if (use === 'logo' && !LOGO_TYPES.includes((await decoder.probe(source, file.length, { owner })).type))
        throw new Refusal('logo_refused');
      for (const edge of EDGES[use]) {
        const made = await decoder.preview(source, file.length, { owner, urgent: true, edge });
        if (made.bytes.length <= KEPT_BYTES) return made;
      }
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
      throw new Refusal(error instanceof TooManyPixels ? 'too_many_pixels' : 'not_a_photo', { cause: error });
    }
    throw new Refusal('too_large');
  }

  async function add(trx: Trx, of: Of, { type, width, height, bytes }: Rendition): Promise<StoredPicture> {
    const id = randomShortToken();
    const row = { id, event_id: of.eventId, photo_id: of.photoId, type, width, height, content: bytes, created_at: clock.now() };
    await trx.insertInto('pictures').values(row).execute();
    return { id, width, height };
  }

  return {
    /**
     * A picture of what `read` brings, which is in memory until then: few are made at a time. `owner` shares the decoder's time. Throws
     * what `read` throws, and Refusal request_timeout, not_a_photo, too_many_pixels, logo_refused, too_large, unavailable.
     */
    make: (use: keyof typeof EDGES, owner: string, read: () => Promise<Bytes>): Promise<Rendition> =>
      places.run([owner], async () => render(await inTime(read()), use, owner)),

    /** Gives an event another title picture, or none; one of a photo goes with that. Its id. */
    async setTitle(trx: Trx, eventId: string, made: Rendition | null, photoId: string | null = null): Promise<string | null> {
      await trx.deleteFrom('pictures').where('event_id', '=', eventId).execute();
      return made && (await add(trx, { eventId, photoId }, made)).id;
    },

    /** Adds a logo, and removes those that were made a day ago or earlier and are not `used`. */
    addLogo: (made: Rendition, used: readonly string[]): Promise<StoredPicture> =>
      db.transaction(async (trx) => {
        const old = trx.deleteFrom('pictures').where('event_id', 'is', null);
        const unused = old.where('created_at', '<', clock.now() - DAY);
        await unused.$if(used.length > 0, (query) => query.where('id', 'not in', used)).execute();
        return add(trx, { eventId: null, photoId: null }, made);
      }),

    /** A logo by its id, with its bytes. */
    logo: async (id: string): Promise<Logo | undefined> =>
      db.kysely
        .selectFrom('pictures')
        .select(['id', 'type', 'width', 'height', 'content'])
        .where('id', '=', id)
        .where('event_id', 'is', null)
        .executeTakeFirst(),

    /** A title picture that its host chose from a device; null: there is none, or it was made of a guest's photo. */
    async ofHost(id: string): Promise<Bytes | null> {
      const row = await db.kysely.selectFrom('pictures').select(['content', 'photo_id']).where('id', '=', id).executeTakeFirst();
      return row && row.photo_id === null ? row.content : null;
    },

    /** For everybody. Throws Refusal not_found. */
    async answer(id: string): Promise<ByteAnswer> {
      const row = isShortToken(id) ? await db.kysely.selectFrom('pictures').selectAll().where('id', '=', id).executeTakeFirst() : undefined;
      if (!row) throw new Refusal('not_found');
      const { type, content } = row;
      // Another picture has another id; that of an event is gone from all caches a day after its deletion.
      const caching = row.event_id === null ? 'public, max-age=31536000, immutable' : 'private, max-age=86400, immutable';
      const open = ({ start, end }: { start: number; end: number }) => single(Buffer.from(content.subarray(start, end)));
      return { type, size: content.length, etag: id, headers: { 'cache-control': caching }, open };
    },
  };
}
