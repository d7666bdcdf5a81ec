import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

it('lets as many in as there are permits, and the others in their order', async () => {
  const semaphore = createSemaphore(2);
  const inside: number[] = [];
  const first = await semaphore.acquire();
  const second = await semaphore.acquire();
  const others = [3, 4].map((n) => semaphore.acquire().then((release) => (inside.push(n), release)));
  await Promise.resolve();
  expect(inside).toEqual([]);
  first();
  first();
  await others[0];
  expect(inside).toEqual([3]);
  second();
  await others[1];
  expect(inside).toEqual([3, 4]);
});

it('gives the permit back when the work fails', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next');
});
