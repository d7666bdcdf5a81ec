import { GB, MB } from '@feierbild/contract/constants.ts';

/** How the commands write instants, numbers and sizes. */
const BERLIN = new Intl.DateTimeFormat('de-DE', { timeZone: 'Europe/Berlin', dateStyle: 'medium', timeStyle: 'medium' });
const NUMBER = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 });

/** An instant, ms since 1970, as `17.05.2026, 21:04:09` in Berlin. */
export const berlinTime = (at: number): string => BERLIN.format(at);

/** `1.234,5` */
export const number = (value: number): string => NUMBER.format(value);

/** Bytes as `4,7 GB`; below 0,1 GB in MB. */
export const size = (bytes: number): string => (bytes >= GB / 10 ? `${number(bytes / GB)} GB` : `${number(bytes / MB)} MB`);

/** `1 Foto`, `1.234 Fotos` */
export const count = (value: number, one: string, many: string): string => `${number(value)} ${value === 1 ? one : many}`;
