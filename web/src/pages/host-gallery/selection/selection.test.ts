import fc from 'fast-check';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { extend, keep, NOTHING, toggle, inParallel } from './selection.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const chosen = ({ ids }: { ids: ReadonlySet<string> }): string => [...ids].toSorted().join('');

describe('the selection', () => {
  it('takes in and out', () => {
    const one = toggle(toggle(NOTHING, 'b'), 'd');
    expect(chosen(one)).toBe('bd');
    expect(chosen(toggle(one, 'b'))).toBe('d');
    expect(chosen(NOTHING)).toBe('');
  });

  it('takes in a range, forwards and backwards, and goes on from its end', () => {
    const forwards = extend(toggle(NOTHING, 'b'), ORDER, 'd');
    expect(chosen(forwards)).toBe('bcd');
    expect(chosen(extend(forwards, ORDER, 'e'))).toBe('bcde');
    expect(chosen(extend(toggle(NOTHING, 'd'), ORDER, 'a'))).toBe('abcd');
  });

  it('takes only the one where no range can start', () => {
    expect(chosen(extend(NOTHING, ORDER, 'c'))).toBe('c');
    expect(chosen(extend(toggle(NOTHING, 'gone'), ORDER, 'c'))).toBe('cgone');
  });

  it('is a run without gaps, whatever the two ends', () => {
    const place = fc.nat({ max: ORDER.length - 1 });
    fc.assert(
      fc.property(place, place, (a, b) => {
        const range = extend(toggle(NOTHING, ORDER[a] as string), ORDER, ORDER[b] as string);
        expect(chosen(range)).toBe(ORDER.slice(Math.min(a, b), Math.max(a, b) + 1).join(''));
      }),
    );
  });

  it('lets go what is dealt with', () => {
    expect(chosen(keep(extend(toggle(NOTHING, 'a'), ORDER, 'c'), (id) => id === 'b'))).toBe('b');
  });
});

it('does each item once, never more than four at a time, and returns which failed', async () => {
  const items = Array.from({ length: 30 }, (_, n) => n);
  const seen: number[] = [];
  let running = 0;
  let most = 0;
  const failed = await inParallel(items, 4, async (item) => {
    most = Math.max(most, ++running);
    await wait(1);
    running--;
    seen.push(item);
    if (item % 10 === 3) throw new Error(`no ${item}`);
  });
  expect(seen.toSorted((a, b) => a - b)).toEqual(items);
  expect(most).toBe(4);
  expect([...failed.keys()].toSorted((a, b) => a - b)).toEqual([3, 13, 23]);
});
