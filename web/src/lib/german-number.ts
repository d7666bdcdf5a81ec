/**
 * A number as Germans type it: `2,5`, `1.000`; a point that groups no thousands is taken as a comma, and in `coordinate`s (51.163) each is.
 * NaN for what is no number: a mistake at its field, never „nothing“.
 */
export function germanNumber(typed: string, kind: 'amount' | 'coordinate' = 'amount'): number {
  const text = typed.trim();
  if (kind === 'amount' && /^-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

export const NO_NUMBER = 'Bitte geben Sie nur eine Zahl ein.';
