import { afterEach, expect, it, vi } from 'vitest';
import { keepMemoryLow } from './memory.ts';

const IDLE_MS = 500;
const MB = 1_000_000;
const real = globalThis.gc;
const collections = vi.fn();
const giveBack = vi.fn();
let stop = (): void => undefined;
afterEach(() => {
  stop();
  globalThis.gc = real;
  collections.mockReset();
  giveBack.mockReset();
});

it('collects once when work is over', async () => {
  globalThis.gc = collections as unknown as NonNullable<typeof globalThis.gc>;
  stop = keepMemoryLow(giveBack, { idleMs: IDLE_MS });
  for (const end = performance.now() + IDLE_MS / 2; performance.now() < end;) Math.random();
  await expect.poll(() => collections.mock.calls.length, { timeout: 10_000, interval: IDLE_MS }).toBe(1);
  await expect.poll(() => giveBack.mock.calls.length, { timeout: 10_000 }).toBe(1);
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
  await look(3);
  expect(collections).not.toHaveBeenCalled();
  external = 80 * MB;
  await expect.poll(() => collections.mock.calls.length).toBe(1);
  // What is in use is no garbage.
  await look(3);
  external = 119 * MB;
  await look(3);
  expect(collections).toHaveBeenCalledTimes(1);
  external = 121 * MB;
  await expect.poll(() => collections.mock.calls.length).toBe(2);
  usage.mockRestore();
});
