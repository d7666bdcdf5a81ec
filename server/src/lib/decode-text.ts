import type { Bytes } from './bytes.ts';

/** Decodes a text in UTF-8, or in Windows-1252 if it is no UTF-8. `isCut`: the text goes on; an incomplete last letter is left out. */
export function decodeText(bytes: Bytes, isCut = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
