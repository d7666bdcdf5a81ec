import { expect, it } from 'vitest';
import { createFairGate } from './fair-gate.ts';

it('lets senders in by turns, each in its own order, and one at a time', async () => {
  const gate = createFairGate({ waitingEach: 10, waitingAll: 100 });
  const order: string[] = [];
  let inside = 0;
  const run = (name: string) =>
    gate.run(name.charAt(0), async () => {
      inside += 1;
      expect(inside).toBe(1);
      order.push(name);
      await Promise.resolve();
      inside -= 1;
    });
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(run));
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('sends away what is too much of one sender, or of all, and goes on after work that fails', async () => {
  const gate = createFairGate({ waitingEach: 2, waitingAll: 3 });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = gate.run('a', () => held.then(() => Promise.reject(new Error('broken'))));
  const waiting = ['a', 'a', 'b'].map((sender) => gate.run(sender, async () => sender));
  const refused = { code: 'unavailable', retryAfter: 10 };
  await expect(gate.run('a', async () => undefined)).rejects.toMatchObject(refused);
  await expect(gate.run('c', async () => undefined)).rejects.toMatchObject(refused);
  release();
  await expect(first).rejects.toThrow('broken');
  expect(await Promise.all(waiting)).toEqual(['a', 'a', 'b']);
  expect(await gate.run('c', async () => 'free again')).toBe('free again');
});
