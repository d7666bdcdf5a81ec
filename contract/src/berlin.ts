/** Days of an event are days in Berlin; the zones of the machine and the browser do not matter. */

import { DAY } from './constants.ts';

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Berlin',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Returns the local time in Berlin at an instant (ms since 1970): `YYYY-MM-DDTHH:mm:ss`. */
export function berlinTime(instant: number): string {
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts.formatToParts(instant).map((p) => [p.type, p.value]));
  return `${year?.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** Returns the day `YYYY-MM-DD` in Berlin at an instant (ms since 1970). */
export function berlinDay(instant: number): string {
  return berlinTime(instant).slice(0, 10);
}

/** A feast goes on after midnight: before this hour, the night belongs to the day before. */
const MORNING_HOUR = '06';

/** Returns the day `YYYY-MM-DD` of the feast that goes on in Berlin at an instant. */
export function feastDay(instant: number): string {
  const [day = '', time = ''] = berlinTime(instant).split('T');
  return time < MORNING_HOUR ? addDays(day, -1) : day;
}

/** Returns Berlin's offset from UTC at an instant, ms. */
function berlinOffset(instant: number): number {
  return Date.parse(`${berlinTime(instant)}Z`) - Math.floor(instant / 1000) * 1000;
}

/** Returns the instant (ms since 1970) at which a day `YYYY-MM-DD` begins in Berlin. */
export const startOfBerlinDay = (day: string): number => berlinInstant(`${day}T00:00`);

/** Returns the instant (ms since 1970) of the local time `YYYY-MM-DDTHH:mm` in Berlin; NaN if the text is no time. */
export function berlinInstant(local: string): number {
  const utc = Date.parse(`${local}:00Z`);
  if (Number.isNaN(utc)) return utc;
  const guess = utc - berlinOffset(utc);
  return utc - berlinOffset(guess);
}

/** Returns the first instant after a day in Berlin (its 23:59:59 plus one second). */
export function endOfBerlinDay(day: string): number {
  return startOfBerlinDay(addDays(day, 1));
}

/** Adds days to a day `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** Tells whether the text is a real calendar day `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}
