import { describe, expect, it, vi } from 'vitest';
import type { Asker } from './decoder.ts';
import type { Priority } from './pool.ts';
import { boundless, dear, decoded, heldWhole, interrupted, large, MIB, photo, small, task, usePool, whole } from './testing/pool.ts';

const { pool, open, decode } = usePool();

describe('a pool of decoder processes', () => {
  it('takes what has begun first, then in order, and background jobs last; reads none before its process is free', async () => {
    open();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const add = (name: string, priority: Priority) =>
      decode(
        () => {
          order.push(name);
          return whole(photo);
        },
        photo.length,
        { priority },
      );
    const running = decode(() =>
      interrupted(() => {
        reading.resolve();
        return gate.promise;
      }),
    );
    await reading.promise;
    const all = [add('background', 'background'), add('normal 1', 'normal'), add('normal 2', 'normal'), add('continued', 'continued')];
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([running, ...all]);
    expect(order).toEqual(['continued', 'normal 1', 'normal 2', 'background']);
  });

  /** Starts a job that keeps the only process busy from `reading` until `finish`. */
  function occupy(owner: string) {
    const gate = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const happens = () => {
      reading.resolve();
      return gate.promise;
    };
    return { running: decode(() => interrupted(happens), photo.length, { owner }), reading: reading.promise, finish: gate.resolve };
  }

  it('lets one owner’s jobs wait for each other, not the others’', async () => {
    open();
    const order: string[] = [];
    const busy = occupy('many');
    await busy.reading;
    const add = (owner: string) =>
      decode(
        () => {
          order.push(owner);
          return whole(photo);
        },
        photo.length,
        { owner },
      );
    const all = [...Array.from({ length: 5 }, () => add('many')), add('few')];
    busy.finish();
    await Promise.all([busy.running, ...all]);
    expect(order).toEqual(['few', 'many', 'many', 'many', 'many', 'many']);
  });

  /** Queues photos of these askers behind `busy`; returns the order in which they are taken. */
  async function orderOf(busy: ReturnType<typeof occupy>, askers: (Partial<Asker> & { priority?: Priority })[]) {
    await busy.reading;
    const order: string[] = [];
    const all = askers.map((asker) => {
      const source = () => {
        order.push(asker.device ?? asker.owner ?? '');
        return whole(photo);
      };
      return decode(source, photo.length, asker);
    });
    busy.finish();
    await Promise.all([busy.running, ...all]);
    return order;
  }

  it('shares an event’s time by network and device', async () => {
    open();
    const many = Array.from({ length: 4 }, () => ({ owner: 'feast', network: 'n1', device: 'many' }));
    const others = ['n1', 'n2', 'n3'].map((network) => ({ owner: 'feast', network, device: `few ${network}` }));
    expect((await orderOf(occupy('feast'), [...many, ...others])).indexOf('many', 1)).toBeGreaterThan(3);
  });

  /** Sends a photo of this asker that is killed for its time. */
  const offend = (asker: Partial<Asker>) => expect(decode(() => whole(large), large.length, asker)).rejects.toThrow('takes too long');

  it('takes photos of a device of which one took too long behind all others of its event', async () => {
    open({ limits: small });
    const bad = { owner: 'feast', network: 'n1', device: 'bad' };
    await offend(bad);
    const late = ['n1', 'n2', 'n2'].map((network, n) => ({ owner: 'feast', network, device: `good ${n}` }));
    expect((await orderOf(occupy('feast'), [bad, ...late, bad, ...late])).slice(-2)).toEqual(['bad', 'bad']);
    // Slow devices of one event do not delay other events.
    const [first, second] = await orderOf(occupy('feast'), [...late, bad, { owner: 'other', device: 'other' }]);
    expect([first, second]).toContain('other');
  });

  it('leaves a process to the other events where a photo of one took too long', async () => {
    open({ size: 2, limits: small });
    await offend({ owner: 'feast', device: 'bad' });
    const begun = vi.fn();
    const [one, two] = [occupy('feast'), decode(() => (begun(), whole(photo)), photo.length, { owner: 'feast', priority: 'background' })];
    await one.reading;
    expect(await decode(undefined, undefined, { owner: 'other' })).toEqual(decoded);
    expect(begun).not.toHaveBeenCalled();
    one.finish();
    expect(await two).toEqual(decoded);
    await one.running;
  });

  it('leaves a process to all others where photos of several devices took long', async () => {
    open({ size: 2, slowMs: 10 });
    await expect.poll(() => pool.pids().length).toBe(2);
    const slow = ['one', 'two'].map((device) => ({ owner: 'feast', network: 'n1', device }));
    for (const asker of slow) await decode(() => whole(large), large.length, asker);
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const held = (device: string) => (begun.push(device), interrupted(() => gate.promise));
    const all = slow.map((asker) => decode(() => held(asker.device), photo.length, asker));
    expect(await decode(undefined, undefined, { owner: 'feast', network: 'n1', device: 'other' })).toEqual(decoded);
    expect(begun).toHaveLength(1);
    gate.resolve();
    expect(await Promise.all(all)).toEqual([decoded, decoded]);
  });

  it('leaves a process to all others where the headers of pictures say that they are dear, the first of their devices too', async () => {
    open({ size: 2 });
    await expect.poll(() => pool.pids().length).toBe(2);
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const all = ['one', 'two', 'three'].map((device) => {
      let reads = 0;
      // The decoder reads the header first and, in a turn of its own, the picture, which is held here.
      const source = () => (++reads === 1 ? whole(dear) : (begun.push(device), heldWhole(dear, gate.promise)));
      return decode(source, dear.length, { owner: 'feast', network: 'n1', device });
    });
    await expect.poll(() => begun.length).toBe(1);
    expect(await decode(undefined, undefined, { owner: 'feast', network: 'n1', device: 'form' })).toEqual(decoded);
    expect(begun).toHaveLength(1);
    gate.resolve();
    expect(await Promise.all(all)).toEqual(Array(3).fill(expect.objectContaining({ width: 9000, height: 7000 })));
  });

  it('measures a photo by the time of the cores, and a larger one by more', async () => {
    const asked: number[] = [];
    open({ limits: { ...boundless, cpuMs: (pixels) => (asked.push(pixels), pixels === 6000 * 6000 ? -1 : Infinity) } });
    await expect(decode(() => whole(large), large.length)).rejects.toThrow('takes too long');
    expect(asked.at(-1)).toBe(6000 * 6000);
    expect(await decode(undefined, undefined, { owner: 'other' })).toEqual(decoded);
  });

  it('drops a waiting job whose signal is aborted, with the reason and unread, but not one that has begun', async () => {
    open();
    const controller = new AbortController();
    const { signal } = controller;
    const busy = occupy('');
    await busy.reading;
    const source = vi.fn(() => whole(photo));
    const waiting = decode(source, photo.length, { signal });
    expect(pool.waiting()).toBe(1);
    controller.abort(new RangeError('gone'));
    expect(pool.waiting()).toBe(0);
    await expect(waiting).rejects.toThrow(RangeError);
    await expect(decode(source, photo.length, { signal })).rejects.toThrow(RangeError);
    busy.finish();
    expect(await busy.running).toEqual(decoded);
    expect(source).not.toHaveBeenCalled();

    const late = new AbortController();
    const begun = decode(() => interrupted(() => late.abort()), photo.length, { signal: late.signal });
    expect(await begun).toEqual(decoded);
  });

  it('keeps a process busy until its answer is used', async () => {
    open();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let second = false;
    const running = pool.run({
      priority: 'normal',
      owner: '',
      task,
      source: () => whole(photo),
      size: photo.length,
      maxAnswerBytes: MIB,
      async use() {
        reached.resolve();
        await gate.promise;
        return second;
      },
    });
    const next = decode(() => {
      second = true;
      return whole(photo);
    });
    await reached.promise;
    gate.resolve();
    expect(await running).toBe(false);
    await next;
  });
});
