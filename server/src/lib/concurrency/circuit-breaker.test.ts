import { expect, it } from 'vitest';
import { Unavailable } from '../errors.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

it('refuses calls at once after some failures in a row, until a probe succeeds', async () => {
  let works = false;
  let calls = 0;
  const ask = async (): Promise<string> => {
    calls += 1;
    if (!works) throw new Unavailable('store', 'silent');
    return 'answer';
  };
  const breaker = createCircuitBreaker({ dependency: 'store', probe: ask, failures: 3, pauseMs: 10 });
  for (let n = 0; n < 3; n += 1) await expect(breaker.run(ask)).rejects.toThrow(Unavailable);
  expect(breaker.isOpen()).toBe(true);
  let asked = 0;
  await expect(breaker.run(async () => (asked += 1))).rejects.toThrow(Unavailable);
  expect(asked).toBe(0);
  await expect.poll(() => calls).toBeGreaterThan(4);
  works = true;
  await expect.poll(() => breaker.isOpen()).toBe(false);
  expect(await breaker.run(ask)).toBe('answer');
  breaker.close();
});

it('does not count an answer, though it be an error, as a failure', async () => {
  const breaker = createCircuitBreaker({ dependency: 'store', probe: async () => undefined, failures: 2 });
  for (const error of [new Unavailable('store', 'silent'), new Error('no such blob'), new Unavailable('store', 'silent')])
    await expect(
      breaker.run(async () => {
        throw error;
      }),
    ).rejects.toBe(error);
  expect(breaker.isOpen()).toBe(false);
  breaker.close();
});
