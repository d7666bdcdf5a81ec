import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isConstraintViolation, isReferenceViolation, isUniqueViolation } from './errors.ts';
import { SchemaMismatch } from './migrate.ts';
import { RELEASED } from './migrations/released.ts';
import { databaseExists, openDatabase, type Db, type Trx } from './open.ts';
import { TABLES, TABLE_NAMES, type TableName } from './tables.ts';
import { engines } from './testing.ts';
import { leaseOn } from './testing/lease.ts';

describe.each(engines())('database on $name', (engine) => {
  let db: Db;
  beforeAll(async () => {
    db = await engine.open();
  });
  afterAll(() => engine.dispose());

  const lease = leaseOn(() => db);
  const expiryOf = (name: string) =>
    db.kysely.selectFrom('leases').select(['expires_at', 'holder', 'ran_at']).where('name', '=', name).executeTakeFirst();

  it('gives numbers and bytes back as they were', async () => {
    const big = 9_007_199_254_740_991;
    await db.kysely
      .insertInto('operator_keys')
      .values({ id: 1, public_key: new Uint8Array([0, 255, 7]), created_at: big })
      .execute();
    const row = await db.kysely.selectFrom('operator_keys').selectAll().executeTakeFirstOrThrow();
    expect(row.created_at).toBe(big);
    expect(Buffer.from(row.public_key)).toEqual(Buffer.from([0, 255, 7]));
    const counted = await db.kysely
      .selectFrom('operator_keys')
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.sum<number>('created_at').as('sum')])
      .executeTakeFirstOrThrow();
    expect({ ...counted }).toEqual({ count: 1, sum: big });
  });

  it('keeps nothing of a transaction that fails', async () => {
    const failed = db.transaction(async (trx) => {
      await trx.insertInto('leases').values({ name: 'half', holder: 'x', expires_at: 1 }).execute();
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await expiryOf('half')).toBeUndefined();
  });

  it('runs statements at once in their order, returns the rows of each, and reports the changed event', async () => {
    const told: string[] = [];
    const end = db.onChange((eventId) => told.push(eventId));
    const count = () => db.kysely.updateTable('leases').set((row) => ({ expires_at: row('expires_at', '+', 1) }));
    const rows = await db.batch(
      [
        lease('batch', 'x', 1),
        count().where('name', '=', 'batch').returning('expires_at'),
        count().where('name', '=', 'none').returning('expires_at'),
        db.kysely.insertInto('leases').values({
          name: 'copy',
          holder: 'y',
          expires_at: db.kysely.selectFrom('leases').select('expires_at').where('name', '=', 'batch'),
        }),
      ],
      'an event',
    );
    end();
    expect(JSON.parse(JSON.stringify(rows))).toEqual([[], [{ expires_at: 2 }], [], []]);
    expect([told, (await expiryOf('copy'))?.expires_at]).toEqual([['an event'], 2]);
  });

  it('keeps nothing of statements of which one violates a constraint of its table, and goes on', async () => {
    const nothing = db.kysely.selectFrom('leases').select('expires_at').where('name', '=', 'none');
    for (const broken of [lease('batch', 'x', 1), lease('null', 'x', nothing as never)]) {
      const failed = await db.batch([lease('first', 'x', 1), broken, lease('last', 'x', 1)]).catch((error: unknown) => error);
      expect(isConstraintViolation(failed)).toBe(true);
    }
    expect([await expiryOf('first'), await expiryOf('last')]).toEqual([undefined, undefined]);
    await db.batch([lease('first', 'x', 1)]);
    expect(await expiryOf('first')).toMatchObject({ holder: 'x' });
  });

  it.runIf(engine.name === 'postgres')('goes on with prepared statements where one could not be prepared for a lock', async () => {
    await lease('locked-table', 'x', 1).execute();
    const one = await openDatabase({ ...engine.location(db) }, { schema: 'require', connections: 1, statementMs: 300 });
    const statements = () => [
      one.kysely.selectFrom('demo').select('code').where('id', '=', 7),
      one.kysely.selectFrom('leases').select(['holder', 'ran_at']).where('name', '=', 'locked-table'),
      one.kysely.selectFrom('settings').select('name').where('name', '=', 'none'),
    ];
    const prepared = async () =>
      (await sql<{ statement: string }>`select statement from pg_prepared_statements order by statement`.execute(one.kysely)).rows.length;
    await db.transaction(async (trx) => {
      await sql`lock table leases in access exclusive mode`.execute(trx);
      await expect(one.batch(statements())).rejects.toThrow();
    });
    for (let n = 0; n < 2; n++) expect((await one.batch(statements()))[1]).toEqual([{ holder: 'x', ran_at: null }]);
    expect(await prepared()).toBe(3);
    await one.close();
  });

  it('shows one moment to the reader of a snapshot, while others write', async () => {
    const names = async (trx: Trx): Promise<string[]> =>
      (await trx.selectFrom('leases').select('name').where('name', 'like', 'moment-%').orderBy('name').execute()).map(({ name }) => name);
    await lease('moment-1', 'x', 1).execute();
    const seen = await db.snapshot(async (trx) => {
      const before = await names(trx);
      await lease('moment-2', 'x', 1).execute();
      await db.kysely.deleteFrom('leases').where('name', '=', 'moment-1').execute();
      return [before, await names(trx)];
    });
    expect(seen).toEqual([['moment-1'], ['moment-1']]);
    expect(await db.snapshot(names)).toEqual(['moment-2']);
    await expect(db.snapshot((trx) => trx.deleteFrom('leases').execute())).rejects.toThrow();
  });

  it('has the tables that are listed, each with its columns', async () => {
    const tables = (await db.kysely.introspection.getTables()).filter(({ name }) => !name.startsWith('kysely_'));
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(TABLES).sort());
    for (const { name, columns } of tables) {
      const { key, event, photo } = TABLES[name as TableName];
      const listed = [...key, ...(event === null ? [] : [event]), ...(photo === null ? [] : [photo])];
      expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining(listed));
    }
    expect((await db.migrations()).at(0)).toBe('0001-start');
  });

  it.runIf(engine.name === 'postgres')('marks every table for a rewrite that must not keep what was deleted, and no other', async () => {
    const { rows } = await sql<{ name: string }>`select distinct event_object_table as name from information_schema.triggers`.execute(
      db.kysely,
    );
    const listed = TABLE_NAMES.filter((name) => ['rewritten', 'covered'].includes(TABLES[name].left));
    expect(rows.map(({ name }) => name).toSorted()).toEqual(listed.toSorted());
  });

  it('distinguishes a second row of the same key from other failures', async () => {
    await lease('twice', 'a', 1).execute();
    const twin = await lease('twice', 'b', 1)
      .execute()
      .catch((e: unknown) => e);
    expect(isUniqueViolation(twin)).toBe(true);
    const orphan = { event_id: 'none', wrapped: new Uint8Array(1) };
    const other = await db.kysely
      .insertInto('host_keys')
      .values(orphan)
      .execute()
      .catch((e: unknown) => e);
    expect(other).toBeInstanceOf(Error);
    expect([isUniqueViolation(other), isReferenceViolation(other), isReferenceViolation(twin)]).toEqual([false, true, false]);
  });

  it('counts right when many transactions read and write the same row', async () => {
    await lease('counter', 'x', 0).execute();
    await Promise.all(
      Array.from({ length: 30 }, () =>
        db.transaction(async (trx) => {
          await trx
            .updateTable('leases')
            .set((row) => ({ expires_at: row('expires_at', '+', 1) }))
            .where('name', '=', 'counter')
            .execute();
        }),
      ),
    );
    expect(await expiryOf('counter')).toMatchObject({ expires_at: 30 });
  });

  it('is opened by this release where the next one has added a column, as long as that says that it may', async () => {
    const later = await engine.open();
    await sql`alter table events add column later text`.execute(later.kysely);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(later.kysely);
    await later.kysely
      .insertInto('settings')
      .values({ name: 'migration 9999-later', value: Buffer.from('its hash') })
      .execute();
    for (const [least, opens] of [
      ['0001-start', true],
      ['9999-later', false],
    ] as const) {
      const value = Buffer.from(least);
      await later.kysely.updateTable('settings').set({ value }).where('name', '=', 'least_schema').execute();
      for (const schema of ['migrate', 'require'] as const) {
        const opening = openDatabase(engine.location(later), { schema }).then((opened) => opened.close());
        if (opens) await opening;
        else await expect(opening).rejects.toThrow(SchemaMismatch);
      }
    }
    expect(await later.migrations()).toEqual([...Object.keys(RELEASED), '9999-later']);
  });

  it('is opened by nobody where a migration left something else than the released one of that name', async () => {
    const strange = await engine.open();
    const hash = strange.kysely.updateTable('settings').where('name', '=', 'migration 0001-start');
    for (const change of [
      () => hash.set({ value: Buffer.from('another hash') }).execute(),
      () => hash.set({ name: 'nothing' }).execute(),
      () => sql`alter table settings rename to former`.execute(strange.kysely),
      () => sql`alter table kysely_migration rename to former_migration`.execute(strange.kysely),
    ]) {
      await change();
      for (const schema of ['migrate', 'require'] as const) {
        const error = await openDatabase(engine.location(strange), { schema }).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ constructor: SchemaMismatch, unreleased: true });
      }
    }
  });

  it('knows whether it exists, and does not create it by that', async () => {
    const { url, file } = engine.location(db);
    const nowhere = url ? { url: url.replace(/\w+$/, 'postgres'), file } : { url, file: `${file}-nowhere` };
    for (let n = 0; n < 2; n++) expect([await databaseExists({ url, file }), await databaseExists(nowhere)]).toEqual([true, false]);
  });

  it('is the same database when it is opened again, and by several at once', async () => {
    await lease('kept', 'x', 7).execute();
    const others = await Promise.all([1, 2, 3].map(() => engine.again(db)));
    for (const other of others) {
      await other.check();
      expect(await other.kysely.selectFrom('leases').select('expires_at').where('name', '=', 'kept').executeTakeFirst()).toMatchObject({
        expires_at: 7,
      });
    }
  });

  it.runIf(engine.name === 'postgres')('runs a transaction again that was given up for a deadlock', async () => {
    await lease('left', 'x', 0).execute();
    await lease('right', 'x', 0).execute();
    let inside = 0;
    let bothInside: () => void = () => undefined;
    const meeting = new Promise<void>((resolve) => (bothInside = resolve));
    let runs = 0;
    const crossing = (first: string, second: string) =>
      db.transaction(async (trx) => {
        runs++;
        const add = (name: string) =>
          trx
            .updateTable('leases')
            .set((row) => ({ expires_at: row('expires_at', '+', 1) }))
            .where('name', '=', name)
            .execute();
        await add(first);
        if (++inside === 2) bothInside();
        await meeting;
        await add(second);
      });
    await Promise.all([crossing('left', 'right'), crossing('right', 'left')]);
    expect(runs).toBeGreaterThan(2);
    expect(await expiryOf('left')).toMatchObject({ expires_at: 2 });
    expect(await expiryOf('right')).toMatchObject({ expires_at: 2 });
  });
});
