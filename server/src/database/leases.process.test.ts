import { setTimeout } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Unavailable } from '../lib/errors.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { withLease } from './leases.ts';
import { openDatabase, type Db } from './open.ts';
import { engines } from './testing.ts';

describe.each(engines())('leases on $name', (engine) => {
  let db: Db;
  beforeAll(async () => {
    db = await engine.open();
  });
  afterAll(() => engine.dispose());

  const rowOf = (name: string) =>
    db.kysely.selectFrom('leases').select(['expires_at', 'holder', 'ran_at']).where('name', '=', name).executeTakeFirst();

  it('gives a lease to exactly one of many, and to nobody twice', async () => {
    let running = 0;
    const losers: unknown[] = [];
    let everybodyElseIsDone: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (everybodyElseIsDone = resolve));
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        // Three nodes try twice each.
        const answer = await withLease(db, { name: 'once', holder: `node-${n % 3}`, duration: 60_000 }, async () => {
          expect(++running).toBe(1);
          await gate;
          return 'mine';
        });
        if (answer === undefined && losers.push(n) === 5) everybodyElseIsDone();
        return answer;
      }),
    );
    expect(answers.filter((answer) => answer === 'mine')).toHaveLength(1);
    expect(await rowOf('once')).toMatchObject({ expires_at: 0 });
  });

  it('takes the lease of a crashed node over when its time is up, by the database’s clock', async () => {
    const attempt = () => withLease(db, { name: 'stuck', holder: 'other', duration: 60_000 }, async () => 'done');
    await db.kysely
      .insertInto('leases')
      .values({ name: 'stuck', holder: 'crashed', expires_at: Date.now() + 50_000 })
      .execute();
    expect(await attempt()).toBeUndefined();
    for (const expired of [Date.now() - 1, Date.now() + 24 * 60 * 60 * 1000]) {
      await db.kysely.updateTable('leases').set({ holder: 'crashed', expires_at: expired }).where('name', '=', 'stuck').execute();
      expect(await attempt()).toBe('done');
    }
  });

  it('keeps a lease as long as the work goes on, however long that is', async () => {
    const held = { name: 'long', holder: 'a', duration: 3000 };
    let others = 0;
    const work = async (signal: AbortSignal): Promise<boolean> => {
      others = 0;
      const begun = (await rowOf(held.name))!.expires_at;
      const renewed = async (): Promise<boolean> => signal.aborted || (await rowOf(held.name))!.expires_at > begun + held.duration / 2;
      await expect.poll(renewed).toBe(true);
      await withLease(db, { ...held, holder: 'b' }, async () => others++);
      return !signal.aborted;
    };
    // If this process stands still for three seconds, it rightly loses its lease: try again.
    await expect.poll(() => withLease(db, held, work)).toBe(true);
    expect(others).toBe(0);
    expect(await withLease(db, { ...held, holder: 'b' }, async () => 'free')).toBe('free');
  });

  it('aborts the signal of work that has lost its lease', async () => {
    const held = { name: 'lost', holder: 'a', duration: 300 };
    await withLease(db, held, async (signal) => {
      await db.kysely
        .updateTable('leases')
        .set({ holder: 'b', expires_at: Date.now() + 60_000 })
        .where('name', '=', 'lost')
        .execute();
      await expect.poll(() => signal.aborted).toBe(true);
    });
    expect(await rowOf('lost')).toMatchObject({ holder: 'b', ran_at: null });
  });

  it.runIf(engine.name === 'postgres')(
    'tells work that its lease ended before another node can have it, where the database is silent',
    async () => {
      const url = new URL(engine.location(db).url as string);
      const line = await tcpProxy(Number(url.port));
      url.port = String(line.port);
      const far = await openDatabase({ url: url.href, file: '' }, { schema: 'require', statementMs: 2000 });
      // On a slow line the lease has begun long before its holder hears of it.
      const transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
        await setTimeout(500);
        return result;
      };
      const late = far.kysely.withPlugin({ transformQuery: ({ node }) => node, transformResult });
      const held = { name: 'silent', duration: 3600 };
      const done = Promise.withResolvers<void>();
      let signal: AbortSignal | undefined;
      const working = withLease({ ...far, kysely: late }, { ...held, holder: 'a' }, async (given) => {
        signal = given;
        await done.promise;
      }).catch((error: unknown) => error);
      await expect.poll(() => signal).toBeDefined();
      line.silence();
      line.silenceNew(true);
      let ended: boolean | undefined;
      const seen = async (): Promise<boolean> => {
        // Both nodes are this process: after a standstill its timers are handled behind the database's answer, in the order of their times.
        await setTimeout(1);
        return signal?.aborted === true;
      };
      while (ended === undefined) ended = await withLease(db, { ...held, holder: 'b' }, seen);
      expect(ended).toBe(true);
      done.resolve();
      expect(await working).toBeInstanceOf(Unavailable);
      await far.close();
      await line.close();
    },
  );

  it('gives a lease for regular work once in its time, also to others, and again at once where the work failed', async () => {
    const regular = { name: 'hourly', duration: 60_000, every: 60_000 };
    const failing = withLease(db, { ...regular, holder: 'a' }, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await withLease(db, { ...regular, holder: 'a' }, async () => 'done')).toBe('done');
    for (const holder of ['a', 'b']) expect(await withLease(db, { ...regular, holder }, async () => 'again')).toBeUndefined();
    expect(await withLease(db, { ...regular, holder: 'b', every: 0 }, async () => 'asked for')).toBe('asked for');
    await db.kysely
      .updateTable('leases')
      .set({ ran_at: Date.now() - 61_000 })
      .where('name', '=', 'hourly')
      .execute();
    expect(await withLease(db, { ...regular, holder: 'b' }, async () => 'later')).toBe('later');
  });
});
