import { expect, it } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

it('runs the work of one key in order, also after a failure, and lets other keys pass', async () => {
  const mutex = createKeyedMutex();
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
