import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Db } from './open.ts';
import { engines } from './testing.ts';
import { leaseOn } from './testing/lease.ts';

describe.each(engines())('database on $name', (engine) => {
  let db: Db;
  beforeAll(async () => {
    db = await engine.open();
  });
  afterAll(() => engine.dispose());

  const lease = leaseOn(() => db);

  it('answers each of many reads that are asked for at once with its own row, over one connection, and refuses only what the database does', async () => {
    const fresh = await openDatabase(engine.location(db), { schema: 'require' });
    const names = Array.from({ length: 12 }, (_, n) => `read-${n}`);
    for (const [n, name] of names.entries()) await lease(name, 'x', n).execute();
    const expiry = fresh.prepare((name: string) => fresh.kysely.selectFrom('leases').select('expires_at').where('name', '=', name));
    const read = Promise.all([...names, 'none'].map(expiry));
    expect(JSON.parse(JSON.stringify(await read))).toEqual([...names.map((_, n) => [{ expires_at: n }]), []]);
    if (engine.name === 'postgres') expect(fresh.connections()).toEqual({ used: 0, idle: 1, waiting: 0 });

    // PostgreSQL refuses a zero byte in a text.
    const [, refused, right] = await Promise.allSettled(['read-1', 'read\0', 'read-2'].map(expiry));
    if (engine.name === 'postgres') expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
    expect(right).toMatchObject({ status: 'fulfilled', value: [{ expires_at: 2 }] });
    await fresh.close();
  });

  it.runIf(engine.name === 'postgres')(
    'runs equal reads that are asked for at once a single time, and gives each its own rows',
    async () => {
      await sql`create sequence runs`.execute(db.kysely);
      await lease('counted', 'x', 1).execute();
      const runs = db.prepare((name: string, holder: string) =>
        db.kysely
          .selectFrom('leases')
          .select(['name', sql<number>`nextval('runs')`.as('run')])
          .where('name', '=', name)
          .where('holder', '=', holder),
      );
      const [[one], [other], others] = await Promise.all([runs('counted', 'x'), runs('counted', 'x'), runs('counted', 'y')]);
      expect([one?.run, other?.run, others]).toEqual([1, 1, []]);
      Object.assign(one as object, { name: 'changed' });
      expect(other?.name).toBe('counted');
      expect((await runs('counted', 'x'))[0]?.run).toBe(2);
      await sql`drop sequence runs`.execute(db.kysely);
    },
  );

  it.runIf(engine.name === 'postgres')('lets reads wait for those under way, and sends them with what these let ask for next', async () => {
    await lease('moment', 'x', 1).execute();
    // Statements sent together see the same `now()`.
    const moment = db.prepare((holder: string) =>
      db.kysely
        .selectFrom('leases')
        .select(sql<string>`now()::text`.as('moment'))
        .where('name', '=', 'moment')
        .where('holder', '>=', holder),
    );
    const together = async (): Promise<boolean> => {
      const first = moment('a');
      await setImmediate();
      const meanwhile = moment('b');
      await setImmediate();
      await first;
      const next = moment('c');
      return (await meanwhile)[0]?.moment === (await next)[0]?.moment;
    };
    // One attempt may fail: a round trip may take longer than others wait for it.
    await expect.poll(together).toBe(true);
  });

  it.runIf(engine.name === 'postgres')('answers reads while another one hangs', async () => {
    await lease('locked', 'x', 1).execute();
    const lock = db.prepare((name: string) =>
      db.kysely
        .selectFrom('leases')
        .select(sql`pg_advisory_xact_lock(7)`.as('lock'))
        .where('name', '=', name),
    );
    const quick = db.prepare((name: string) => db.kysely.selectFrom('leases').select('holder').where('name', '=', name));
    let hanging: Promise<unknown> | undefined;
    let ended = false;
    await db.transaction(async (trx) => {
      await sql`select pg_advisory_xact_lock(7)`.execute(trx);
      hanging = lock('locked').finally(() => (ended = true));
      await setImmediate();
      expect(await quick('locked')).toEqual([{ holder: 'x' }]);
      expect(ended).toBe(false);
    });
    await hanging;
  });

  it.runIf(engine.name === 'postgres')(
    'answers reads of the same turn while one of them is stuck, and from then on sends that one alone',
    async () => {
      await lease('stuck', 'x', 1).execute();
      const lock = db.prepare((name: string) =>
        db.kysely
          .selectFrom('leases')
          .select(sql`pg_advisory_xact_lock(8)`.as('lock'))
          .where('name', '=', name),
      );
      const quick = db.prepare((name: string) => db.kysely.selectFrom('leases').select(['holder', 'name']).where('name', '=', name));
      const stuck: Promise<unknown>[] = [];
      let ended = 0;
      await db.transaction(async (trx) => {
        await sql`select pg_advisory_xact_lock(8)`.execute(trx);
        for (let n = 0; n < 3; n++) {
          stuck.push(lock('stuck').finally(() => ended++));
          expect(await quick('stuck')).toEqual([{ holder: 'x', name: 'stuck' }]);
          expect(ended).toBe(0);
        }
      });
      expect((await Promise.all(stuck)).length).toBe(3);
    },
  );
});
