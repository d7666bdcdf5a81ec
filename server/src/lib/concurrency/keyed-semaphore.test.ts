import { expect, it } from 'vitest';
import { Unavailable } from '../errors.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

it('lets so many of a key run at a time, in order, and those of another key beside them', async () => {
  const lanes = createKeyedSemaphore(2, { patienceMs: 60_000, dependency: 'database' });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (key: string, name: string): Promise<void> =>
    lanes.run(key, () => {
      started.push(name);
      return new Promise((resolve) => ends.push(resolve));
    });
  const all = [begin('a', 'a1'), begin('a', 'a2'), begin('a', 'a3'), begin('a', 'a4'), begin('b', 'b1')];
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1']);
  ends.shift()?.();
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'a3']);
  while (started.length < 4 || ends.length > 0) {
    ends.shift()?.();
    await Promise.resolve();
  }
  await expect.poll(() => started).toHaveLength(5);
  ends.shift()?.();
  await Promise.all(all);
});

it('rejects what waits too long, and loses no permit by that', async () => {
  const lanes = createKeyedSemaphore(1, { patienceMs: 20, dependency: 'database' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = lanes.run('a', () => promise);
  let ran = false;
  await expect(lanes.run('a', async () => void (ran = true))).rejects.toThrow(Unavailable);
  expect(ran).toBe(false);
  resolve();
  await first;
  expect(await lanes.run('a', async () => 'in turn')).toBe('in turn');
});
