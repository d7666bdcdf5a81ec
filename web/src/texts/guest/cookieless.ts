import { hear, said } from '../speech.ts';
import { cookielessDe } from './cookieless.de.ts';

/** The texts that every language has to supply. */
export type CookielessTexts = typeof cookielessDe;

/** The texts of the own photos in a browser that keeps no cookie, in the language of this page. */
export let cookielessTexts: CookielessTexts = cookielessDe;
hear(() => (cookielessTexts = said('unkept', cookielessDe)));
