import { hear, said } from '../speech.ts';
import { laterDe } from './later.de.ts';

/** The texts that every language has to supply. */
export type LaterTexts = typeof laterDe;

/** The texts of the parts after the page's first paint, in the language of this page. */
export let later: LaterTexts = laterDe;
hear(() => (later = said('later', laterDe)));
