/**
 * Reads a number as Germans type it: `2,5`, `1.000`. A point that groups no thousands counts as a comma; in a `coordinate` (51.163) every
 * point does. NaN if the text is no number, so that its field shows a mistake and „nothing“ is never stored instead.
 */
export function germanNumber(typed: string, kind: 'amount' | 'coordinate' = 'amount'): number {
  const text = typed.trim();
  if (kind === 'amount' && /^-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}
