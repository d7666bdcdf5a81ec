import { de } from './notice.de.ts';
import type { PaperText } from './paper.ts';

/** The notice at the door: each language of guests is a file of its own, and a word here. */
export const NOTICES = { de } satisfies Record<string, PaperText>;
