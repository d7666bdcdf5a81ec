import { describe, expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';
import { formatDay, formatDays, formatInstant, formatLocal, formatNumber } from './format.ts';
import { formatAge, formatDaysShort } from './german-format.ts';

/** Versions of Intl write spaces of different kinds. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f\u2009]/g, ' ');

describe('German numbers and dates', () => {
  it('are written as people here write them', () => {
    expect(formatNumber(1000)).toBe('1.000');
    expect(plain(formatBytes(4_740_000_000))).toBe('4,7 GB');
    expect(plain(formatBytes(99_000_000))).toBe('99 MB');
    expect(plain(formatBytes(50_000))).toBe('0,1 MB');
    expect(plain(formatBytes(49_000))).toBe('< 0,1 MB');
    expect(plain(formatBytes(0))).toBe('0 MB');
    expect(formatDay('2026-05-17T22:00:00Z')).toBe('17. Mai 2026');
    expect(formatLocal('2026-05-17T21:04:09')).toBe('17. Mai 2026, 21:04');
    expect(formatInstant('2026-05-17T19:04:00Z')).toBe('17. Mai 2026, 21:04');
  });

  it('say of a range only what differs', () => {
    expect(plain(formatDays('2026-05-17', '2026-05-17'))).toBe('17. Mai 2026');
    expect(plain(formatDays('2026-05-17', '2026-05-18'))).toBe('17.–18. Mai 2026');
    expect(plain(formatDays('2026-05-31', '2026-06-01'))).toBe('31. Mai – 1. Juni 2026');
    expect(plain(formatDays('2026-12-31', '2027-01-01'))).toBe('31. Dezember 2026 – 1. Januar 2027');
  });

  it('say it in digits, as short as it goes', () => {
    expect(formatDaysShort('2026-05-17', '2026-05-17')).toBe('17.5.2026');
    expect(formatDaysShort('2026-10-27T00:00:00Z', '2026-10-28')).toBe('27.–28.10.2026');
    expect(formatDaysShort('2026-10-31', '2026-11-01')).toBe('31.10.–1.11.2026');
    expect(formatDaysShort('2026-12-31', '2027-01-01')).toBe('31.12.2026–1.1.2027');
    expect(formatDaysShort('2026-05-17', '2027-05-17')).toBe('17.5.2026–17.5.2027');
  });

  it('show an age in the unit that fits', () => {
    expect([30, 60, 180, 3600, 90_000].map(formatAge)).toEqual([
      'gerade eben',
      'vor 1 Minute',
      'vor 3 Minuten',
      'vor 1 Stunde',
      'vor 1 Tag',
    ]);
  });
});
