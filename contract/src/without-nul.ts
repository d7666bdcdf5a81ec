/** For texts that are stored: PostgreSQL takes no NUL characters, and nobody types one. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
