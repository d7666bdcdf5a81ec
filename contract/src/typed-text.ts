import { z } from 'zod';

/** A text that people type, without the spaces around it; with `missing` it may not be empty. Both are German sentences. */
export function typedText(max: number, { missing, tooLong }: { missing?: string; tooLong?: string } = {}): z.ZodString {
  const text = z.string(missing).overwrite(withoutNul).trim();
  return (missing === undefined ? text : text.min(1, missing)).max(max, tooLong);
}

/** PostgreSQL does not accept NUL characters, and nobody types them. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
