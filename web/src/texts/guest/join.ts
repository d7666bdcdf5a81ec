import { hear, said } from '../speech.ts';
import { joinDe } from './join.de.ts';

/** The texts that every language has to supply. */
export type JoinTexts = typeof joinDe;

/** The texts of the forms that lead from a code to its event, in the language of this page. */
export let joining: JoinTexts = joinDe;
hear(() => (joining = said('join', joinDe)));
