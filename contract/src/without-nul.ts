/** For texts that are stored: PostgreSQL does not accept NUL characters, and nobody types them. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
