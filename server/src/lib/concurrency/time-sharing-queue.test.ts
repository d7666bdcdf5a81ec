import { beforeEach, describe, expect, it } from 'vitest';
import { createTimeSharingQueue, type TimeSharingQueue } from './time-sharing-queue.ts';

let clock: number;
let queue: TimeSharingQueue<string>;
beforeEach(() => {
  clock = 0;
  queue = createTimeSharingQueue({ now: () => clock });
});

/** Begins and ends the next, which takes so many ms. */
function work(ms: number): string | undefined {
  const next = queue.take();
  clock += ms;
  next?.done();
  return next?.work;
}

describe('owners in a time-sharing queue', () => {
  it('share the time, not the number', () => {
    for (let i = 1; i <= 3; i++) queue.add(['a'], `a${i}`);
    for (let i = 1; i <= 20; i++) queue.add(['b'], `b${i}`);
    const order: string[] = [];
    for (;;) {
      const next = queue.take();
      if (!next) break;
      order.push(next.work);
      clock += next.work.startsWith('a') ? 100 : 10;
      next.done();
    }
    const between = order.slice(order.indexOf('a1') + 1, order.indexOf('a2'));
    expect(between).toEqual(Array.from({ length: 10 }, (_, i) => `b${i + 1}`));
    expect(order.length).toBe(23);
    expect(queue.waiting()).toBe(0);
  });

  it('count what still runs', () => {
    queue.add(['a'], 'a1');
    queue.add(['a'], 'a2');
    queue.take();
    clock += 5;
    queue.add(['b'], 'b1');
    queue.add(['b'], 'b2');
    expect([work(0), work(0), work(0)]).toEqual(['b1', 'b2', 'a2']);
  });

  it('get nothing back by a pause', () => {
    queue.add(['a'], 'a1');
    expect(work(1000)).toBe('a1');
    for (let i = 1; i <= 5; i++) queue.add(['b'], `b${i}`);
    expect(work(10)).toBe('b1');
    queue.add(['a'], 'a2');
    expect(Array.from({ length: 5 }, () => work(10))).toEqual(['b2', 'b3', 'b4', 'b5', 'a2']);
  });

  it('save nothing up while they have nothing to do', () => {
    for (let i = 1; i <= 9; i++) for (const owner of ['a', 'b']) queue.add([owner], `${owner}${i}`);
    for (let i = 1; i <= 16; i++) work(100);
    for (let i = 1; i <= 9; i++) queue.add(['c'], `c${i}`);
    const next = Array.from({ length: 5 }, () => work(100));
    expect(next).toEqual(expect.arrayContaining(['a9', 'b9', 'c1']));
  });

  it('stay behind a newcomer when they retry after a refusal', () => {
    queue = createTimeSharingQueue({ newestFirst: true, now: () => clock });
    for (const owner of ['refused', 'patient', 'first']) queue.add([owner], owner);
    expect(work(1)).toBe('first');
    expect(queue.removeExcess()).toBe('refused');
    queue.add(['newcomer'], 'newcomer');
    queue.add(['refused'], 'retry');
    expect(queue.removeExcess()).toBe('retry');
    queue.add(['refused'], 'retry');
    expect([work(1), work(1), work(1)]).toEqual(['newcomer', 'patient', 'retry']);
  });

  it('can take out what has not begun', () => {
    queue.add(['a'], 'a1');
    queue.add(['a'], 'a2');
    expect(work(1)).toBe('a1');
    expect([queue.remove(['a'], 'a1'), queue.remove(['a'], 'a2'), queue.remove(['b'], 'b1')]).toEqual([false, true, false]);
    queue.add(['a'], 'a3');
    expect(queue.clear()).toEqual(['a3']);
    expect(work(1)).toBeUndefined();
  });
});
