import { describe, expect, it } from 'vitest';
import { cleanEventCode, isEventCode } from './event-code.ts';

describe("the event code's clean-up", () => {
  it.each([
    [' ab-cd ef_gh ', 'ABCDEFGH'],
    ['abcdefghij', 'ABCDEFGH'],
    ['ä1ß2é3', '123'],
    ['ＡＢ１２', ''],
    ['', ''],
  ])('makes %j into %j: letters and digits only, upper case, at most eight', (typed, code) => {
    expect(cleanEventCode(typed)).toBe(code);
  });

  it('lets pass exactly eight letters or digits', () => {
    expect(['ABCD2345', 'ABCD234', 'ABCD23456', 'ABCD-345', 'ÄBCD2345', ''].map(isEventCode)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
