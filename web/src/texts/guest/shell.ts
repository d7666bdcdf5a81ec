import { hear, said } from '../speech.ts';
import { shellDe } from './shell.de.ts';

/** What every language has to say. */
export type ShellTexts = typeof shellDe;

/** The texts that are around every page, in the language of this page. */
export let shell: ShellTexts = shellDe;
hear(() => (shell = said('shell', shellDe)));
