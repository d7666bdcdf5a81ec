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

/** Largest file that a picture is made from, bytes; it is held in memory. */
export const SOURCE_BYTES = 20 * MB;
/** Largest picture that is stored, bytes. */
const KEPT_BYTES = 200_000;
/** Longest edges to try, pixels, until a picture fits KEPT_BYTES. */
const EDGES = { logo: [480, 320, 160], title: [1200, 800, 480, 240] };
/** Pictures that are made at the same time, one for each owner; each file is held in memory. */
const AT_ONCE = 4;
/** Longest time to receive a file: a slow sender must not keep others waiting. */
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

/** The owner of a picture: an event (and the photo that it was made from), or, if `eventId` is null, the operator. */
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

  /** Renders the picture in a file so that it fits KEPT_BYTES. Throws Refusal not_a_photo, too_many_pixels, logo_refused, too_large. */
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
     * Makes a picture from the file that `read` returns; the file is held in memory, so few run at a time. `owner` shares the decoder's
     * time. Throws what `read` throws, and Refusal request_timeout, not_a_photo, too_many_pixels, logo_refused, too_large, unavailable.
     */
    make: (use: keyof typeof EDGES, owner: string, read: () => Promise<Bytes>): Promise<Rendition> =>
      places.run([owner], async () => render(await inTime(read()), use, owner)),

    /** Replaces an event's title picture, null removes it. A picture made from a photo is deleted with the photo. Returns its id. */
    async setTitle(trx: Trx, eventId: string, made: Rendition | null, photoId: string | null = null): Promise<string | null> {
      await trx.deleteFrom('pictures').where('event_id', '=', eventId).execute();
      return made && (await add(trx, { eventId, photoId }, made)).id;
    },

    /** Adds a logo, and removes logos that are older than a day and not in `used`. */
    addLogo: (made: Rendition, used: readonly string[]): Promise<StoredPicture> =>
      db.transaction(async (trx) => {
        const old = trx.deleteFrom('pictures').where('event_id', 'is', null);
        const unused = old.where('created_at', '<', clock.now() - DAY);
        await unused.$if(used.length > 0, (query) => query.where('id', 'not in', used)).execute();
        return add(trx, { eventId: null, photoId: null }, made);
      }),

    /** Reads a logo with its bytes. */
    logo: async (id: string): Promise<Logo | undefined> =>
      db.kysely
        .selectFrom('pictures')
        .select(['id', 'type', 'width', 'height', 'content'])
        .where('id', '=', id)
        .where('event_id', 'is', null)
        .executeTakeFirst(),

    /** Reads a title picture that the host chose from a device; null if there is none, or if it was made from a guest's photo. */
    async ofHost(id: string): Promise<Bytes | null> {
      const row = await db.kysely.selectFrom('pictures').select(['content', 'photo_id']).where('id', '=', id).executeTakeFirst();
      return row && row.photo_id === null ? row.content : null;
    },

    /** Answers to everybody. Throws Refusal not_found. */
    async answer(id: string): Promise<ByteAnswer> {
      const row = isShortToken(id) ? await db.kysely.selectFrom('pictures').selectAll().where('id', '=', id).executeTakeFirst() : undefined;
      if (!row) throw new Refusal('not_found');
      const { type, content } = row;
      // A new picture has a new id. An event's picture leaves all caches within a day of its deletion.
      const caching = row.event_id === null ? 'public, max-age=31536000, immutable' : 'private, max-age=86400, immutable';
      const open = ({ start, end }: { start: number; end: number }) => single(Buffer.from(content.subarray(start, end)));
      return { type, size: content.length, etag: id, headers: { 'cache-control': caching }, open };
    },
  };
}
