/** Checks of what decoder processes answer: a photo may have taken one over. */
import { ACCEPTED_TYPES, MAX_PIXELS, PREVIEW_SIZE } from '@feierbild/contract/constants.ts';
import { z } from 'zod';
import type { Bytes } from '../lib/bytes.ts';
import type { Answer } from './frames.ts';
import { NotAPhoto } from './decoder.ts';

/** First bytes of each type, and their offset. */
const SIGNATURES = {
  'image/jpeg': { at: 0, bytes: '\xff\xd8\xff' },
  'image/png': { at: 0, bytes: '\x89PNG' },
  'image/webp': { at: 8, bytes: 'WEBP' },
};

const pixels = z.int().min(1).max(MAX_PIXELS);
const facts = z.object({
  type: z.enum(ACCEPTED_TYPES),
  width: pixels,
  height: pixels,
  takenAt: z.iso.datetime({ local: true, precision: 0 }).nullable(),
});
const edge = z.int().min(1).max(PREVIEW_SIZE);
export const renderedAnswer = facts.extend({
  rendition: z.object({ type: z.enum(['image/jpeg', 'image/webp']), width: edge, height: edge }),
});
export const heicAnswer = facts;
export const sharpAnswer = z.union([z.object({ heif: z.literal(true) }), renderedAnswer]);

export const sharedAnswer = z.union([
  z.object({ heif: z.literal(true) }),
  z.object({ as_is: z.literal(true) }),
  z.object({ shared: z.literal(true) }),
]);

export type Rendered = z.infer<typeof renderedAnswer> & { bytes: Bytes };

/** The type of a rendition; null if there is none. */
export function rendered(header: z.infer<typeof sharpAnswer>): Signed {
  return 'rendition' in header ? header.rendition.type : null;
}

type Signed = keyof typeof SIGNATURES | null;

/**
 * The answer of a decoder process in the expected shape, with a body of the type that `typeOf` expects (null: none). Throws
 * NotAPhoto for anything else.
 */
export function trusted<T>(shape: z.ZodType<T>, { header, body }: Answer, typeOf: (header: T) => Signed): { header: T; body: Bytes } {
  const parsed = shape.safeParse(header);
  if (!parsed.success) throw new NotAPhoto('the decoder answers nonsense');
  const type = typeOf(parsed.data);
  const right = type === null ? body.length === 0 : isSigned(body, SIGNATURES[type]);
  if (!right) throw new NotAPhoto('the decoder answers bytes of another type');
  return { header: parsed.data, body };
}

function isSigned(body: Bytes, { at, bytes }: { at: number; bytes: string }): boolean {
  return Buffer.from(body.subarray(at, at + bytes.length)).toString('latin1') === bytes;
}
