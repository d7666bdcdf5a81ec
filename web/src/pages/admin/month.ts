import { berlinDay } from '@feierbild/contract/berlin.ts';
import { useState } from 'react';
import { useSearchParams } from 'wouter';

/** Returns the address of a month, `YYYY-MM`. */
export const monthPath = (month: string): string => `/admin?monat=${month}`;
/** The word in an address for the month in which it is opened. */
const NOW = 'jetzt';
export const THIS_MONTH = monthPath(NOW);

/** Reads the month in the address; null if the list is shown. */
export function useMonth(): string | null {
  const [params] = useSearchParams();
  const month = params.get('monat') ?? '';
  const [current] = useState(() => berlinDay(Date.now()).slice(0, 7));
  if (month === NOW) return current;
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : null;
}
