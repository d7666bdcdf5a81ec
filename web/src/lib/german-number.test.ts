import { describe, expect, it } from 'vitest';
import { germanNumber } from './german-number.ts';

describe('a German number', () => {
  it.each([
    ['2,5', 2.5],
    ['12.5', 12.5],
    ['1.000', 1000],
    [' 24 ', 24],
    ['-13,4', -13.4],
    ['1.234.567,5', 1_234_567.5],
  ])('%s is %d', (typed, number) => expect(germanNumber(typed)).toBe(number));

  it.each(['24 Bilder', '5 GB', '', '1,000.5', '1e3', '0x10', '٣', '∞', '1.00,5', '- 1', '5,'])('„%s“ is none', (typed) =>
    expect(germanNumber(typed)).toBeNaN(),
  );

  it('of a coordinate has no groups', () => {
    expect(germanNumber('51.163', 'coordinate')).toBe(51.163);
    expect(germanNumber('-0,127', 'coordinate')).toBe(-0.127);
  });
});
