import { hear, said } from '../speech.ts';
import { cookiesDe } from './cookies.de.ts';

/** The texts that every language has to supply. */
export type CookieTexts = typeof cookiesDe;

/** The texts for browsers that keep no cookie, in the language of this page. */
export let cookieTexts: CookieTexts = cookiesDe;
hear(() => (cookieTexts = said('cookies', cookiesDe)));
