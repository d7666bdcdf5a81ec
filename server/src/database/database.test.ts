import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUniqueViolation } from './errors.ts';
import { withLease } from './leases.ts';
import type { Db } from './open.ts';
import { engines } from './testing.ts';

describe.each(engines())('database on $name', (engine) => {
  let db: Db;
  beforeAll(async () => {
    db = await engine.open();
  }, 60_000);
  afterAll(() => engine.dispose());

  const lease = (name: string, holder: string, expires_at: number) => db.kysely.insertInto('leases').values({ name, holder, expires_at });

  it('gives numbers and bytes back as they were', async () => {
    const big = 9_007_199_254_740_991;
    await db.kysely
      .insertInto('operator_keys')
      .values({ id: 1, public_key: new Uint8Array([0, 255, 7]), created_at: big })
      .execute();
    const row = await db.kysely.selectFrom('operator_keys').selectAll().executeTakeFirstOrThrow();
    expect(row.created_at).toBe(big);
    expect(Buffer.from(row.public_key)).toEqual(Buffer.from([0, 255, 7]));
    const { count } = await db.kysely
      .selectFrom('operator_keys')
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
  });

  it('keeps nothing of a transaction that fails', async () => {
    const failed = db.transaction(async (trx) => {
      await trx.insertInto('leases').values({ name: 'half', holder: 'x', expires_at: 1 }).execute();
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await db.kysely.selectFrom('leases').selectAll().where('name', '=', 'half').execute()).toEqual([]);
  });

  it('tells a second row of the same key apart from other failures', async () => {
    await lease('twice', 'a', 1).execute();
    const error = await lease('twice', 'b', 1)
      .execute()
      .catch((e: unknown) => e);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(new Error('other'))).toBe(false);
  });

  it('gives a lease to exactly one of many, and again when it is over', async () => {
    let now = 1000;
    const clock = { now: () => now };
    let running = 0;
    let ran = 0;
    const losers: unknown[] = [];
    let everybodyElseIsDone: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (everybodyElseIsDone = resolve));
    await Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        const mine = await withLease({ db, clock }, { name: 'once', holder: `node-${n}`, duration: 60_000 }, async () => {
          expect(++running).toBe(1);
          ran++;
          await gate;
          return 'mine';
        });
        if (mine === undefined && losers.push(n) === 4) everybodyElseIsDone();
      }),
    );
    expect(ran).toBe(1);
    await lease('stuck', 'crashed', now + 60_000).execute();
    const attempt = () => withLease({ db, clock }, { name: 'stuck', holder: 'other', duration: 1000 }, async () => 'done');
    expect(await attempt()).toBeUndefined();
    now += 60_000;
    expect(await attempt()).toBe('done');
  });

  it('can be opened again with everything in it', async () => {
    const tables = await db.kysely.introspection.getTables();
    expect(tables.map((table) => table.name)).toEqual(expect.arrayContaining(['events', 'photo_keys', 'session_keys', 'audit']));
    await db.check();
  });
});
