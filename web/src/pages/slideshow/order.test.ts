import { describe, expect, it } from 'vitest';
import { ordered } from './order.ts';

const photos = Array.from({ length: 50 }, (_, n) => ({ id: `photo-${n}` }));

describe('the order of the slideshow', () => {
  it('is as given without a seed', () => {
    expect(ordered(photos, null)).toEqual(photos);
  });

  it('is another with a seed, of the same photos', () => {
    const shuffled = ordered(photos, 'abc');
    expect(shuffled).not.toEqual(photos);
    expect(shuffled.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(photos.toSorted((a, b) => a.id.localeCompare(b.id)));
  });

  it('keeps the order of the others when a photo comes', () => {
    const before = ordered(photos.slice(1), 'abc');
    expect(ordered(photos, 'abc').filter(({ id }) => id !== 'photo-0')).toEqual(before);
  });
});
