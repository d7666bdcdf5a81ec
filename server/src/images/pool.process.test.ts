import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharpProgram } from './create-decoder.ts';
import { Refusal } from '../lib/errors.ts';
import { NotAPhoto, type Asker } from './decoder.ts';
import { cpuMs, wasKeptWaiting } from './child.ts';
import { createPool, type Pool, type PoolOptions, type Priority } from './pool.ts';
import { launchOf, sandboxWorks } from './sandbox.ts';

const MIB = 1024 * 1024;
const launch = launchOf(sharpProgram, sandboxWorks(sharpProgram));
const task = { edge: 400, maxPixels: 200_000_000, maxDecodedPixels: 64_000_000 };
const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
  .jpeg()
  .toBuffer();
/** Takes its decoder longer than the time between two looks at it. */
const large = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: 'red' } })
  .png({ compressionLevel: 1 })
  .toBuffer();
const log = { error: vi.fn() };
const boundless = { timeMs: 20_000, cpuMs: () => Infinity, memoryBytes: 1000 * MIB };
const small = { ...boundless, cpuMs: (pixels: number) => (pixels > 1_000_000 ? -1 : Infinity) };

let pool: Pool;
afterEach(() => pool.close());

function open(options: Partial<PoolOptions> = {}): void {
  pool = createPool({
    launch,
    size: 1,
    limits: boundless,
    recycle: { jobs: 100, memoryBytes: 1000 * MIB, refused: false },
    idleMs: 60_000,
    eager: true,
    log,
    ...options,
  });
}

function decode(
  source: () => AsyncIterable<Uint8Array> = () => whole(photo),
  size = photo.length,
  {
    priority = 'normal',
    owner = '',
    network,
    device,
    maxAnswerBytes = MIB,
    signal,
  }: { priority?: Priority; maxAnswerBytes?: number } & Partial<Asker> = {},
) {
  return pool.run({ priority, owner, network, device, signal, task, source, size, maxAnswerBytes, use: ({ header }) => header });
}

async function* whole(bytes: Uint8Array) {
  yield bytes;
}

/** Half of the photo, then something happens, then the other half. */
async function* interrupted(happens: () => void | Promise<void>) {
  yield photo.subarray(0, 100);
  await happens();
  yield photo.subarray(100);
}

/** To all processes; bwrap tells their ids a moment after they are ready. */
const signal = (name: NodeJS.Signals) => async () => {
  await expect.poll(() => pool.pids()).not.toEqual([]);
  for (const pid of pool.pids()) process.kill(pid, name);
};

/** The large photo, whose decoder is held for good once it had `usedMs` of a core for it, as if others had the core from then on. */
async function* heldAfter(usedMs: number) {
  const [pid = 0] = pool.pids();
  const before = cpuMs(pid);
  const looks = setInterval(() => {
    const used = cpuMs(pid) - before;
    if (used >= 0 && used < usedMs) return;
    clearInterval(looks);
    if (used >= usedMs) process.kill(pid, 'SIGSTOP');
  }, 5);
  yield large;
}

const decoded = expect.objectContaining({ type: 'image/jpeg', width: 64, height: 48 });

describe('a pool of decoder processes', () => {
  it('gives a photo whose process was killed a second one', async () => {
    open();
    let calls = 0;
    const header = await decode(() => (++calls === 1 ? interrupted(signal('SIGKILL')) : whole(photo)));
    expect(header).toEqual(decoded);
    expect(calls).toBe(2);
  });

  it('decodes under the permission model alone where there is no sandbox', async () => {
    open({ launch: launchOf(sharpProgram, false) });
    expect(await decode()).toEqual(decoded);
    expect(pool.pids().length).toBe(1);
  });

  it('leaves the cores to the server where both want them', async () => {
    open({ launch: launchOf(sharpProgram, false) });
    await decode();
    expect(pool.pids().map((pid) => getPriority(pid))).toEqual([expect.toSatisfy((nice: number) => nice > getPriority())]);
  });

  it('refuses a photo that ends its process twice, and takes the next', async () => {
    // In a namespace of its own, a process would not take this signal from outside.
    open({ launch: launchOf(sharpProgram, false) });
    let calls = 0;
    const source = () => {
      calls++;
      return interrupted(signal('SIGSEGV'));
    };
    await expect(decode(source)).rejects.toThrow(NotAPhoto);
    expect(calls).toBe(2);
    expect(await decode()).toEqual(decoded);
  });

  it.each([true, false])(
    'does not blame a photo whose process the system killed twice, but asks to come again, and takes the next (isolated: %s)',
    async (isolated) => {
      open({ launch: isolated ? launch : launchOf(sharpProgram, false) });
      let calls = 0;
      const source = () => {
        calls++;
        return interrupted(signal('SIGKILL'));
      };
      const error = await decode(source).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Refusal);
      expect(error).toMatchObject({ code: 'unavailable', retryAfter: 10 });
      expect(calls).toBe(2);
      expect(await decode()).toEqual(decoded);
    },
  );

  it('takes no answer that is larger than it may be, and takes the next photo', async () => {
    open();
    await expect(decode(undefined, undefined, { maxAnswerBytes: 100 })).rejects.toThrow('answers nonsense');
    expect(await decode()).toEqual(decoded);
  });

  it('survives the death of an idle process', async () => {
    open();
    await decode();
    await signal('SIGKILL')();
    expect(await decode()).toEqual(decoded);
  });

  it('ends a process that hangs, refuses its photo, and takes the next', async () => {
    open({ limits: { ...boundless, timeMs: 3000 } });
    await decode();
    const [hanging] = pool.pids();
    await expect(decode(() => interrupted(signal('SIGSTOP')))).rejects.toThrow('takes too long');
    expect(await decode()).toEqual(decoded);
    expect(pool.pids()).not.toContain(hanging);
  });

  it('blames the machine and not the photo where others keep its process waiting until the time ends', async () => {
    open({ limits: { ...boundless, timeMs: 2000 } });
    await decode();
    await expect(decode(() => heldAfter(100), large.length)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('tells a process that others kept waiting from one that hangs, and from one that is slow by itself', () => {
    expect([0, 20, 200, 900, 1000].map((cpuMs) => wasKeptWaiting(cpuMs, 1000))).toEqual([false, false, true, false, false]);
  });

  it('ends a process that takes too much memory, refuses its photo, and takes the next', async () => {
    open({ limits: { ...boundless, memoryBytes: 200 * MIB } });
    // Interlaced, so that all of its 192 MB must be held at once.
    const huge = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: 'red' } })
      .png({ progressive: true })
      .toBuffer();
    await expect(decode(() => whole(huge), huge.length)).rejects.toThrow('too much memory');
    expect(await decode()).toEqual(decoded);
  });

  it('passes on what the source throws, and takes the next photo', async () => {
    open();
    const broken = () =>
      interrupted(() => {
        throw new RangeError('the store is away');
      });
    await expect(decode(broken)).rejects.toThrow(RangeError);
    expect(await decode()).toEqual(decoded);
  });

  it('passes on what the source throws before its first byte, at no cost of a process', async () => {
    open();
    await decode();
    const before = pool.pids();
    const absent = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array();
      throw new RangeError('the store is away');
    };
    for (let n = 0; n < 4; n++) await expect(decode(absent)).rejects.toThrow(RangeError);
    expect(pool.pids()).toEqual(before);
    expect(await decode()).toEqual(decoded);
  });

  it.each([photo.length - 1, photo.length + 1])(
    'refuses a source of another size than announced, without blaming the photo (%i)',
    async (size) => {
      open();
      const error = await decode(() => whole(photo), size).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(NotAPhoto);
      expect(await decode()).toEqual(decoded);
    },
  );

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

  /** A job that keeps the only process busy from `reading` until `finish`. */
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

  /** Photos of these askers that wait for `busy`, in the order in which they are taken then. */
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

  /** A photo of this asker is killed for the time that it takes. */
  const offend = (asker: Partial<Asker>) => expect(decode(() => whole(large), large.length, asker)).rejects.toThrow('takes too long');

  it('takes photos of a device of which one took too long behind all others of its event', async () => {
    open({ limits: small });
    const bad = { owner: 'feast', network: 'n1', device: 'bad' };
    await offend(bad);
    const late = ['n1', 'n2', 'n2'].map((network, n) => ({ owner: 'feast', network, device: `good ${n}` }));
    expect((await orderOf(occupy('feast'), [bad, ...late, bad, ...late])).slice(-2)).toEqual(['bad', 'bad']);
    // Others have no part in the quarrels of an event.
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

  it('replaces a process after its number of jobs', async () => {
    open({ recycle: { jobs: 2, memoryBytes: 1000 * MIB, refused: false } });
    await decode();
    const before = pool.pids();
    await decode();
    expect(pool.pids()).toEqual(before);
    await decode();
    expect(pool.pids()).not.toEqual(before);
  });

  it('starts no process before the first job, and ends it when there is nothing to do, if told so', async () => {
    open({ idleMs: 50, eager: false });
    expect(pool.pids()).toEqual([]);
    await decode();
    await expect.poll(() => pool.pids()).toEqual([]);
    expect(await decode()).toEqual(decoded);
  });

  it('rejects waiting jobs when no process can be started', async () => {
    open({ launch: { ...launch, command: '/nowhere/bwrap' } });
    await expect(decode()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 10 });
    expect(log.error).toHaveBeenCalled();
    expect(pool.failing()).toBe(true);
  });

  it('does not count as failing while one of its processes works, though no further one can be started', async () => {
    const breaking = { ...launch };
    open({ launch: breaking, size: 2, eager: false });
    const reading = Promise.withResolvers<void>();
    const more = Promise.withResolvers<void>();
    const held = decode(() =>
      interrupted(() => {
        reading.resolve();
        return more.promise;
      }),
    );
    await reading.promise;
    breaking.command = '/nowhere/bwrap';
    log.error.mockClear();
    const next = decode();
    await expect.poll(() => log.error.mock.calls.length).toBeGreaterThan(0);
    expect(pool.failing()).toBe(false);
    more.resolve();
    expect([await held, await next]).toEqual([decoded, decoded]);
    expect(pool.failing()).toBe(false);
    await signal('SIGKILL')();
    await expect.poll(() => pool.failing()).toBe(true);
  });

  it('outlives a time without free file descriptors, and starts processes again afterwards', async () => {
    const script = join(import.meta.dirname, 'testing/no-descriptors.fixture.ts');
    const { stdout } = await promisify(execFile)('bash', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, script]);
    expect(stdout.trim().split('\n')).toEqual(['without: unavailable', 'with: image/jpeg']);
  });

  it('replaces a process that refused a photo before another event’s photo, but not before the same one’s', async () => {
    open();
    const broken = () => decode(() => whole(Buffer.from('kein Bild')), 9, { owner: 'a' });
    await expect(broken()).rejects.toThrow(NotAPhoto);
    const [suspect] = pool.pids();
    expect(await decode(undefined, undefined, { owner: 'a' })).toEqual(decoded);
    expect(pool.pids()).toEqual([suspect]);
    expect(await decode(undefined, undefined, { owner: 'b' })).toEqual(decoded);
    expect(pool.pids()).not.toContain(suspect);
  });

  it('rejects what runs and what waits when it is closed, and ends its processes', async () => {
    open({ size: 1 });
    const reading = Promise.withResolvers<void>();
    const running = decode(() =>
      interrupted(() => {
        reading.resolve();
        return new Promise<void>(() => {});
      }),
    );
    const waiting = decode();
    await reading.promise;
    const outcomes = Promise.allSettled([running, waiting]);
    const pids = pool.pids();
    await pool.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(pids.length).toBe(1);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(decode()).rejects.toThrow('closed');
  });
});
