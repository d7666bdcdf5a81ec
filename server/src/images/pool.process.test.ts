import { getPriority } from 'node:os';
import { describe, expect, it } from 'vitest';
import { sharpProgram } from './create-decoder.ts';
import { Refusal } from '../lib/errors.ts';
import { NotAPhoto } from './decoder.ts';
import { wasKeptWaiting } from './child.ts';
import { cpuMs } from './process-times.ts';
import { launchOf } from './sandbox.ts';
import { decoded, heldWhole, interrupted, large, launch, log, MIB, photo, usePool, whole } from './testing/pool.ts';

const { pool, open, decode, signal } = usePool();

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
    // A process in its own namespace would not take this signal from outside.
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

  it('tells a process that others kept waiting from one that hangs, and from one that is slow by itself', () => {
    expect([0, 20, 200, 900, 1000].map((cpuMs) => wasKeptWaiting(cpuMs, 0, 1000))).toEqual([false, false, true, false, false]);
    expect([0, 20, 200, 900, 1000].map((cpuMs) => wasKeptWaiting(cpuMs, 900, 1000))).toEqual([true, true, true, false, false]);
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

  const refused = (owner: string) => expect(decode(() => whole(Buffer.from('kein Bild')), 9, { owner })).rejects.toThrow(NotAPhoto);

  it('gives a process that refused a photo no photo of another event, but those of the same one', async () => {
    open();
    await refused('a');
    const [suspect = 0] = pool.pids();
    const before = cpuMs(suspect);
    expect(await decode(() => whole(large), large.length, { owner: 'a' })).toMatchObject({ width: 6000 });
    const used = cpuMs(suspect);
    expect(used).toBeGreaterThan(before);
    expect(await decode(() => whole(large), large.length, { owner: 'b' })).toMatchObject({ width: 6000 });
    if (pool.pids().includes(suspect)) expect(cpuMs(suspect) - used).toBeLessThan((used - before) / 2);
  });

  it('keeps a process ready for the other events where all refused a photo of one, and starts none for their photos', async () => {
    const breaking = { ...launch };
    open({ size: 2, launch: breaking });
    await expect.poll(() => pool.pids().length).toBe(2);
    const first = pool.pids();
    const gate = Promise.withResolvers<void>();
    const held = [1, 2].map(() => decode(() => heldWhole(photo, gate.promise), photo.length, { owner: 'a' }));
    await expect.poll(() => pool.waiting()).toBe(0);
    gate.resolve();
    await Promise.all(held);
    await Promise.all([refused('a'), refused('a')]);
    await expect.poll(() => pool.pids().length).toBe(3);
    breaking.command = '/nowhere/bwrap';
    for (let n = 0; n < 3; n++) expect(await decode(undefined, undefined, { owner: 'b' })).toEqual(decoded);
    expect(await decode(undefined, undefined, { owner: 'a' })).toEqual(decoded);
    expect(pool.pids()).toEqual(expect.arrayContaining(first));
  });

  it('works with no more processes at once for having one ready, and ends it once none is needed', async () => {
    open({ recycle: { jobs: 3, memoryBytes: 1000 * MIB, refused: false } });
    await refused('a');
    await expect.poll(() => pool.pids().length).toBe(2);
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const all = ['a', 'b'].map((owner) => decode(() => (begun.push(owner), heldWhole(photo, gate.promise)), photo.length, { owner }));
    await expect.poll(() => begun).toEqual(['a']);
    expect(pool.waiting()).toBe(1);
    gate.resolve();
    expect(await Promise.all(all)).toEqual([decoded, decoded]);
    // The third job of the suspect is its last one.
    expect(await decode(undefined, undefined, { owner: 'a' })).toEqual(decoded);
    await expect.poll(() => pool.pids().length).toBe(1);
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
