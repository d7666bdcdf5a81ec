/** German numbers, sizes and dates, as the whole interface writes them. */
import { GB, MB } from '@feierbild/contract/constants.ts';

const number = new Intl.NumberFormat('de-DE');
const cents = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const oneDecimal = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('de-DE', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' });
const age = new Intl.RelativeTimeFormat('de-DE');
const list = new Intl.ListFormat('de-DE');
const rules = new Intl.PluralRules('de-DE');
const dayTime = new Intl.DateTimeFormat('de-DE', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Berlin',
});

/** `1.000` */
export function formatNumber(value: number): string {
  return number.format(value);
}

/** `20 €`, `25,50 €` */
export function formatEuros(value: number): string {
  return `${Number.isInteger(value) ? number.format(value) : cents.format(value)} €`;
}

/** Bytes as `4,7 GB`, with a space that does not break; below 0,1 GB in MB. */
export function formatBytes(bytes: number): string {
  return bytes >= GB / 10 ? `${oneDecimal.format(bytes / GB)}\u00a0GB` : `${oneDecimal.format(bytes / MB)}\u00a0MB`;
}

/** `YYYY-MM-DD` (what follows T is dropped) as `17. Mai 2026`. */
export function formatDay(date: string): string {
  return day.format(noonOf(date));
}

function noonOf(date: string): number {
  return Date.parse(`${date.slice(0, 10)}T12:00:00Z`);
}

/** Two days as `17. Mai 2026`, `17.–18. Mai 2026`, `31. Mai – 1. Juni 2026`. */
export function formatDays(start: string, end: string): string {
  return day.formatRange(noonOf(start), noonOf(end));
}

/** Two days in digits, in their shortest form, which tables need and Intl does not know: `17.5.2026`, `27.–28.10.2026`, `31.10.–1.11.2026`, `31.12.2026–1.1.2027`. */
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

/** A camera's wall-clock time, `YYYY-MM-DDTHH:MM:SS` without a zone, as `17. Mai 2026, 21:04`. */
export function formatLocal(time: string): string {
  return `${formatDay(time)}, ${time.slice(11, 16)}`;
}

/** An instant as `17. Mai 2026, 21:04` in Berlin. */
export function formatInstant(iso: string): string {
  return dayTime.format(Date.parse(iso)).replace(' um ', ', ');
}

/** The time of an instant in Berlin: `21:04`. */
export function formatTime(iso: string): string {
  return time.format(Date.parse(iso));
}

/** Seconds as `vor 3 Minuten`. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return 'gerade eben';
  if (seconds < 3600) return age.format(-Math.floor(seconds / 60), 'minute');
  return seconds < 86_400 ? age.format(-Math.floor(seconds / 3600), 'hour') : age.format(-Math.floor(seconds / 86_400), 'day');
}

/** `Fotos, Videos und mehr` */
export function formatList(parts: readonly string[]): string {
  return list.format(parts);
}

/** The form for a number; `#` stands for it. */
export function plural(count: number, one: string, other: string): string {
  return (rules.select(count) === 'one' ? one : other).replace('#', formatNumber(count));
}
