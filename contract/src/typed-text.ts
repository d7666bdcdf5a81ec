import { z } from 'zod';

/**
 * A text that people type, without the spaces around it; with `missing` it may not be empty. Both are German sentences. It is one line, to which
 * line breaks are folded (tables and programs bring them), unless it has `lines`.
 */
export function typedText(
  max: number,
  { missing, tooLong, lines = false }: { missing?: string; tooLong?: string; lines?: boolean } = {},
): z.ZodString {
  const typed = z.string(missing).overwrite(withoutNul);
  const text = (lines ? typed : typed.overwrite(inOneLine)).trim();
  return (missing === undefined ? text : text.min(1, missing)).max(max, tooLong);
}

/** PostgreSQL does not accept NUL characters, and nobody types them. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** Every sign that begins a new line somewhere. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ');
}
