import { hear, said } from '../speech.ts';
import { guestDe } from './de.ts';

/** What every language has to say. */
export type GuestTexts = typeof guestDe;

/** The texts of the guests' page, in the language of this page. */
export let t: GuestTexts = guestDe;
hear(() => (t = said('guest', guestDe)));
