import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AA, contrast, GROUNDS, isReadable, readable, tones } from './colours.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('colours', () => {
  it('have the contrast that WCAG says', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
    expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.542, 3);
  });

  it('become readable by the nearest tone, and stay as they are where they can be read', () => {
    fc.assert(
      fc.property(colour, (any) => {
        const near = readable(any);
        expect(isReadable(near)).toBe(true);
        if (isReadable(any)) expect(near).toBe(any);
        // Apart from rounding to bytes, the contrast is at the limit.
        else expect(contrast(near, GROUNDS.paper)).toBeLessThan(AA + 0.35);
      }),
    );
    expect(readable('#ffcc00')).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('give tones of which each can be read where it stands', () => {
    fc.assert(
      fc.property(colour, (any) => {
        const { accent, deep, soft, light } = tones(readable(any));
        for (const [text, ground] of [
          [accent, GROUNDS.paper],
          ['#ffffff', accent],
          ['#ffffff', deep],
          [deep, GROUNDS.paper],
          [deep, GROUNDS.deep],
          [deep, soft],
          [light, GROUNDS.pine],
          [light, GROUNDS.dark],
          ['#221c1d', soft],
        ] as const)
          expect([any, text, ground, contrast(text, ground) >= AA]).toEqual([any, text, ground, true]);
      }),
    );
  });
});
