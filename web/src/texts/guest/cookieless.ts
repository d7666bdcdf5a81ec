import { hear, said } from '../speech.ts';
import { cookielessDe } from './cookieless.de.ts';

/** What every language has to say. */
export type CookielessTexts = typeof cookielessDe;

/** The texts of the own photos in a browser that keeps no cookie, in the language of this page. */
export let cookielessTexts: CookielessTexts = cookielessDe;
hear(() => (cookielessTexts = said('unkept', cookielessDe)));
