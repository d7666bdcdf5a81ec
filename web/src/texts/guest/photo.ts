import { hear, said } from '../speech.ts';
import { photoDe } from './photo.de.ts';

/** The texts that every language has to supply. */
export type PhotoTexts = typeof photoDe;

/** The texts about a photo, in the language of this page. */
export let photoTexts: PhotoTexts = photoDe;
hear(() => (photoTexts = said('photo', photoDe)));
