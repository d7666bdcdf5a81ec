import { expect, it } from 'vitest';
import { createGate } from './gate.ts';

it('lets as many in as there are slots, and the others in their order', async () => {
  const gate = createGate(2);
  const inside: number[] = [];
  const first = await gate.enter();
  const second = await gate.enter();
  const others = [3, 4].map((n) => gate.enter().then((leave) => (inside.push(n), leave)));
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
