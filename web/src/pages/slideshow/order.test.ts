import { describe, expect, it } from 'vitest';
import { keepPosition, ordered } from './order.ts';

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

describe('the position in a fresh list', () => {
  const list = (ids: string) => Array.from(ids, (id) => ({ id }));

  it.each([
    ['stays where nothing changed', 'abcde', 2, 'abcde', 2],
    ['follows the photo when others come before it', 'abcde', 2, 'xyabcde', 4],
    ['follows the photo when others go', 'abcde', 2, 'cde', 0],
    ['goes to the next when the photo goes', 'abcde', 2, 'abde', 2],
    ['wraps around when the last goes', 'abcde', 4, 'abcd', 0],
    ['passes over all that went', 'abcde', 1, 'aefg', 1],
    ['starts again where nothing is left of before', 'abc', 2, 'xyz', 0],
    ['starts where there was nothing', '', 0, 'xyz', 0],
  ])('%s', (_, before, position, after, expected) => {
    expect(keepPosition(list(before), position, list(after))).toBe(expected);
  });
});
