import { createHash } from 'node:crypto';
import { MB } from '@feierbild/contract/constants.ts';
import type { ShownLink } from '@feierbild/contract/link-preview.ts';
import { BRAND_ACCENT, PALETTE_ACCENTS } from '@feierbild/contract/palettes.ts';
import type { PublicSite } from '@feierbild/contract/calls/site.ts';
import type { ByteAnswer } from '../../http/byte-answer.ts';
import { NotAPhoto, type CardWords, type Decoder } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { single } from '../../lib/stages.ts';
import { linkPreviewOf, lookOf, type Events } from '../events/events.ts';
import type { Pictures } from '../pictures/pictures.ts';

type FoundEvent = NonNullable<Awaited<ReturnType<Events['guests']['resolve']>>>;

interface Deps {
  events: Pick<Events, 'guests'>;
  pictures: Pick<Pictures, 'ofHost'>;
  decoder: Pick<Decoder, 'card'>;
  site: () => PublicSite;
  /** The operator; `fictitious`: still the example that ships. */
  business: () => { business: Pick<PublicSite['business'], 'identity'>; fictitious: boolean };
}

const PRODUCT = 'Feierbild';
const DESCRIPTION = 'Fotos vom Fest: auswählen, fertig. Ohne App.';
/** Most bytes of drawn cards in memory; a card has some 60 KB. */
const KEPT_BYTES = 8 * MB;
/** Characters of the card's typeface: Latin letters, figures, signs. */
const DRAWABLE = /[\u0020-\u007e\u00a0-\u017e\u0218-\u021b\u1e80-\u1e85\u1e9e\u2013-\u201e\u2022\u2026\u20ac]/u;

/** Draws the pictures that messengers show of events' links, when they are first asked for; they are never stored. */
export function createLinkPreviews({ events, pictures, decoder, site, business }: Deps) {
  const kept = new Map<string, Bytes>();
  let keptBytes = 0;
  const drawing = createSingleFlight<Bytes>();

  /** An example business is not named. */
  function brand(): string {
    const { business: known, fictitious } = business();
    return fictitious ? PRODUCT : known.identity.brand;
  }

  /** Returns the card's words; the brand alone if the host or a password wants it, or if the typeface lacks letters of the title. */
  function wordsOf(event: FoundEvent): { words: CardWords; picture: string | null } {
    const { palette } = lookOf(event);
    const neutral = linkPreviewOf(event) === 'brand';
    const accent = palette ? PALETTE_ACCENTS[palette] : (site().brand?.accent ?? BRAND_ACCENT);
    const title = neutral ? null : drawable(event.title);
    const name = drawable(brand()) ?? '';
    return { words: { title: title ?? name, brand: name, accent }, picture: neutral ? null : event.title_picture };
  }

  const versionOf = (made: object): string => createHash('sha256').update(JSON.stringify(made)).digest('base64url').slice(0, 12);

  function keep(key: string, bytes: Bytes): void {
    kept.set(key, bytes);
    keptBytes += bytes.length;
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= KEPT_BYTES) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
  }

  async function draw(event: FoundEvent, { words, picture }: ReturnType<typeof wordsOf>): Promise<Bytes> {
    const file = picture === null ? null : await pictures.ofHost(picture);
    try {
      return (await decoder.card(words, file, { owner: event.id })).bytes;
    } catch (error) {
      throw error instanceof NotAPhoto ? new Refusal('unavailable', { cause: error }) : error;
    }
  }

  return {
    /** Returns the preview of an event's link, whose picture has its content's version in the query; null if the code opens nothing. */
    async of(code: string): Promise<ShownLink | null> {
      const event = await events.guests.resolve(code);
      if (!event || event.purging_at !== null) return null;
      const made = wordsOf(event);
      const neutral = linkPreviewOf(event) === 'brand';
      return {
        title: neutral ? brand() : event.title,
        description: (!neutral && event.welcome) || DESCRIPTION,
        picture: `/api/link-previews/${event.id}?v=${versionOf(made)}`,
      };
    },

    /** Answers with an event's picture to everybody who knows its address. Throws Refusal not_found, unavailable. */
    async answer(id: string): Promise<ByteAnswer> {
      const event = isUuid(id) ? await events.guests.resolve(id) : undefined;
      if (!event || event.purging_at !== null) throw new Refusal('not_found');
      const made = wordsOf(event);
      const key = `${event.id} ${versionOf(made)}`;
      const bytes = kept.get(key) ?? (await drawing.run(key, () => draw(event, made)));
      if (!kept.has(key)) keep(key, bytes);
      const open = ({ start, end }: { start: number; end: number }) => single(Buffer.from(bytes.subarray(start, end)));
      const headers = { 'cache-control': 'public, max-age=86400' };
      return { type: 'image/jpeg', size: bytes.length, etag: versionOf(made), headers, open };
    },

    /** Removes the event's cards from memory. */
    forget(eventId: string): void {
      for (const [key, { length }] of kept) {
        if (!key.startsWith(`${eventId} `)) continue;
        kept.delete(key);
        keptBytes -= length;
      }
    },
  };
}

export type LinkPreviews = ReturnType<typeof createLinkPreviews>;

/** Removes signs that the typeface lacks, such as emoji; null if letters are among them. */
function drawable(text: string): string | null {
  const signs = [...text.normalize('NFC')];
  if (signs.some((sign) => /\p{L}/u.test(sign) && !DRAWABLE.test(sign))) return null;
  const shown = signs
    .filter((sign) => DRAWABLE.test(sign))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  return shown || null;
}
