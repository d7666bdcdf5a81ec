import { z } from 'zod';
import { isColour } from './colours.ts';

/** A picture that everybody may see, at `/api/pictures/:id`; pixels. */
export const Picture = z.object({ id: z.string().regex(/^[\w-]{22}$/), width: z.int(), height: z.int() });

/** What tells an operator's pages from those of others. */
export const Brand = z.object({
  /** `#rrggbb`, that can be read on paper. */
  accent: z.string().refine(isColour, { error: 'Bitte geben Sie eine Farbe wie #a81f4b an.' }).toLowerCase().optional(),
  logo: Picture.optional(),
});
export type Brand = z.infer<typeof Brand>;
