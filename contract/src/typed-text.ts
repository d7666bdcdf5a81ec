import { z } from 'zod';

/**
 * A text that people type, without the spaces around it; with `missing` it may not be empty. Both are German sentences. It is one line, to which
 * line breaks are folded (tables and programs bring them), unless it has `lines`.
 */
export function typedText(
  max: number,
  { missing, tooLong, lines = false }: { missing?: string; tooLong?: string; lines?: boolean } = {},
): z.ZodString {
  const typed = z.string(missing).overwrite(asSeen);
  const text = (lines ? typed : typed.overwrite(inOneLine)).trim();
  return (missing === undefined ? text : text.min(1, missing)).max(max, tooLong);
}

/** Copied text brings marks of direction, which turn what follows round; some systems write accents apart; PostgreSQL takes no NUL. */
function asSeen(text: string): string {
  return text.replaceAll(/[\0\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '').normalize('NFC');
}

/** Every sign that begins a new line somewhere, with the spaces around it. Each space is looked at once: anybody may send thousands of them. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/g, (spaces) => (/[\n\r\v\f\u0085\u2028\u2029]/.test(spaces) ? ' ' : spaces));
}
