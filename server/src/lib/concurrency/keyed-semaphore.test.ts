import { expect, it } from 'vitest';
import { Unavailable } from '../errors.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

it('lets so many of a key run at the same time, in order, and those of another key beside them', async () => {
  const semaphore = createKeyedSemaphore(2, { maxWaitMs: 60_000, dependency: 'database' });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (key: string, name: string): Promise<void> =>
    semaphore.run(key, () => {
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
  const semaphore = createKeyedSemaphore(1, { maxWaitMs: 20, dependency: 'database' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = semaphore.run('a', () => promise);
  let ran = false;
  await expect(semaphore.run('a', async () => void (ran = true))).rejects.toThrow(Unavailable);
  expect(ran).toBe(false);
  resolve();
  await first;
  expect(await semaphore.run('a', async () => 'in turn')).toBe('in turn');
});

it('is a mutex with one permit: runs the work of one key in order, also after a failure, and lets other keys pass', async () => {
  const mutex = createKeyedSemaphore(1);
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const work =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      order.push(`${name} begins`);
      await until;
      order.push(`${name} ends`);
    };
  const failing = mutex.run('a', work('a1', first.promise));
  const next = mutex.run('a', work('a2'));
  await mutex.run('b', work('b1'));
  first.reject(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  await next;
  expect(order).toEqual(['a1 begins', 'b1 begins', 'b1 ends', 'a2 begins', 'a2 ends']);
});
