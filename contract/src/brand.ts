import { z } from 'zod';
import { isColour } from './colours.ts';

/** A public picture, at `/api/pictures/:id`; size in pixels. */
export const Picture = z.object({ id: z.string().regex(/^[\w-]{22}$/), width: z.int(), height: z.int() });

/** The operator's branding of the pages. */
export const Brand = z.object({
  /** `#rrggbb`, legible on the pages' paper. */
  accent: z.string().refine(isColour, { error: 'Bitte geben Sie eine Farbe wie #a81f4b an.' }).toLowerCase().optional(),
  logo: Picture.optional(),
  /** Pages speak the phone's language to guests who have chosen none; otherwise they offer it. */
  phoneLanguage: z.literal(true).optional(),
});
export type Brand = z.infer<typeof Brand>;
