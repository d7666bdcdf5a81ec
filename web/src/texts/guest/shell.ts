import { hear, said } from '../speech.ts';
import { shellDe } from './shell.de.ts';

/** The texts that every language has to supply. */
export type ShellTexts = typeof shellDe;

/** The texts around every page, in the language of this page. */
export let shell: ShellTexts = shellDe;
hear(() => (shell = said('shell', shellDe)));
