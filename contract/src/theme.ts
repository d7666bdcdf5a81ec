import { z } from 'zod';
import { PALETTES, WELCOME_LENGTH } from './palettes.ts';
import { typedText } from './typed-text.ts';

const choices = {
  /** Null: the operator's colour. */
  palette: z.enum(PALETTES, { error: 'Diese Farben gibt es nicht.' }).nullable(),
  welcome: typedText(WELCOME_LENGTH, { tooLong: `Der Satz darf höchstens ${WELCOME_LENGTH} Zeichen lang sein.` }),
};

export const LookForm = z.object({
  ...choices,
  /** The choices when the form was opened. If another phone has chosen others since, nothing is set (409). */
  was: z.object(choices).optional(),
});

/** An event's look, for its guests and its host. */
export const Look = z.object({
  ...choices,
  /** Path of a picture that is public to everybody who knows it; null: none. */
  title_picture: z.string().nullable(),
});
export type Look = z.infer<typeof Look>;
