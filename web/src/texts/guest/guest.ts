import { de } from './de.ts';

/** What every language has to say. */
export type GuestTexts = typeof de;

/** The texts of the guests' page in the language of this page. */
export const t: GuestTexts = de;
