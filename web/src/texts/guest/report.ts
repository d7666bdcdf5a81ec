import { hear, said } from '../speech.ts';
import { reportDe } from './report.de.ts';

/** What every language has to say. */
export type ReportTexts = typeof reportDe;

/** The texts of the form that reports a photo, in the language of this page. */
export let reporting: ReportTexts = reportDe;
hear(() => (reporting = said('report', reportDe)));
