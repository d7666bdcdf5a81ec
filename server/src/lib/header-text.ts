/**
 * Text in a header: percent-encoded UTF-8 as our pages send it, else raw. Node gives header bytes as Latin-1; raw UTF-8 (as
 * curl sends it) is told from raw Latin-1 by being well-formed. NFC.
 */
export function decodeHeaderText(value: string): string {
  return decodePercent(decodeRaw(value)).normalize('NFC');
}

function decodeRaw(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
