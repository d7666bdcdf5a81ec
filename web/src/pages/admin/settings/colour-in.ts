const SHORT = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/;
const LONG = /^#?([0-9a-f]{6})(?:ff)?$/;
/** A colour as `rgb()` or opaque `rgba()`; transparent colours are not accepted. */
const NUMBERS = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:\s*[,/]\s*(?:1(?:\.0+)?|100%))?\s*\);?$/;

/** Reads a colour, as drawing programs and style sheets write it, as `#rrggbb`; null if the text is none. */
export function colourIn(text: string): string | null {
  const written = text.trim().toLowerCase();
  const long =
    LONG.exec(written)?.[1] ??
    SHORT.exec(written)
      ?.slice(1)
      .map((digit) => digit + digit)
      .join('');
  if (long !== undefined) return `#${long}`;
  const parts = NUMBERS.exec(written)?.slice(1).map(Number);
  if (!parts || Math.max(...parts) > 255) return null;
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
