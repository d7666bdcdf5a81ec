import { GB, MB } from '@feierbild/contract/constants.ts';

const dayFormat = new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const instantFormat = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Berlin' });
const listFormat = new Intl.ListFormat('de-DE');
const numberFormat = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 });

/** Formats `YYYY-MM-DD` as `17. Mai 2026`. */
export const dayText = (day: string): string => dayFormat.format(Date.parse(`${day}T12:00:00Z`));
/** Formats ms since 1970 as `17. Mai 2026 um 21:04 Uhr`. */
export const instantText = (instant: number): string => `${instantFormat.format(instant)} Uhr`;
/** Formats a number as `1.234,5`. */
export const number = (value: number): string => numberFormat.format(value);
export const gigabytesText = (bytes: number): string => `${number(bytes / GB)} GB`;

/** Formats bytes as `4,7 GB`; below 0.1 GB in MB. */
export const size = (bytes: number): string => (bytes >= GB / 10 ? `${number(bytes / GB)} GB` : `${number(bytes / MB)} MB`);

/** Formats a count as `1 Foto`, `1.234 Fotos`. */
export const count = (value: number, one: string, many: string): string => `${number(value)} ${value === 1 ? one : many}`;
/** Like `count`, but `one` is the whole text for one. */
export const countText = (count: number, one: string, many: string): string => (count === 1 ? one : `${number(count)} ${many}`);

/** Formats counts as `120 Fotos, 1 Video und 2 Vorschauen`; what there is none of is left out. */
export function photosText(photos: number, videos: number, previews = 0): string {
  const counts = [
    ...(photos > 0 ? [countText(photos, '1 Foto', 'Fotos')] : []),
    ...(videos > 0 ? [countText(videos, '1 Video', 'Videos')] : []),
    ...(previews > 0 ? [countText(previews, '1 Vorschau', 'Vorschauen')] : []),
  ];
  return counts.length === 0 ? 'keine Fotos' : listFormat.format(counts);
}
