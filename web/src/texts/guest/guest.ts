import { hear, said } from '../speech.ts';
import { guestDe } from './de.ts';

/** The texts that every language has to supply. */
export type GuestTexts = typeof guestDe;

/** The texts of the guests' page, in the language of this page. */
export let t: GuestTexts = guestDe;
hear(() => (t = said('guest', guestDe)));
