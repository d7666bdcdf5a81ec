import { z } from 'zod';

/**
 * Builds the schema of typed text, trimmed; with `missing` it may not be empty. `missing` and `tooLong` are German sentences. Line breaks,
 * which tables and programs bring, become spaces unless `lines` is set.
 */
export function typedText(
  max: number,
  { missing, tooLong, lines = false }: { missing?: string; tooLong?: string; lines?: boolean } = {},
): z.ZodString {
  const typed = z.string(missing).overwrite(asSeen);
  const text = (lines ? typed : typed.overwrite(inOneLine)).trim();
  return (missing === undefined ? text : text.min(1, missing)).max(max, tooLong);
}

/**
 * Removes marks of direction, which come with copied text and reverse the text behind them, and NUL, which PostgreSQL refuses. Composes
 * accents that some systems write apart (NFC).
 */
function asSeen(text: string): string {
  return text.replaceAll(/[\0\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '').normalize('NFC');
}

/**
 * Replaces every kind of line break, with the spaces around it, by one space. It looks at each space once: anybody may send thousands of
 * them.
 */
function inOneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/g, (spaces) => (/[\n\r\v\f\u0085\u2028\u2029]/.test(spaces) ? ' ' : spaces));
}
