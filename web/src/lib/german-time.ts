import { isDay } from '@feierbild/contract/berlin.ts';

const TYPED = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})[,\s]+(?:um\s+)?(\d{1,2})(?:[:.](\d{2}))?(?:\s*uhr)?$/i;

/** Reads a day and time as Germans type them: `17.5.26 21 Uhr` becomes `2026-05-17T21:00`; null if the text is none. */
export function germanTime(typed: string): string | null {
  const [, day = '', month = '', year = '', hour = '', minute = '00'] = TYPED.exec(typed.trim()) ?? [];
  const date = [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  return isDay(date) && Number(hour) < 24 && Number(minute) < 60 ? `${date}T${hour.padStart(2, '0')}:${minute}` : null;
}

/** Writes `2026-05-17T21:00` as it is typed: `17.05.2026, 21:00`. */
export function asTyped(local: string): string {
  const [date = '', time = ''] = local.split('T');
  return `${date.split('-').reverse().join('.')}, ${time.slice(0, 5)}`;
}
