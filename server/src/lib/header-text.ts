/**
 * Decodes text in a header: percent-encoded UTF-8 (as the pages send it), raw UTF-8 (as curl sends it) or Latin-1. Node gives the
 * bytes as Latin-1; they are taken as UTF-8 if they are well-formed UTF-8. NFC.
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
