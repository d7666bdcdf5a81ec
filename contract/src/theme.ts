import { z } from 'zod';
import { PALETTES, WELCOME_LENGTH } from './palettes.ts';
import { typedText } from './typed-text.ts';

export const LookForm = z.object({
  /** Null: the operator's colour. */
  palette: z.enum(PALETTES, { error: 'Diese Farben gibt es nicht.' }).nullable(),
  welcome: typedText(WELCOME_LENGTH, { tooLong: `Der Satz darf höchstens ${WELCOME_LENGTH} Zeichen lang sein.` }),
});

/** An event's look, for its guests and its host. */
export const Look = LookForm.extend({
  /** Path of a picture that everybody may see who knows it; null: none. */
  title_picture: z.string().nullable(),
});
export type Look = z.infer<typeof Look>;
