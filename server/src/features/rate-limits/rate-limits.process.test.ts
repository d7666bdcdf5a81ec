import { setTimeout as pause } from 'node:timers/promises';
import { DAY, FAILURES_KEPT, MINUTE } from '@feierbild/contract/constants.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { runsKind } from '../../testing/kinds.ts';
import { createRateLimits, type LimitKey, type LimitKind, type RateLimits } from './rate-limits.ts';
import { fail } from './testing.ts';

describe.each(enginesForRules())('limits on failures on $name', (engine) => {
  let db: Db;
  let now: number;
  const clock = { now: () => now };
  let limits: RateLimits;
  beforeEach(async () => {
    db = await engine.open();
    now = 1_790_000_000_000;
    limits = createRateLimits({ db, clock });
  });
  afterAll(() => engine.dispose());

  const failTimes = async (times: number, kind: LimitKind, ...key: LimitKey): Promise<boolean[]> => {
    const last: boolean[] = [];
    for (let n = 0; n < times; n++) last.push(await fail(limits, kind, ...key));
    return last;
  };
  const retryAfter = (kind: LimitKind, ...key: LimitKey): Promise<number | undefined> =>
    limits
      .serialized(kind, key, async () => undefined)
      .then(
        () => undefined,
        (error: unknown) => (error instanceof Refusal && error.code === 'too_many_attempts' ? error.retryAfter : Number.NaN),
      );

  it.each([
    ['login', 10, 10],
    ['event-password', 30, 10],
    ['event-code', 60, 1],
  ] as const)('of kind %s are %i in %i minutes, and say when it goes on', async (kind, count, minutes) => {
    await failTimes(count - 1, kind, 'key');
    expect(await retryAfter(kind, 'key')).toBeUndefined();
    now += 1000;
    expect(await fail(limits, kind, 'key')).toBe(true);
    expect(await retryAfter(kind, 'key')).toBe(minutes * 60 - 1);
    now += minutes * MINUTE - 1001;
    expect(await retryAfter(kind, 'key')).toBe(0.001);
    now += 1;
    expect(await retryAfter(kind, 'key')).toBeUndefined();
  });

  it('start anew after their window', async () => {
    await failTimes(10, 'login', 'key');
    now += 10 * MINUTE;
    expect(await failTimes(10, 'login', 'key')).toEqual([...Array.from({ length: 9 }, () => false), true]);
    expect(await retryAfter('login', 'key')).toBe(600);
  });

  it('are counted for each kind and key alone, however the key is cut', async () => {
    await failTimes(10, 'login', 'a', 'bc');
    expect(await retryAfter('login', 'a', 'bc')).toBe(600);
    expect(await retryAfter('login', 'ab', 'c')).toBeUndefined();
    expect(await retryAfter('login', 'a')).toBeUndefined();
    expect(await retryAfter('event-password', 'a', 'bc')).toBeUndefined();
  });

  it('lose no failure when nodes count at once', async () => {
    const nodes = [limits, createRateLimits({ db: await engine.again(db), clock })];
    const last = await Promise.all(Array.from({ length: 30 }, (_, n) => fail(nodes[n % 2] as RateLimits, 'event-password', 'key')));
    expect(last.filter(Boolean)).toHaveLength(1);
    expect(await db.kysely.selectFrom('failures').select('count').executeTakeFirst()).toMatchObject({ count: 30 });
  });

  /** More than may wait at both nodes; a whole attack takes ten seconds. */
  const GUESSES = runsKind('system') ? 10_000 : 2000;

  it('are not overrun by wrong guesses at two nodes at once, and refuse rather than let too many wait', async () => {
    const nodes = [limits, createRateLimits({ db: await engine.again(db), clock })];
    let tried = 0;
    const guess = (_: unknown, n: number) =>
      (nodes[n % 2] as RateLimits).serialized('event-password', ['key'], async (attempt) => {
        tried += 1;
        // Hashing takes as long: the other node goes on meanwhile.
        await pause(5);
        attempt.failed();
      });
    const results = await Promise.allSettled(Array.from({ length: GUESSES }, guess));
    expect([tried, results.filter(({ status }) => status === 'fulfilled').length]).toEqual([30, 30]);
    // The database itself refuses attempts that wait too long.
    const codeOf = (reason: unknown) => (reason instanceof Unavailable ? 'unavailable' : (reason as Refusal).code);
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [codeOf(result.reason)] : []));
    expect(new Set(codes)).toEqual(new Set(['unavailable', 'too_many_attempts']));
    expect(await retryAfter('event-password', 'key')).toBe(600);
  });

  it('count nothing that was right or broke off, however many come at once', async () => {
    await failTimes(29, 'event-password', 'key');
    const right = Array.from({ length: 200 }, () => limits.serialized('event-password', ['key'], async () => 'right'));
    expect(await Promise.all(right)).toEqual(Array.from({ length: 200 }, () => 'right'));
    await expect(limits.serialized('event-password', ['key'], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await failTimes(1, 'event-password', 'key')).toEqual([true]);
    await limits.serialized('event-password', ['new'], async () => 'right');
    expect(await db.kysely.selectFrom('failures').select('count').execute()).toEqual([{ count: 30 }]);
  });

  it('count nothing of right attempts that were interrupted, as by a killed process, and wrong ones beside them', async () => {
    await hang(10, 'key');
    // While these attempts may still fail, nobody can guess beside them.
    expect(await retryAfter('login', 'key')).toBe(90);
    now += 90_000;
    expect(await retryAfter('login', 'key')).toBeUndefined();
    expect(await limits.checkAhead('login', 'key')).toBe(true);
    expect(await failTimes(10, 'login', 'key')).toEqual([...Array.from({ length: 9 }, () => false), true]);
    expect(await retryAfter('login', 'key')).toBe(600);
  });

  it('count what was wrong where the window has ended meanwhile', async () => {
    await limits.serialized('login', ['key'], async (attempt) => {
      now += 11 * MINUTE;
      attempt.failed();
    });
    expect(await db.kysely.selectFrom('failures').select(['count', 'window_start', 'open']).execute()).toEqual([
      { count: 1, window_start: now, open: 0 },
    ]);
  });

  /** Attempts of processes that are killed in the middle; each was about to be right. */
  async function hang(times: number, ...key: LimitKey): Promise<void> {
    for (let n = 0; n < times; n++) {
      const begun = Promise.withResolvers<void>();
      const hung = createRateLimits({ db, clock }).serialized('login', key, () => (begun.resolve(), new Promise(() => undefined)));
      void hung.catch(() => undefined);
      await begun.promise;
    }
  }

  it.each([
    ['ten minutes', 10 * MINUTE],
    ['ten days', 10 * DAY],
  ])('keep nobody out for what a clock counted that was %s ahead, once it is right again', async (_, ahead) => {
    const right = now;
    now += ahead;
    await failTimes(10, 'login', 'key');
    await failTimes(10, 'login', 'nobody comes back');
    await hang(10, 'killed');
    expect([await retryAfter('login', 'key'), await retryAfter('login', 'killed')]).toEqual([600, 90]);
    now = right;
    expect(await limits.checkAhead('login', 'key')).toBe(true);
    for (const key of ['key', 'killed']) {
      expect(await failTimes(10, 'login', key)).toEqual([...Array.from({ length: 9 }, () => false), true]);
      expect(await retryAfter('login', key)).toBe(600);
    }
    await limits.prune();
    expect(await db.kysely.selectFrom('failures').select('count').execute()).toEqual([{ count: 10 }, { count: 10 }]);
  });

  it('count all /64 networks of one /48 network together, ten times as many', async () => {
    const from = (n: number): string => `2001:db8:7:${n.toString(16)}::1`;
    for (let n = 0; n < 100; n++) await fail(limits, 'login', from(n), 'host:ABCDEFGH');
    expect(await retryAfter('login', from(1000), 'host:ABCDEFGH')).toBe(600);
    expect(await retryAfter('login', '2001:db8:8::1', 'host:ABCDEFGH')).toBeUndefined();
  });

  it('keep hashes that differ from installation to installation', async () => {
    const other = await engine.open();
    await fail(limits, 'login', '192.0.2.7', 'host:ABCDEFGH');
    await fail(createRateLimits({ db: other, clock }), 'login', '192.0.2.7', 'host:ABCDEFGH');
    const bucket = async (on: Db) => (await on.kysely.selectFrom('failures').select('bucket').executeTakeFirstOrThrow()).bucket;
    expect(await bucket(other)).not.toBe(await bucket(db));
  });

  it('hold nothing in clear, and nothing for long', async () => {
    await failTimes(2, 'login', '192.0.2.7', 'host:ABCDEFGH');
    // A hash may hold any three digits.
    expect(JSON.stringify(await db.kysely.selectFrom('failures').selectAll().execute())).not.toMatch(/192\.0\.2|ABCDEFGH/);
    now += FAILURES_KEPT + 1;
    await fail(limits, 'login', 'other');
    expect(await db.kysely.selectFrom('failures').selectAll().execute()).toHaveLength(1);
  });

  it('take attempts of one key in turn, also after one that throws, and of other keys beside them', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const attempt = (name: string, key: string, work: () => Promise<void>) =>
      limits.serialized('login', [key], async () => {
        order.push(`${name} in`);
        await work();
        order.push(`${name} out`);
      });
    const first = attempt('first', 'key', () => gate.then(() => Promise.reject(new Error('broken'))));
    await expect.poll(() => order).toEqual(['first in']);
    const second = attempt('second', 'key', async () => undefined);
    await attempt('other', 'other key', async () => undefined);
    release();
    await expect(first).rejects.toThrow('broken');
    await second;
    expect(order).toEqual(['first in', 'other in', 'other out', 'second in', 'second out']);
  });
});
