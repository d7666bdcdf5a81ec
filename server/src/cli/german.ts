import { berlinDay, isDay } from '@feierbild/contract/berlin.ts';

const BERLIN = new Intl.DateTimeFormat('de-DE', { timeZone: 'Europe/Berlin', dateStyle: 'medium', timeStyle: 'medium' });

/** Formats an instant, ms since 1970, as `17.05.2026, 21:04:09` in Berlin. */
export const berlinTime = (at: number): string => BERLIN.format(at);

/** Formats the day of an instant in Berlin, as `17.05.2026`. */
export const berlinDate = (at: number): string => berlinDay(at).split('-').toReversed().join('.');

/** Parses a typed day, `17.5.2026` or `2026-05-17`, and returns the latter form; null: it is none. */
export function typedDay(text: string): string | null {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const date = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(date) ? date : null;
}
