import { hear, said } from '../speech.ts';
import { downloadDe } from './download.de.ts';

/** The texts that every language has to supply. */
export type DownloadTexts = typeof downloadDe;

/** The texts of the page of a photo's link, in the language of this page. */
export let linked: DownloadTexts = downloadDe;
hear(() => (linked = said('download', downloadDe)));
