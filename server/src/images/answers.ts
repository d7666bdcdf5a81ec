/** Checks the answers of decoder processes: a photo may have taken one over. */
import { ACCEPTED_TYPES, MAX_PIXELS, LARGE_SIZE } from '@feierbild/contract/constants.ts';
import { berlinTime } from '@feierbild/contract/berlin.ts';
import { z } from 'zod';
import type { Bytes } from '../lib/bytes.ts';
import { MAX_TIMES } from './capture-times.ts';
import { NotAPhoto } from './decoder.ts';
import type { Answer } from './messages.ts';

/** Year before which a capture time is implausible. */
const OLDEST_PHOTO = 1900;
/** First bytes of each type, and their offset. */
const SIGNATURES = {
  'image/jpeg': { at: 0, bytes: '\xff\xd8\xff' },
  'image/png': { at: 0, bytes: '\x89PNG' },
  'image/webp': { at: 8, bytes: 'WEBP' },
};

const pixels = z.int().min(1).max(MAX_PIXELS);
export const heicAnswer = z.object({
  type: z.enum(ACCEPTED_TYPES),
  width: pixels,
  height: pixels,
  /** Capture times in the file, the best first. */
  takenAt: z
    .array(z.string().max(64))
    .max(MAX_TIMES)
    .transform((texts) => texts.map((text) => wallClock(text, OLDEST_PHOTO)).find((time) => time !== null) ?? null),
});
const edge = z.int().min(1).max(LARGE_SIZE);
const rendition = z.object({ type: z.enum(['image/jpeg', 'image/webp']), width: edge, height: edge });
/** `size` is the second picture's bytes, which follow those of the first. */
export const renderedAnswer = heicAnswer.extend({ rendition, second: rendition.extend({ size: z.int().min(1) }).optional() });
export const sharpAnswer = z.union([
  z.object({ heif: z.literal(true) }),
  z.object({ as_is: z.literal(true) }),
  z.object({ shared: z.literal(true) }),
  z.object({ card: z.literal(true) }),
  renderedAnswer,
  heicAnswer.extend({ difference: z.number().min(0).max(255).optional() }),
]);

/** Returns the type of the picture that comes with this header; null: none comes. */
export function typeOfPicture(header: z.infer<typeof sharpAnswer>): Signed {
  if ('rendition' in header) return header.rendition.type;
  return 'shared' in header || 'card' in header ? 'image/jpeg' : null;
}

type Signed = keyof typeof SIGNATURES | null;

/**
 * Checks that a decoder process's answer has the expected shape and a body of the type that `typeOf` expects (null: none). Throws NotAPhoto
 * for anything else.
 */
export function trusted<T>(shape: z.ZodType<T>, { header, body }: Answer, typeOf: (header: T) => Signed): { header: T; body: Bytes } {
  const sound = parsed(shape, header);
  const type = typeOf(sound);
  const right = type === null ? body.length === 0 : isSigned(body, SIGNATURES[type]);
  if (!right) throw new NotAPhoto('the decoder answers bytes of another type');
  return { header: sound, body };
}

/** Checks that a process's answer has the expected shape. Throws NotAPhoto for anything else. */
export function parsed<T>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value);
  if (!result.success) throw new NotAPhoto('the decoder answers nonsense');
  return result.data;
}

/**
 * Matches `2026:05:17 21:04:00`, as in Exif. Also takes dashes, slashes, spaces for zeros, no seconds, a clock of twelve hours (`09:04:00
 * PM`, `p. m.`), and an offset as in XMP and QuickTime, without minutes, or `UTC`.
 */
const TIME =
  /^\s*(\d{4})\s?[:/.-]\s?(\d{1,2})\s?[:/.-]\s?(\d{1,2})[T\s]\s?(\d{1,2})\s?:\s?(\d{1,2})(?:\s?:\s?(\d{1,2})(?:[.,]\d+)?)?\s*(?:([AP])\.?\s?M\b\.?)?\s*(?:(?:(?:UTC|GMT)\s?)?([+-])(\d{1,2})(?::?(\d{2})|(?!\d))|(Z|UTC|GMT))?/;

/**
 * Returns the local time in Berlin, as `2026-05-17T21:04:00`, if the text has the camera's offset, else the time of the camera's clock.
 * Null: the time is missing, impossible, before `firstYear`, or years ahead.
 */
export function wallClock(text: string | null, firstYear: number): string | null {
  const parts = TIME.exec(text?.toUpperCase() ?? '') ?? [];
  const [, year = '', month, day, shown, minute, counted = '00', half, sign, hours = '00', minutes = '00', utc] = parts;
  // ISO parsers refuse a leap second.
  const second = counted === '60' ? '59' : counted;
  // Some phones count the hours from 1 to 24; 24:12 belongs to the new day (https://github.com/immich-app/immich/issues/5714).
  const first = shown === '24' && Number(minute) + Number(second) > 0 ? '00' : shown;
  const hour = half && Number(first) <= 12 ? String((Number(first) % 12) + (half === 'P' ? 12 : 0)) : first;
  const two = (digits = ''): string => digits.padStart(2, '0');
  const written = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
  const offset = sign ? `${sign}${two(hours)}:${minutes}` : utc ? 'Z' : null;
  const possible = z.iso.datetime({ local: true, offset: true, precision: 0 }).safeParse(`${written}${offset ?? ''}`).success;
  if (!possible || Number(year) < firstYear || Number(year) > new Date().getUTCFullYear() + 1) return null;
  return offset === null ? written : berlinTime(Date.parse(`${written}${offset}`));
}

/** Splits a body into its two pictures. Throws NotAPhoto. */
export function bothOf(body: Bytes, { type, size }: { type: keyof typeof SIGNATURES; size: number }): [first: Bytes, second: Bytes] {
  const [first, second] = [body.subarray(0, -size), body.subarray(-size)];
  if (first.length === 0 || !isSigned(second, SIGNATURES[type])) throw new NotAPhoto('the decoder answers bytes of another type');
  return [first, second];
}

function isSigned(body: Bytes, { at, bytes }: { at: number; bytes: string }): boolean {
  return Buffer.from(body.subarray(at, at + bytes.length)).toString('latin1') === bytes;
}
