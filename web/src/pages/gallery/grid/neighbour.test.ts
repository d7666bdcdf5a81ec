import { expect, it } from 'vitest';
import { layoutGallery } from './masonry.ts';
import { neighbour } from './neighbour.ts';

it('arrow keys go along the reading order and within a column, also over a day with fewer photos, and stop at the ends', () => {
  // Three columns: five photos of one day, one of the next, three of the third.
  const days = [17, 17, 17, 17, 17, 18, 19, 19, 19];
  const photos = days.map((day, n) => ({ id: `p${n}`, width: 4, height: 3, created_at: `2026-05-${day}T12:00:0${n}.000Z` }));
  const places = layoutGallery(photos, 3, 900).photos;
  const to = (from: number, key: Parameters<typeof neighbour>[2]) => neighbour(places, from, key)?.index;
  expect([to(0, 'ArrowRight'), to(4, 'ArrowRight'), to(8, 'ArrowRight')]).toEqual([1, 5, 8]);
  expect([to(5, 'ArrowLeft'), to(0, 'ArrowLeft')]).toEqual([4, 0]);
  expect([to(1, 'ArrowDown'), to(4, 'ArrowDown'), to(0, 'ArrowDown'), to(3, 'ArrowDown'), to(7, 'ArrowDown')]).toEqual([4, 7, 3, 5, 7]);
  expect([to(7, 'ArrowUp'), to(4, 'ArrowUp'), to(1, 'ArrowUp')]).toEqual([4, 1, 1]);
  expect([to(4, 'Home'), to(4, 'End')]).toEqual([0, 8]);
});
