import { describe, expect, it } from 'vitest';
import { createFairGate, type FairGate } from './fair-gate.ts';

/** Asks for places one after the other; how many it got, and the functions that leave them. */
async function ask(gate: FairGate, owner: string, count: number, most?: number): Promise<(() => void)[]> {
  const got: (() => void)[] = [];
  for (let i = 0; i < count; i++) void gate.enter(owner, most).then((leave) => got.push(leave));
  await new Promise((resolve) => setImmediate(resolve));
  return got;
}

describe('a fair gate', () => {
  it('leaves room for others, however much an owner asks for', async () => {
    const gate = createFairGate(90);
    const taken: number[] = [];
    for (const owner of ['a', 'b', 'c']) taken.push((await ask(gate, owner, 200)).length);
    expect(taken).toEqual([60, 20, 7]);
    expect((await ask(gate, 'late', 1)).length).toBe(1);
    expect(gate.waiting()).toBe(600 - 87);
  });

  it('lets an owner hold no more than told', async () => {
    const gate = createFairGate(90);
    const got = await ask(gate, 'a', 5, 2);
    expect(got.length).toBe(2);
    got[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(got.length).toBe(3);
    expect((await ask(gate, 'b', 5)).length).toBe(5);
  });

  it('gives what becomes free to those who wait, each in turn, and each place once', async () => {
    const gate = createFairGate(3);
    const order: string[] = [];
    const places = await ask(gate, 'first', 2);
    const enter = (owner: string, name: string) => gate.enter(owner, 1).then((leave) => (order.push(name), leave));
    const begun = [enter('a', 'a1'), enter('a', 'a2'), enter('b', 'b1'), enter('b', 'b2')];
    const a1 = await (begun[0] as Promise<() => void>);
    places[0]?.();
    const b1 = await (begun[2] as Promise<() => void>);
    a1();
    a1();
    b1();
    await Promise.all(begun);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(gate.waiting()).toBe(0);
  });

  it('sends away what is too much of one owner, or of all, and lets in again what comes later', async () => {
    const gate = createFairGate(1, { each: 2, all: 3 });
    const leave = await gate.enter('a');
    const waiting = ['a', 'a', 'b'].map((owner) => gate.enter(owner).then((done) => (done(), owner)));
    const refused = { code: 'unavailable', retryAfter: 10 };
    await expect(gate.enter('a')).rejects.toMatchObject(refused);
    await expect(gate.enter('c')).rejects.toMatchObject(refused);
    leave();
    expect(await Promise.all(waiting)).toEqual(['a', 'a', 'b']);
    (await gate.enter('c'))();
    expect(gate.waiting()).toBe(0);
  });
});
