import { describe, expect, it } from 'vitest';
import { zipTime } from './zip-layout.ts';

/** Decodes a DOS time. */
const wall = (dos: number): number[] => [
  1980 + (dos >>> 25),
  (dos >>> 21) & 15,
  (dos >>> 16) & 31,
  (dos >>> 11) & 31,
  (dos >>> 5) & 63,
  (dos & 31) * 2,
];
const RECEIVED = Date.parse('2026-12-31T23:30:10Z');

describe('the time of an entry', () => {
  it('is the camera’s wall clock, and that moment in Berlin', () => {
    const time = zipTime('2026-05-17T21:04:07', RECEIVED);
    expect(wall(time.dos)).toEqual([2026, 5, 17, 21, 4, 6]);
    expect(time.seconds).toBe(Date.parse('2026-05-17T19:04:07Z') / 1000);
  });

  it('is the time of receipt where the camera says none', () => {
    for (const taken of [null, '', 'gestern']) {
      const time = zipTime(taken, RECEIVED);
      expect(wall(time.dos)).toEqual([2027, 1, 1, 0, 30, 10]);
      expect(time.seconds).toBe(RECEIVED / 1000);
    }
  });

  it('stays within what ZIP can hold', () => {
    expect(wall(zipTime('1970-01-01T00:00:00', 0).dos)).toEqual([1980, 1, 1, 0, 0, 0]);
    expect(wall(zipTime('2200-01-01T00:00:00', 0).dos)).toEqual([2107, 12, 31, 23, 59, 58]);
    expect(zipTime('2200-01-01T00:00:00', 0).seconds).toBe(0x7fff_ffff);
  });
});
