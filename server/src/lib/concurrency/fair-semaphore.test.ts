import { describe, expect, it } from 'vitest';
import { createFairSemaphore, type FairSemaphore } from './fair-semaphore.ts';

/** Asks for permits one after the other. Resolves to the functions that give back those that were had at once. */
async function ask(semaphore: FairSemaphore, holder: string, count: number): Promise<(() => void)[]> {
  const got: (() => void)[] = [];
  for (let i = 0; i < count; i++) void semaphore.acquire(holder).then((release) => got.push(release));
  await new Promise((resolve) => setImmediate(resolve));
  return got;
}

describe('a fair semaphore', () => {
  it('leaves room for others, however much a holder asks for', async () => {
    const semaphore = createFairSemaphore(90);
    const taken: number[] = [];
    for (const holder of ['a', 'b', 'c']) taken.push((await ask(semaphore, holder, 200)).length);
    expect(taken).toEqual([60, 20, 7]);
    expect((await ask(semaphore, 'late', 1)).length).toBe(1);
    expect(semaphore.waiting()).toBe(600 - 87);
  });

  it('gives each free permit once, to the holders in turn', async () => {
    const semaphore = createFairSemaphore(1);
    const order: string[] = [];
    const release = await semaphore.acquire('first');
    const acquire = (holder: string, name: string) => semaphore.acquire(holder).then((permit) => (order.push(name), permit));
    const begun = [acquire('a', 'a1'), acquire('a', 'a2'), acquire('b', 'b1'), acquire('b', 'b2')];
    const [a1, a2, b1, b2] = begun as [Promise<() => void>, Promise<() => void>, Promise<() => void>, Promise<() => void>];
    release();
    release();
    for (const next of [a1, b1, a2, b2]) (await next)();
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(semaphore.waiting()).toBe(0);
  });
});
