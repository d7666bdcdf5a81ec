import { z } from 'zod';
import { isColour } from './colours.ts';

/** A picture that everybody may see, at `/api/pictures/:id`; pixels. */
export const Picture = z.object({ id: z.string().regex(/^[\w-]{22}$/), width: z.int(), height: z.int() });

/** Settings that make the pages an operator's own. */
export const Brand = z.object({
  /** `#rrggbb`, that can be read on paper. */
  accent: z.string().refine(isColour, { error: 'Bitte geben Sie eine Farbe wie #a81f4b an.' }).toLowerCase().optional(),
  logo: Picture.optional(),
  /** Guests who have chosen no language are spoken to in that of their phones; otherwise it is offered. */
  phoneLanguage: z.literal(true).optional(),
});
export type Brand = z.infer<typeof Brand>;
