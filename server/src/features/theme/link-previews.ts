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
  /** Who runs this installation; `fictitious`: nobody has said it yet. */
  business: () => { business: Pick<PublicSite['business'], 'identity'>; fictitious: boolean };
}

const PRODUCT = 'Feierbild';
const DESCRIPTION = 'Fotos vom Fest: auswählen, fertig. Ohne App.';
/** Drawn cards in memory; one has some 60 KB. */
const KEPT_BYTES = 8 * MB;
/** What the card's typeface has: Latin letters, figures, signs. */
const DRAWABLE = /[\u0020-\u007e\u00a0-\u017e\u0218-\u021b\u1e80-\u1e85\u1e9e\u2013-\u201e\u2022\u2026\u20ac]/u;

/** The pictures that messengers show of events' links. They are drawn when they are first asked for, and never stored. */
export function createLinkPreviews({ events, pictures, decoder, site, business }: Deps) {
  const kept = new Map<string, Bytes>();
  let keptBytes = 0;
  const drawing = createSingleFlight<Bytes>();

  /** An example's name is nobody's. */
  function brand(): string {
    const { business: known, fictitious } = business();
    return fictitious ? PRODUCT : known.identity.brand;
  }

  /** What is drawn of an event: the brand alone where its host or its password wants it, or its title has letters without a form. */
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
    /** What is shown of an event's link, whose picture's query says what is drawn; null where its code opens nothing. */
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

    /** The picture of an event, for everybody who knows its address. Throws Refusal not_found, unavailable. */
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

    /** Nothing of this event stays in memory. */
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

/** Without signs that the typeface lacks, such as emoji; null where letters are among them. */
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
