import { expect, it } from 'vitest';
import { createReadiness } from './node-state.ts';

it('is checked once for all simultaneous callers, with any result, and again after a while', async () => {
  let checks = 0;
  let broken = false;
  const ready = createReadiness(async () => {
    checks += 1;
    await Promise.resolve();
    if (broken) throw new Error('no store');
  }, 50);
  await Promise.all(Array.from({ length: 20 }, ready));
  expect(checks).toBe(1);
  broken = true;
  await expect.poll(() => ready().catch((error: Error) => error.message)).toBe('no store');
  broken = false;
  await expect.poll(ready).toBeUndefined();
  expect(checks).toBeGreaterThan(2);
});

it('answers in time although the check never does, and asks again afterwards', async () => {
  let checks = 0;
  const ready = createReadiness(() => (++checks === 1 ? new Promise<void>(() => undefined) : Promise.resolve()), 50, 100);
  await expect(ready()).rejects.toThrow('no answer within 100 ms');
  await expect.poll(() => ready().catch(() => 'not yet')).toBeUndefined();
});
