import { beforeEach, describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

let clock: number;
let queue: ReturnType<typeof createFairQueue<string>>;
let refused: string[];
beforeEach(() => {
  clock = 0;
  refused = [];
  queue = createFairQueue({ share: 'time', now: () => clock });
});

const add = (owner: string, work: string, signal?: AbortSignal): void => queue.add([owner], work, () => refused.push(work), signal);

/** Begins and ends the next work, which takes `ms`. */
function work(ms: number): string | undefined {
  const next = queue.take();
  clock += ms;
  next?.done();
  return next?.work;
}

describe('owners that share time in a queue', () => {
  it('share the time, not the number', () => {
    for (let i = 1; i <= 3; i++) add('a', `a${i}`);
    for (let i = 1; i <= 20; i++) add('b', `b${i}`);
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
    add('a', 'a1');
    add('a', 'a2');
    queue.take();
    clock += 5;
    add('b', 'b1');
    add('b', 'b2');
    expect([work(0), work(0), work(0)]).toEqual(['b1', 'b2', 'a2']);
  });

  it('get nothing back by a pause', () => {
    add('a', 'a1');
    expect(work(1000)).toBe('a1');
    for (let i = 1; i <= 5; i++) add('b', `b${i}`);
    expect(work(10)).toBe('b1');
    add('a', 'a2');
    expect(Array.from({ length: 5 }, () => work(10))).toEqual(['b2', 'b3', 'b4', 'b5', 'a2']);
  });

  it('save nothing up while they have nothing to do', () => {
    for (let i = 1; i <= 9; i++) for (const owner of ['a', 'b']) add(owner, `${owner}${i}`);
    for (let i = 1; i <= 16; i++) work(100);
    for (let i = 1; i <= 9; i++) add('c', `c${i}`);
    const next = Array.from({ length: 5 }, () => work(100));
    expect(next).toEqual(expect.arrayContaining(['a9', 'b9', 'c1']));
  });

  it('come last where they are told to: behind all others of their widest group, in any group, but not behind those of another', () => {
    queue = createFairQueue({ share: 'time', isLast: (owner) => owner.at(-1) === 'bad', now: () => clock });
    const queued = (owner: string[], name: string): void => queue.add(owner, name, () => {});
    queued(['a', 'home', 'bad'], 'bad 1');
    queued(['a', 'home', 'bad'], 'bad 2');
    queued(['a', 'home', 'good'], 'good');
    queued(['a', 'away', 'good'], 'away');
    expect([work(1), work(1), work(1)]).toEqual(['good', 'away', 'bad 1']);
    queued(['b', 'home', 'good'], 'b 1');
    queued(['b', 'home', 'good'], 'b 2');
    expect([work(9), work(9), work(9)].toSorted()).toEqual(['b 1', 'b 2', 'bad 2']);
    expect(work(1)).toBeUndefined();
  });

  it('stay behind a newcomer when they retry after a refusal', () => {
    queue = createFairQueue({ share: 'time', newestFirst: true, maxWaiting: 2, now: () => clock });
    add('first', 'first');
    expect(work(1)).toBe('first');
    for (const owner of ['refused', 'patient', 'newcomer']) add(owner, owner);
    expect(refused).toEqual(['refused']);
    add('refused', 'retry');
    expect(refused).toEqual(['refused', 'retry']);
    expect(work(1)).toBe('newcomer');
    add('refused', 'retry');
    expect([work(1), work(1), refused.length]).toEqual(['patient', 'retry', 2]);
  });

  it('can take out what has not begun', () => {
    const gone = [new AbortController(), new AbortController()] as const;
    add('a', 'a1', gone[0].signal);
    add('a', 'a2', gone[1].signal);
    expect(work(1)).toBe('a1');
    for (const controller of gone) controller.abort();
    expect(refused).toEqual(['a2']);
    add('a', 'a3');
    queue.clear(new Error('closed'));
    expect(refused).toEqual(['a2', 'a3']);
    expect(work(1)).toBeUndefined();
  });
});
