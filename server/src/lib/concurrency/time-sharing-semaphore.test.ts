import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTimeSharingSemaphore } from './time-sharing-semaphore.ts';

const REFUSED = { code: 'unavailable', retryAfter: 10 };
const PATIENT = { maxWaiting: 1000, maxWaitMs: 60_000 };

describe('a time-sharing semaphore', () => {
  it('lets a newcomer go before a crowd that waits already, once what runs has ended', async () => {
    const semaphore = createTimeSharingSemaphore(1, PATIENT);
    const order: string[] = [];
    const work = (name: string) => () => pause(2).then(() => void order.push(name));
    const crowd = Array.from({ length: 30 }, (_, n) => semaphore.run([`net${n}`, 'x'], work(`net${n}`)));
    await semaphore.run(['late', 'x'], work('late'));
    expect(order).toEqual(['net0', 'late']);
    await Promise.all(crowd);
    expect(order.length).toBe(31);
  });

  it('shares the time of a group among its members', async () => {
    const semaphore = createTimeSharingSemaphore(1, PATIENT);
    const order: string[] = [];
    const work = (name: string) => () => pause(2).then(() => void order.push(name));
    const greedy = Array.from({ length: 10 }, (_, n) => semaphore.run(['home', 'greedy'], work(`greedy${n}`)));
    await semaphore.run(['home', 'modest'], work('modest'));
    expect(order).toEqual(['greedy0', 'modest']);
    await Promise.all(greedy);
  });

  it('refuses the last of whoever has most waiting where too many wait, and takes the newcomer', async () => {
    const semaphore = createTimeSharingSemaphore(1, { ...PATIENT, maxWaiting: 3 });
    const first = Promise.withResolvers<void>();
    const running = semaphore.run(['a'], () => first.promise);
    const greedy = [1, 2, 3].map((n) => semaphore.run(['a'], () => Promise.resolve(n)));
    const newcomer = semaphore.run(['b'], () => Promise.resolve('b'));
    await expect(greedy[2]).rejects.toMatchObject(REFUSED);
    first.resolve();
    expect(await Promise.all([running, newcomer, greedy[0], greedy[1]])).toEqual([undefined, 'b', 1, 2]);
  });

  it('refuses what has waited too long, and never runs it', async () => {
    const semaphore = createTimeSharingSemaphore(1, { ...PATIENT, maxWaitMs: 20 });
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
