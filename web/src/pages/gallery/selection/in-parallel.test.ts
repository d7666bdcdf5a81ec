import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

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
