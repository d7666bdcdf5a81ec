import { hear, said } from '../speech.ts';
import { laterDe } from './later.de.ts';

/** What every language has to say. */
export type LaterTexts = typeof laterDe;

/** The texts of what comes after the page's first paint, in the language of this page. */
export let later: LaterTexts = laterDe;
hear(() => (later = said('later', laterDe)));
