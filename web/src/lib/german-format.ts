/** Amounts, ages, and days in digits, which only German pages show: guests do not download them. */
import { formatNumber } from './format.ts';

const cents = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const age = new Intl.RelativeTimeFormat('de-DE');

/** Formats an amount: `20 €`, `25,50 €`. */
export function formatEuros(value: number): string {
  return `${Number.isInteger(value) ? formatNumber(value) : cents.format(value)} €`;
}

/**
 * Formats two days in digits as short as tables need them, which Intl cannot: `17.5.2026`, `27.–28.10.2026`, `31.10.–1.11.2026`,
 * `31.12.2026–1.1.2027`.
 */
export function formatDaysShort(start: string, end: string): string {
  const [from, to] = [numbersOf(start), numbersOf(end)];
  const last = `${to.day}.${to.month}.${to.year}`;
  if (from.year !== to.year) return `${from.day}.${from.month}.${from.year}–${last}`;
  if (from.month !== to.month) return `${from.day}.${from.month}.–${last}`;
  return from.day === to.day ? last : `${from.day}.–${last}`;
}

function numbersOf(date: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, dayOfMonth = 0] = date.slice(0, 10).split('-').map(Number);
  return { year, month, day: dayOfMonth };
}

/** Formats seconds as `vor 3 Minuten`. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return 'gerade eben';
  if (seconds < 3600) return age.format(-Math.floor(seconds / 60), 'minute');
  return seconds < 86_400 ? age.format(-Math.floor(seconds / 3600), 'hour') : age.format(-Math.floor(seconds / 86_400), 'day');
}
