/** Numbers, sizes and dates as the page's language writes them: the interface's own is German. */
import { hear, said } from '../texts/speech.ts';

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
// Guests of a German party read its hours as Germans do.
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Berlin' } as const;
const cents = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const age = /* @__PURE__ */ new Intl.RelativeTimeFormat('de-DE');

let by: ReturnType<typeof formatters>;
hear(() => (by = formatters(said('locale', 'de-DE'))));

function formatters(locale: string) {
  return {
    number: new Intl.NumberFormat(locale),
    day: new Intl.DateTimeFormat(locale, { ...DAY, timeZone: 'UTC' }),
    time: new Intl.DateTimeFormat(locale, TIME),
    dayTime: new Intl.DateTimeFormat(locale, { ...DAY, ...TIME }),
    list: new Intl.ListFormat(locale),
    rules: new Intl.PluralRules(locale),
  };
}

/** `1.000` */
export function formatNumber(value: number): string {
  return by.number.format(value);
}

/** `20 €`, `25,50 €` */
export function formatEuros(value: number): string {
  return `${Number.isInteger(value) ? by.number.format(value) : cents.format(value)} €`;
}

/** `YYYY-MM-DD` (what follows T is dropped) as `17. Mai 2026`. */
export function formatDay(date: string): string {
  return by.day.format(noonOf(date));
}

function noonOf(date: string): number {
  return Date.parse(`${date.slice(0, 10)}T12:00:00Z`);
}

/** Two days as `17. Mai 2026`, `17.–18. Mai 2026`, `31. Mai – 1. Juni 2026`. */
export function formatDays(start: string, end: string): string {
  return by.day.formatRange(noonOf(start), noonOf(end));
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
  return by.dayTime.format(Date.parse(iso)).replace(' um ', ', ');
}

/** The time of an instant in Berlin: `21:04`. */
export function formatTime(iso: string): string {
  return by.time.format(Date.parse(iso));
}

/** Seconds as `vor 3 Minuten`. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return 'gerade eben';
  if (seconds < 3600) return age.format(-Math.floor(seconds / 60), 'minute');
  return seconds < 86_400 ? age.format(-Math.floor(seconds / 3600), 'hour') : age.format(-Math.floor(seconds / 86_400), 'day');
}

/** `Fotos, Videos und mehr` */
export function formatList(parts: readonly string[]): string {
  return by.list.format(parts);
}

/** The German form for a number; `#` stands for it. */
export function plural(count: number, one: string, other: string): string {
  return formFor(count, { one, other });
}

/** The form for a number in the page's language; `#` stands for the number, and `other` for the forms that are not there. */
export function formFor(count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string {
  return (forms[by.rules.select(count)] ?? forms.other).replace('#', formatNumber(count));
}
