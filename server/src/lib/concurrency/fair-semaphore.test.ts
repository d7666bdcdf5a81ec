import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Owner } from './fair-queue.ts';
import { createFairSemaphore, type FairSemaphore } from './fair-semaphore.ts';

const REFUSED = { code: 'unavailable', retryAfter: 10 };
const give = (place: Disposable | undefined): void => place?.[Symbol.dispose]();

/** Requests places one after the other. Resolves to those granted at once. */
async function ask(semaphore: FairSemaphore, holder: string, count: number): Promise<Disposable[]> {
  const got: Disposable[] = [];
  for (let i = 0; i < count; i++) void semaphore.acquire([holder]).then((place) => got.push(place));
  await new Promise((resolve) => setImmediate(resolve));
  return got;
}

describe('a fair semaphore', () => {
  it('lets as many in as there are places, and the others in their order', async () => {
    const semaphore = createFairSemaphore(2);
    const inside: number[] = [];
    const first = await semaphore.acquire();
    const second = await semaphore.acquire();
    const others = [3, 4].map((n) => semaphore.acquire().then((place) => (inside.push(n), place)));
    await Promise.resolve();
    expect(inside).toEqual([]);
    give(first);
    give(first);
    await others[0];
    expect(inside).toEqual([3]);
    give(second);
    await others[1];
    expect(inside).toEqual([3, 4]);
  });

  it('takes the place back when the work fails', async () => {
    const semaphore = createFairSemaphore(1);
    await expect(semaphore.run([], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await semaphore.run([], () => Promise.resolve('next'))).toBe('next');
  });

  it('leaves room for others, however much a holder asks for', async () => {
    const semaphore = createFairSemaphore(90);
    const taken: number[] = [];
    for (const holder of ['a', 'b', 'c']) taken.push((await ask(semaphore, holder, 200)).length);
    expect(taken).toEqual([60, 20, 7]);
    expect((await ask(semaphore, 'late', 1)).length).toBe(1);
    expect(semaphore.waiting()).toBe(600 - 87);
  });

  it('gives each free place once, to the holders in turn', async () => {
    const semaphore = createFairSemaphore(1);
    const order: string[] = [];
    const first = await semaphore.acquire(['first']);
    const acquire = (holder: string, name: string) => semaphore.acquire([holder]).then((place) => (order.push(name), place));
    const begun = [acquire('a', 'a1'), acquire('a', 'a2'), acquire('b', 'b1'), acquire('b', 'b2')];
    const [a1, a2, b1, b2] = begun;
    give(first);
    give(first);
    for (const next of [a1, b1, a2, b2]) give(await next);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(semaphore.waiting()).toBe(0);
  });

  it('gives a free place to the network that has the fewest, then to the device that has the fewest', async () => {
    const semaphore = createFairSemaphore(({ length }) => [6, Infinity, Infinity, 2][length] as number);
    const admitted: string[] = [];
    const acquire = async (network: string, device: string): Promise<Disposable> => {
      const place = await semaphore.acquire(['e', network, device]);
      admitted.push(`${network} ${device}`);
      return place;
    };
    const held = [acquire('a', '1'), acquire('a', '1'), acquire('a', '2'), acquire('a', '3')];
    await Promise.all(held);
    const waiting = [acquire('a', '2'), acquire('a', '4'), acquire('b', '5')];
    expect(semaphore.waiting()).toBe(3);
    for (const place of held) give(await place);
    await Promise.all(waiting);
    expect(admitted.slice(4)).toEqual(['b 5', 'a 4', 'a 2']);
  });

  it('forgets waiters whose client has left', async () => {
    const semaphore = createFairSemaphore(1);
    const gone = new AbortController();
    const held = await semaphore.acquire(['e', 'a'], gone.signal);
    const waiting = semaphore.acquire(['e', 'b'], gone.signal);
    expect(semaphore.waiting()).toBe(1);
    gone.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(semaphore.waiting()).toBe(0);
    give(held);
    await expect(semaphore.acquire(['e', 'b'], gone.signal)).rejects.toThrow('left');
    give(await semaphore.acquire(['e', 'b']));
  });

  it('never gives more places than there are, to all or to one, and leaves none unused that somebody waits for', async () => {
    const moves = fc.array(fc.record({ event: fc.nat(2), device: fc.nat(2), ends: fc.nat(3) }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3 }), async (steps, places, each) => {
        const semaphore = createFairSemaphore(({ length }) => (length === 2 ? each : length === 1 ? Infinity : places));
        const held: { owner: Owner; place: Disposable }[] = [];
        let asked = 0;
        const count = (depth: number, name: string): number => held.filter(({ owner }) => owner.slice(0, depth).join() === name).length;
        for (const { event, device, ends } of steps) {
          const owner = [`${event}`, `${device}`];
          asked += 1;
          void semaphore.acquire(owner).then((place) => held.push({ owner, place }));
          await new Promise((resolve) => setImmediate(resolve));
          expect(held.length).toBeLessThanOrEqual(places);
          expect(Math.max(0, ...held.map((one) => count(2, one.owner.join())))).toBeLessThanOrEqual(each);
          for (const { place } of held.splice(0, ends)) give(place);
          await new Promise((resolve) => setImmediate(resolve));
        }
        while (held.length > 0) {
          for (const { place } of held.splice(0)) give(place);
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect([semaphore.waiting(), asked]).toEqual([0, steps.length]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a fair semaphore with places for each owner', () => {
  const eachHas = (places: number) => (owner: Owner) => (owner.length === 0 ? Infinity : places);

  it('lets so many of an owner run at the same time, in order, and those of another beside them', async () => {
    const semaphore = createFairSemaphore(eachHas(2));
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (key: string, name: string): Promise<void> =>
      semaphore.run([key], () => {
        started.push(name);
        return new Promise((resolve) => ends.push(resolve));
      });
    const all = [begin('a', 'a1'), begin('a', 'a2'), begin('a', 'a3'), begin('a', 'a4'), begin('b', 'b1')];
    await expect.poll(() => started).toEqual(['a1', 'a2', 'b1']);
    ends.shift()?.();
    await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'a3']);
    while (started.length < 4 || ends.length > 0) {
      ends.shift()?.();
      await Promise.resolve();
    }
    await expect.poll(() => started).toHaveLength(5);
    ends.shift()?.();
    await Promise.all(all);
  });

  it('rejects what waits too long, and loses no place by that', async () => {
    const semaphore = createFairSemaphore(eachHas(1), { maxWaitMs: 20 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = semaphore.run(['a'], () => promise);
    let ran = false;
    await expect(semaphore.run(['a'], async () => void (ran = true))).rejects.toMatchObject(REFUSED);
    expect(ran).toBe(false);
    resolve();
    await first;
    expect(await semaphore.run(['a'], async () => 'in turn')).toBe('in turn');
  });

  it('is a mutex with one place: runs the work of one owner in order, also after a failure, and lets others pass', async () => {
    const mutex = createFairSemaphore(eachHas(1));
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const work =
      (name: string, until: Promise<void> = Promise.resolve()) =>
      async () => {
        order.push(`${name} begins`);
        await until;
        order.push(`${name} ends`);
      };
    const failing = mutex.run(['a'], work('a1', first.promise));
    const next = mutex.run(['a'], work('a2'));
    await mutex.run(['b'], work('b1'));
    first.reject(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    await next;
    expect(order).toEqual(['a1 begins', 'b1 begins', 'b1 ends', 'a2 begins', 'a2 ends']);
  });
});

describe('a fair semaphore that shares time', () => {
  const SHARING = { share: 'time', newestFirst: true } as const;

  it('lets a newcomer go before a crowd that waits already, once what runs has ended', async () => {
    const semaphore = createFairSemaphore(1, SHARING);
    const order: string[] = [];
    const work = (name: string) => () => pause(2).then(() => void order.push(name));
    const crowd = Array.from({ length: 30 }, (_, n) => semaphore.run([`net${n}`, 'x'], work(`net${n}`)));
    await semaphore.run(['late', 'x'], work('late'));
    expect(order).toEqual(['net0', 'late']);
    await Promise.all(crowd);
    expect(order.length).toBe(31);
  });

  it('shares the time of a group among its members', async () => {
    const semaphore = createFairSemaphore(1, SHARING);
    const order: string[] = [];
    const work = (name: string) => () => pause(2).then(() => void order.push(name));
    const greedy = Array.from({ length: 10 }, (_, n) => semaphore.run(['home', 'greedy'], work(`greedy${n}`)));
    await semaphore.run(['home', 'modest'], work('modest'));
    expect(order).toEqual(['greedy0', 'modest']);
    await Promise.all(greedy);
  });

  it('refuses the last work of the owner with most waiting where too many wait, and takes the newcomer', async () => {
    const semaphore = createFairSemaphore(1, { ...SHARING, maxWaiting: 3 });
    const first = Promise.withResolvers<void>();
    const running = semaphore.run(['a'], () => first.promise);
    const greedy = [1, 2, 3].map((n) => semaphore.run(['a'], () => Promise.resolve(n)));
    const newcomer = semaphore.run(['b'], () => Promise.resolve('b'));
    await expect(greedy[2]).rejects.toMatchObject(REFUSED);
    first.resolve();
    expect(await Promise.all([running, newcomer, greedy[0], greedy[1]])).toEqual([undefined, 'b', 1, 2]);
  });

  it('refuses what has waited too long, and never runs it', async () => {
    const semaphore = createFairSemaphore(1, { ...SHARING, maxWaitMs: 20 });
    const first = Promise.withResolvers<void>();
    const running = semaphore.run(['a'], () => first.promise);
    let ran = false;
    await expect(semaphore.run(['b'], async () => void (ran = true))).rejects.toMatchObject(REFUSED);
    first.resolve();
    await running;
    expect(await semaphore.run(['b'], () => Promise.resolve('again'))).toBe('again');
    expect(ran).toBe(false);
  });
});
