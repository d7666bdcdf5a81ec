import { hear, said } from '../speech.ts';
import { releaseDe } from './release.de.ts';

/** What every language has to say. */
export type ReleaseTexts = typeof releaseDe;

/** The texts of the helper's page, in the language of this page. */
export let releaseTexts: ReleaseTexts = releaseDe;
hear(() => (releaseTexts = said('release', releaseDe)));
