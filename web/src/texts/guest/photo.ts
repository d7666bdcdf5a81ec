import { hear, said } from '../speech.ts';
import { photoDe } from './photo.de.ts';

/** What every language has to say. */
export type PhotoTexts = typeof photoDe;

/** What is said of a photo, in the language of this page. */
export let photoTexts: PhotoTexts = photoDe;
hear(() => (photoTexts = said('photo', photoDe)));
