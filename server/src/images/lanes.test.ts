import { beforeEach, describe, expect, it } from 'vitest';
import { createLanes, type Lanes } from './lanes.ts';

let clock: number;
let lanes: Lanes<string>;
beforeEach(() => {
  clock = 0;
  lanes = createLanes(() => clock);
});

/** Begins and ends the next, which takes so many ms. */
function work(ms: number): string | undefined {
  const next = lanes.take();
  clock += ms;
  next?.done();
  return next?.work;
}

describe('lanes of work', () => {
  it('share the time, not the number', () => {
    for (let i = 1; i <= 3; i++) lanes.add('a', `a${i}`);
    for (let i = 1; i <= 20; i++) lanes.add('b', `b${i}`);
    const order: string[] = [];
    for (;;) {
      const next = lanes.take();
      if (!next) break;
      order.push(next.work);
      clock += next.work.startsWith('a') ? 100 : 10;
      next.done();
    }
    const between = order.slice(order.indexOf('a1') + 1, order.indexOf('a2'));
    expect(between).toEqual(Array.from({ length: 10 }, (_, i) => `b${i + 1}`));
    expect(order.length).toBe(23);
    expect(lanes.waiting()).toBe(0);
  });

  it('count what still runs', () => {
    lanes.add('a', 'a1');
    lanes.add('a', 'a2');
    lanes.take();
    clock += 5;
    lanes.add('b', 'b1');
    lanes.add('b', 'b2');
    expect([work(0), work(0), work(0)]).toEqual(['b1', 'b2', 'a2']);
  });

  it('are not forgiven by a pause', () => {
    lanes.add('a', 'a1');
    expect(work(1000)).toBe('a1');
    for (let i = 1; i <= 5; i++) lanes.add('b', `b${i}`);
    expect(work(10)).toBe('b1');
    lanes.add('a', 'a2');
    expect(Array.from({ length: 5 }, () => work(10))).toEqual(['b2', 'b3', 'b4', 'b5', 'a2']);
  });

  it('save nothing up while they have nothing to do', () => {
    for (let i = 1; i <= 9; i++) for (const lane of ['a', 'b']) lanes.add(lane, `${lane}${i}`);
    for (let i = 1; i <= 16; i++) work(100);
    for (let i = 1; i <= 9; i++) lanes.add('c', `c${i}`);
    const next = Array.from({ length: 5 }, () => work(100));
    expect(next).toEqual(expect.arrayContaining(['a9', 'b9', 'c1']));
  });

  it('give up what has not begun', () => {
    lanes.add('a', 'a1');
    lanes.add('a', 'a2');
    expect(work(1)).toBe('a1');
    expect([lanes.remove('a', 'a1'), lanes.remove('a', 'a2'), lanes.remove('b', 'b1')]).toEqual([false, true, false]);
    lanes.add('a', 'a3');
    expect(lanes.clear()).toEqual(['a3']);
    expect(work(1)).toBeUndefined();
  });
});
