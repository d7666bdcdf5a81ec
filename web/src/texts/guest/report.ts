import { hear, said } from '../speech.ts';
import { reportDe } from './report.de.ts';

/** The texts that every language has to supply. */
export type ReportTexts = typeof reportDe;

/** The texts of the form that reports a photo, in the language of this page. */
export let reporting: ReportTexts = reportDe;
hear(() => (reporting = said('report', reportDe)));
