import type { Bytes } from './bytes.ts';

/** A text in UTF-8, or in Windows-1252 where it is no UTF-8. */
export function decodeText(bytes: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
