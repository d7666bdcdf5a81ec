import { expect, it } from 'vitest';
import { isFaint } from './faint.ts';

const filled = (...pixel: [number, number, number, number]): Uint8ClampedArray =>
  new Uint8ClampedArray(Array.from({ length: 200 }, () => pixel).flat());

it.each([
  ['white', filled(255, 255, 255, 255), true],
  ['dark, but all transparent', filled(0, 0, 0, 8), true],
  ['the ground itself', filled(250, 247, 242, 255), true],
  ['dark', filled(20, 20, 20, 255), false],
  ['half transparent and dark', filled(20, 20, 20, 128), false],
])('a logo that is %s: hardly seen is %s', (_, pixels, faint) => expect(isFaint(pixels)).toBe(faint));

it('a thin dark line on white is seen', () => {
  const pixels = filled(255, 255, 255, 255);
  for (let n = 0; n < 4 * 6; n++) pixels[n] = n % 4 === 3 ? 255 : 0;
  expect(isFaint(pixels)).toBe(false);
});
