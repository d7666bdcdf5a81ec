import type { PlacedPhoto } from './masonry.ts';

/** Keys that go from photo to photo. */
const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const;
export type GridKey = (typeof KEYS)[number];

export function isGridKey(key: string): key is GridKey {
  return (KEYS as readonly string[]).includes(key);
}

/** Where a key leads from the photo at `index`: along the reading order, up and down in the same column, or to the ends. */
export function neighbour<P>(places: readonly PlacedPhoto<P>[], index: number, key: GridKey): PlacedPhoto<P> | undefined {
  const from = places[index];
  const last = places.length - 1;
  if (!from || key === 'Home') return places[0];
  if (key === 'End') return places[last];
  if (key === 'ArrowLeft') return places[Math.max(index - 1, 0)];
  if (key === 'ArrowRight') return places[Math.min(index + 1, last)];
  const step = key === 'ArrowDown' ? 1 : -1;
  for (let n = index + step; n >= 0 && n <= last; n += step) if (places[n]?.left === from.left) return places[n];
  return from;
}
