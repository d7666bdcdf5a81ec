/** Control characters, line and paragraph separators, direction marks and overrides, and the byte order mark. */
const INVISIBLE = /[\p{Cc}\u{2028}\u{2029}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}]/gu;

/** Text of a stranger that is shown to people: NFC, well-formed, without characters that hide or turn other text, trimmed. */
export function cleanText(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(INVISIBLE, '').trim();
}

/** At most `length` code points, never half of one. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('');
}
