import { describe, expect, it } from 'vitest';
import { favourites, ordered, refreshed, slideOf, startRun, stepped, type Run } from './order.ts';

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

  it('of favourites is from few hearts to many, without those that have none', () => {
    const hearts = new Map([
      ['photo-3', 2],
      ['photo-1', 7],
      ['photo-9', 2],
      ['photo-x', 5],
    ]);
    expect(favourites(photos, hearts).map(({ id }) => id)).toEqual(['photo-3', 'photo-9', 'photo-1']);
  });

  it('keeps the order of the others when a photo comes', () => {
    const before = ordered(photos.slice(1), 'abc');
    expect(ordered(photos, 'abc').filter(({ id }) => id !== 'photo-0')).toEqual(before);
  });
});

interface Listed {
  id: string;
  created_at: string;
  width: number;
  height: number;
}

/** Photos by one letter each, received in the alphabet's order; those in capitals are portraits. */
const list = (ids: string): Listed[] =>
  Array.from(ids, (id) => ({ id, created_at: id.toLowerCase(), width: 4, height: id === id.toLowerCase() ? 3 : 5 }));

/** What is shown as one slide. */
const shownBy = (run: Run<Listed>): { id: string } => ({
  id: slideOf(run)
    .map(({ id }) => id)
    .join('+'),
});

/** What is shown from here on. */
function play(run: Run<Listed>, slides: number): string {
  let shown = '';
  for (let next = run; shown.length < slides; next = stepped(next, 1)) shown += shownBy(next).id;
  return shown;
}

describe('the position in a fresh list', () => {
  it.each([
    ['stays where nothing changed', 'abcde', 2, 'abcde', 'c'],
    ['follows the photo when others come before it', 'ghijk', 2, 'abghijk', 'i'],
    ['follows the photo when others go', 'abcde', 2, 'cde', 'c'],
    ['goes to the next when the photo goes', 'abcde', 2, 'abde', 'd'],
    ['wraps around when the last goes', 'abcde', 4, 'abcd', 'a'],
    ['passes over all that went', 'abcde', 1, 'aefg', 'e'],
    ['starts again where nothing is left of before', 'abc', 2, 'xyz', 'x'],
  ])('%s', (_, before, position, after, expected) => {
    expect(shownBy(refreshed({ ...startRun(list(before)), position }, list(after))).id).toBe(expected);
  });
});

describe('photos that come while the slideshow runs', () => {
  it('come next, the oldest first, every second slide and once; then the order goes on where it was', () => {
    const run = refreshed({ ...startRun(list('abcdef')), position: 1 }, list('abcdefxyz'));
    expect(play(run, 12)).toBe('bxcydzefabcd');
    // From the next round on it has its place.
    expect(play(run, 18).slice(12)).toBe('efxyza');
  });

  it('also in random order', () => {
    const run = refreshed({ ...startRun(list('dbfa')), position: 1 }, list('zdybfxa'));
    expect(play(run, 9)).toBe('bxfyazdbf');
  });

  it('are shown once where the order would show the same photo after them', () => {
    const run = refreshed({ ...startRun(list('abc')), position: 2 }, list('abcx'));
    expect(play(run, 4)).toBe('cxab');
  });

  it('are not shown earlier when the host puts an old one back, and leave when they are taken out', () => {
    const run = refreshed(startRun(list('bcd')), list('abcd'));
    expect(play(run, 4)).toBe('bcda');
    const taken = refreshed(refreshed(startRun(list('bcd')), list('bcdx')), list('bcd'));
    expect(play(taken, 4)).toBe('bcdb');
    const shown = stepped(refreshed(startRun(list('bcd')), list('bcdx')), 1);
    expect([shownBy(shown).id, play(refreshed(shown, list('bcd')), 2)]).toEqual(['x', 'cd']);
  });

  it('lead back to the photo before them', () => {
    const run = stepped(refreshed(startRun(list('bcd')), list('bcdx')), 1);
    expect(shownBy(stepped(run, -1)).id).toBe('b');
  });
});

describe('portraits in a wide window', () => {
  /** So many slides from here on, forth or back. */
  function slides(run: Run<Listed>, count: number, by: 1 | -1 = 1): string[] {
    const shown: string[] = [];
    for (let next = run; shown.length < count; next = stepped(next, by)) shown.push(shownBy(next).id);
    return shown;
  }

  it('stand side by side where two follow each other, once in each round', () => {
    expect(slides(startRun(list('aBCdEFGh'), true), 7)).toEqual(['a', 'B+C', 'd', 'E+F', 'G', 'h', 'a']);
    expect(slides(startRun(list('ABCDE'), true), 4)).toEqual(['A+B', 'C+D', 'E', 'A+B']);
    expect(slides(startRun(list('aBCd')), 4)).toEqual(['a', 'B', 'C', 'd']);
  });

  it('are together also on the way back', () => {
    expect(slides({ ...startRun(list('aBCd'), true), position: 3 }, 4, -1)).toEqual(['d', 'B+C', 'a', 'd']);
  });

  it('are not shown beside a newcomer, and are not shown twice after it', () => {
    const run = refreshed(startRun(list('ABcD'), true), list('ABcDXY'));
    expect(slides(run, 8)).toEqual(['A+B', 'X', 'c', 'Y', 'D', 'A+B', 'c', 'D+X']);
    expect(shownBy(stepped(stepped(run, 1), -1)).id).toBe('A+B');
  });
});
