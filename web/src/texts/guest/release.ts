import { hear, said } from '../speech.ts';
import { releaseDe } from './release.de.ts';

/** The texts that every language has to supply. */
export type ReleaseTexts = typeof releaseDe;

/** The texts of the helper's page, in the language of this page. */
export let releaseTexts: ReleaseTexts = releaseDe;
hear(() => (releaseTexts = said('release', releaseDe)));
