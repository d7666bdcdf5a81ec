import type { Bytes } from './bytes.ts';

/** A text in UTF-8, or in Windows-1252 where it is no UTF-8. `isCut`: more has followed, and its last letter may lack a part, which is left out. */
export function decodeText(bytes: Bytes, isCut = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
