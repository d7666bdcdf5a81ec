import { MB } from '@feierbild/contract/constants.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { keepMemoryLow } from './memory.ts';

const real = globalThis.gc;
const collections = vi.fn();
/** The loop calls this after each collection; other code in this process may collect, too. */
const giveBack = vi.fn();
let stop = (): void => undefined;
afterEach(() => {
  stop();
  globalThis.gc = real;
  collections.mockReset();
  giveBack.mockReset();
});

it('collects once when work is over, and again after more work', async () => {
  globalThis.gc = collections as unknown as NonNullable<typeof globalThis.gc>;
  let works = true;
  let looks = 0;
  let user = 0;
  const usage = vi.spyOn(process, 'cpuUsage').mockImplementation((before) => {
    if (before) {
      looks++;
      if (works) user += 1_000_000_000;
    }
    return { user: user - (before?.user ?? 0), system: 0 };
  });
  // The test process itself uses more than the ceiling now and then.
  const memory = vi.spyOn(process, 'memoryUsage').mockImplementation((() => ({ external: 0 })) as unknown as typeof process.memoryUsage);
  const look = (times: number) => {
    const until = looks + times;
    return expect.poll(() => looks).toBeGreaterThan(until);
  };
  stop = keepMemoryLow(giveBack, { checkMs: 5, idleMs: 5 });
  for (const times of [1, 2]) {
    works = true;
    await look(3);
    expect(giveBack).toHaveBeenCalledTimes(times - 1);
    works = false;
    await look(6);
    expect(giveBack).toHaveBeenCalledTimes(times);
  }
  expect(collections.mock.calls.length).toBeGreaterThanOrEqual(2);
  memory.mockRestore();
  usage.mockRestore();
});

it('collects where buffers take more than the ceiling, and then only where they grow on', async () => {
  globalThis.gc = collections as unknown as NonNullable<typeof globalThis.gc>;
  let external = 50 * MB;
  let looks = 0;
  const usage = vi.spyOn(process, 'memoryUsage').mockImplementation((() => {
    looks++;
    return { external };
  }) as unknown as typeof process.memoryUsage);
  const look = (times: number) => {
    const until = looks + times;
    return expect.poll(() => looks).toBeGreaterThan(until);
  };
  stop = keepMemoryLow(giveBack, { checkMs: 5, ceilingBytes: 64 * MB });
  await look(6);
  expect(giveBack).not.toHaveBeenCalled();
  external = 80 * MB;
  await expect.poll(() => giveBack.mock.calls.length).toBe(1);
  // Memory in use is no garbage.
  await look(6);
  external = 119 * MB;
  await look(6);
  expect(giveBack).toHaveBeenCalledTimes(1);
  external = 121 * MB;
  await expect.poll(() => giveBack.mock.calls.length).toBe(2);
  expect(collections.mock.calls.length).toBeGreaterThanOrEqual(2);
  usage.mockRestore();
});
