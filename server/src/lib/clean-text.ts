/** Control characters, line and paragraph separators, direction marks and overrides, and the byte order mark. */
const INVISIBLE = /[\p{Cc}\u{2028}\u{2029}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}]/gu;

/** Makes foreign text safe to show: NFC, well-formed, trimmed, without characters that hide or reorder other text. */
export function cleanText(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(INVISIBLE, '').trim();
}

/** Returns the first `length` code points of a text. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('');
}
