import { hear, said } from '../speech.ts';
import { downloadDe } from './download.de.ts';

/** What every language has to say. */
export type DownloadTexts = typeof downloadDe;

/** The texts of the page of a photo's link, in the language of this page. */
export let linked: DownloadTexts = downloadDe;
hear(() => (linked = said('download', downloadDe)));
