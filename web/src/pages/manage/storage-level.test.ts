import { expect, it } from 'vitest';
import { storageLevel } from './storage-level.ts';

it.each([
  [0, 'fine'],
  [0.799, 'fine'],
  [0.8, 'filling'],
  [0.949, 'filling'],
  [0.95, 'nearly'],
  [0.9999, 'nearly'],
  [1, 'full'],
  [1.7, 'full'],
] as const)('a share of %d is %s', (share, level) => {
  expect(storageLevel(share)).toBe(level);
});
