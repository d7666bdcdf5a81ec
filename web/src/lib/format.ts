/** Numbers, sizes and dates as the page's language writes them: the interface's own is German. */
import { hear, said } from '../texts/speech.ts';

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
// The event is in Germany, so every language shows its hours as Germans write them.
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Berlin' } as const;

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

/** Formats a number: `1.000`. */
export function formatNumber(value: number): string {
  return by.number.format(value);
}

/** Formats `YYYY-MM-DD` as `17. Mai 2026`; a time after `T` is ignored. */
export function formatDay(date: string): string {
  return by.day.format(noonOf(date));
}

function noonOf(date: string): number {
  return Date.parse(`${date.slice(0, 10)}T12:00:00Z`);
}

/** Formats two days as `17. Mai 2026`, `17.–18. Mai 2026`, `31. Mai – 1. Juni 2026`. */
export function formatDays(start: string, end: string): string {
  return by.day.formatRange(noonOf(start), noonOf(end));
}

/** Formats a camera's wall-clock time, `YYYY-MM-DDTHH:MM:SS` without a zone, as `17. Mai 2026, 21:04`. */
export function formatLocal(time: string): string {
  return `${formatDay(time)}, ${time.slice(11, 16)}`;
}

/** Formats an instant as `17. Mai 2026, 21:04` in Berlin's time. */
export function formatInstant(iso: string): string {
  return by.dayTime.format(Date.parse(iso)).replace(' um ', ', ');
}

/** Formats the time of an instant in Berlin: `21:04`. */
export function formatTime(iso: string): string {
  return by.time.format(Date.parse(iso));
}

/** Joins parts: `Fotos, Videos und mehr`. */
export function formatList(parts: readonly string[]): string {
  return by.list.format(parts);
}

/** Returns the German form for a number, with the number in place of `#`. */
export function plural(count: number, one: string, other: string): string {
  return formFor(count, { one, other });
}

/** Returns the form for a number in the page's language, with the number in place of `#`; a missing form is replaced by `other`. */
export function formFor(count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string {
  return (forms[by.rules.select(count)] ?? forms.other).replace('#', formatNumber(count));
}
