/**
 * Decodes text in a header: percent-encoded UTF-8 (as from our pages), raw UTF-8 (as from curl) or Latin-1. Node gives the bytes as
 * Latin-1; well-formed UTF-8 is decoded as such. The result is NFC.
 */
export function decodeHeaderText(value: string): string {
  return orAsItIs(decodeURIComponent, orAsItIs(decodeUtf8, value)).normalize('NFC');
}

function decodeUtf8(latin1: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
}

function orAsItIs(decode: (text: string) => string, text: string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}
