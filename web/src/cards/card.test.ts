import { TITLE_LENGTH } from '@feierbild/contract/constants.ts';
import { expect, it } from 'vitest';
import { titleSize } from './card.tsx';

/** Largest average width of a character of ordinary text, as a share of the type size. */
const CHARACTER = 0.6;
const CARD_WIDTH = 87;
const LINE = 1.15;

it('never needs more than a third of the card for the title, and never grows with its length', () => {
  let before = Infinity;
  for (let length = 1; length <= TITLE_LENGTH; length++) {
    const size = titleSize('x'.repeat(length));
    const lines = Math.ceil((length * size * CHARACTER) / CARD_WIDTH);
    expect(lines * size * LINE).toBeLessThan(148 / 3);
    expect(size).toBeLessThanOrEqual(before);
    before = size;
  }
});

it('counts characters as people do', () => {
  expect(titleSize('🎉'.repeat(40))).toBe(titleSize('x'.repeat(40)));
});
