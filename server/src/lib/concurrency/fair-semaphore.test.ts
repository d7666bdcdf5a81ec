import { describe, expect, it } from 'vitest';
import { createFairSemaphore, type FairSemaphore } from './fair-semaphore.ts';

/** Asks for permits one after the other. Resolves to the functions that give back those that were had at once. */
async function ask(semaphore: FairSemaphore, holder: string, count: number, most?: number): Promise<(() => void)[]> {
  const got: (() => void)[] = [];
  for (let i = 0; i < count; i++) void semaphore.acquire(holder, most).then((release) => got.push(release));
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

  it('gives a holder no more permits than told', async () => {
    const semaphore = createFairSemaphore(90);
    const got = await ask(semaphore, 'a', 5, 2);
    expect(got.length).toBe(2);
    got[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(got.length).toBe(3);
    expect((await ask(semaphore, 'b', 5)).length).toBe(5);
  });

  it('gives each free permit once, to the holders in turn', async () => {
    const semaphore = createFairSemaphore(3);
    const order: string[] = [];
    const first = await ask(semaphore, 'first', 2);
    const acquire = (holder: string, name: string) => semaphore.acquire(holder, 1).then((release) => (order.push(name), release));
    const begun = [acquire('a', 'a1'), acquire('a', 'a2'), acquire('b', 'b1'), acquire('b', 'b2')];
    const a1 = await (begun[0] as Promise<() => void>);
    first[0]?.();
    const b1 = await (begun[2] as Promise<() => void>);
    a1();
    a1();
    b1();
    await Promise.all(begun);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(semaphore.waiting()).toBe(0);
  });

  it('refuses a waiter too many of one holder, or of all, and takes later ones again', async () => {
    const semaphore = createFairSemaphore(1, { perHolder: 2, total: 3 });
    const release = await semaphore.acquire('a');
    const waiting = ['a', 'a', 'b'].map((holder) => semaphore.run(holder, () => Promise.resolve(holder)));
    const refused = { code: 'unavailable', retryAfter: 10 };
    await expect(semaphore.acquire('a')).rejects.toMatchObject(refused);
    await expect(semaphore.acquire('c')).rejects.toMatchObject(refused);
    release();
    expect(await Promise.all(waiting)).toEqual(['a', 'a', 'b']);
    (await semaphore.acquire('c'))();
    expect(semaphore.waiting()).toBe(0);
  });
});
