import { expect, it } from 'vitest';
import { fittedBox } from './zoom.ts';

it('a photo opens in the middle, as large as the window lets it, and never larger than it is', () => {
  const window = { innerWidth: 400, innerHeight: 800 };
  expect(fittedBox({ width: 4000, height: 2000 }, window)).toEqual({ left: 0, top: 300, width: 400, height: 200 });
  expect(fittedBox({ width: 2000, height: 8000 }, window)).toEqual({ left: 100, top: 0, width: 200, height: 800 });
  expect(fittedBox({ width: 100, height: 80 }, window)).toEqual({ left: 150, top: 360, width: 100, height: 80 });
});
