import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breaksRule, isReferenceViolation, isUniqueViolation } from './errors.ts';
import { databaseExists } from './exists.ts';
import { withLease } from './leases.ts';
import { SchemaMismatch } from './migrate.ts';
import { openDatabase, type Db, type Trx } from './open.ts';
import { TABLES } from './tables.ts';
import { engines } from './testing.ts';

describe.each(engines())('database on $name', (engine) => {
  let db: Db;
  beforeAll(async () => {
    db = await engine.open();
  });
  afterAll(() => engine.dispose());

  const lease = (name: string, holder: string, expires_at: number) => db.kysely.insertInto('leases').values({ name, holder, expires_at });
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

  it('runs statements at once in their order, returns the rows of each, and tells of the event', async () => {
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

  it('keeps nothing of statements of which one breaks a rule of its table, and goes on', async () => {
    const nothing = db.kysely.selectFrom('leases').select('expires_at').where('name', '=', 'none');
    for (const broken of [lease('batch', 'x', 1), lease('null', 'x', nothing as never)]) {
      const failed = await db.batch([lease('first', 'x', 1), broken, lease('last', 'x', 1)]).catch((error: unknown) => error);
      expect(breaksRule(failed)).toBe(true);
    }
    expect([await expiryOf('first'), await expiryOf('last')]).toEqual([undefined, undefined]);
    await db.batch([lease('first', 'x', 1)]);
    expect(await expiryOf('first')).toMatchObject({ holder: 'x' });
  });

  it('shows one moment to whoever reads a snapshot, while others write', async () => {
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

  it('has the tables that are listed for backups, each with its key', async () => {
    const tables = (await db.kysely.introspection.getTables()).filter(({ name }) => !name.startsWith('kysely_'));
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(TABLES).sort());
    for (const { name, columns } of tables) {
      const key = TABLES[name as keyof typeof TABLES] as readonly string[];
      expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining([...key]));
    }
    expect((await db.migrations()).at(0)).toBe('0001-start');
  });

  it.runIf(engine.name === 'postgres')('marks every table of secrets where one is destroyed in it', async () => {
    const { rows } = await sql<{ name: string }>`select distinct event_object_table as name from information_schema.triggers`.execute(
      db.kysely,
    );
    const secret = Object.keys(TABLES).filter((name) => /_(keys|passwords|secrets)$/.test(name) && name !== 'operator_keys');
    expect(rows.map(({ name }) => name).toSorted()).toEqual(secret.toSorted());
  });

  it('tells a second row of the same key apart from other failures', async () => {
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

  it('gives a lease to exactly one of many, and to nobody twice', async () => {
    let running = 0;
    const losers: unknown[] = [];
    let everybodyElseIsDone: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (everybodyElseIsDone = resolve));
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        // Three nodes, each of which tries twice.
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
    expect(await expiryOf('once')).toMatchObject({ expires_at: 0 });
  });

  it('takes the lease of a crashed node over when its time is up, by the database’s clock', async () => {
    const attempt = () => withLease(db, { name: 'stuck', holder: 'other', duration: 60_000 }, async () => 'done');
    await lease('stuck', 'crashed', Date.now() + 50_000).execute();
    expect(await attempt()).toBeUndefined();
    for (const expired of [Date.now() - 1, Date.now() + 24 * 60 * 60 * 1000]) {
      await db.kysely.updateTable('leases').set({ holder: 'crashed', expires_at: expired }).where('name', '=', 'stuck').execute();
      expect(await attempt()).toBe('done');
    }
  });

  it('keeps a lease as long as the work goes on, however long that is', async () => {
    const held = { name: 'long', holder: 'a', duration: 3000 };
    let others = 0;
    await withLease(db, held, async () => {
      const begun = (await expiryOf(held.name))!.expires_at;
      await expect
        .poll(async () => (await expiryOf(held.name))!.expires_at, { timeout: 15_000 })
        .toBeGreaterThan(begun + held.duration / 2);
      await withLease(db, { ...held, holder: 'b' }, async () => others++);
    });
    expect(others).toBe(0);
    expect(await withLease(db, { ...held, holder: 'b' }, async () => 'free')).toBe('free');
  });

  it('tells work by its signal that its lease was lost', async () => {
    const held = { name: 'lost', holder: 'a', duration: 300 };
    await withLease(db, held, async (signal) => {
      await db.kysely
        .updateTable('leases')
        .set({ holder: 'b', expires_at: Date.now() + 60_000 })
        .where('name', '=', 'lost')
        .execute();
      await expect.poll(() => signal.aborted).toBe(true);
    });
    expect(await expiryOf('lost')).toMatchObject({ holder: 'b', ran_at: null });
  });

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

  it('is opened by this release where the next one has added a column, as long as that says that it may', async () => {
    const later = await engine.open();
    await sql`alter table events add column later text`.execute(later.kysely);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(later.kysely);
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
    expect(await later.migrations()).toEqual(['0001-start', '9999-later']);
  });

  it('tells where a start has made it from where nothing is yet, and makes nothing', async () => {
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

describe('the SQLite file', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feierbild-file-'));
    file = join(folder, 'test.sqlite');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is readable by its owner alone, with its log', async () => {
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
    await db.close();
  });

  it('is written through to the disk, and checks references', async () => {
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    const pragma = async (name: string) => Object.values((await sql.raw(`PRAGMA ${name}`).execute(db.kysely)).rows[0] as object)[0];
    expect(await pragma('journal_mode')).toBe('wal');
    // 2 is FULL.
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    await db.close();
  });

  it('holds nothing any more of what was deleted', async () => {
    const secret = Buffer.from('a wrapped key that must be gone');
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    await db.kysely.insertInto('operator_keys').values({ id: 1, public_key: secret, created_at: 1 }).execute();
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db.kysely);
    expect(readFileSync(file).includes(secret)).toBe(true);
    await db.kysely.deleteFrom('operator_keys').execute();
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db.kysely);
    expect(readFileSync(file).includes(secret)).toBe(false);
    await db.close();
  });

  /** The others are answered, and SQLite's own waiting, which would stop the whole process, is off. */
  async function expectOthersServed(db: Db): Promise<void> {
    for (let n = 0; n < 30; n++) {
      await db.check();
      await setImmediate();
    }
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(db.kysely);
    expect(rows).toEqual([{ timeout: 0 }]);
  }

  it('makes a writer wait for another process’s transaction without failing it, while others read', async () => {
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    const foreign = new DatabaseSync(file);
    foreign.exec('begin immediate');
    const add = (name: string) => (trx: Trx) => trx.insertInto('leases').values({ name, holder: 'us', expires_at: 1 }).execute();
    const writes = Promise.all([db.transaction(add('one')), db.kysely.transaction().execute(add('two'))]);
    const single = db.kysely.deleteFrom('leases').where('name', '=', 'none').execute();
    let written = false;
    void Promise.race([writes, single]).then(() => (written = true));
    await expectOthersServed(db);
    expect(written).toBe(false);
    foreign.exec('commit');
    await writes;
    await single;
    foreign.close();
    expect(await db.kysely.selectFrom('leases').select('name').orderBy('name').execute()).toEqual([{ name: 'one' }, { name: 'two' }]);
    await db.close();
  });

  it('waits for no foreign reader to wipe deleted keys, and wipes them as soon as it has gone', async () => {
    const secret = Buffer.from('a key that somebody may still be reading');
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    await db.kysely.insertInto('operator_keys').values({ id: 1, public_key: secret, created_at: 1 }).execute();
    const foreign = new DatabaseSync(file);
    foreign.exec('begin; select * from operator_keys');
    foreign.prepare('select count(*) from operator_keys').get();
    const held = async (): Promise<boolean> => [file, `${file}-wal`].some((path) => readFileSync(path).includes(secret));
    await db.kysely.deleteFrom('operator_keys').execute();
    await db.eraseDeleted();
    await expect(db.wipe()).rejects.toThrow('while others read');
    await expectOthersServed(db);
    expect(await held()).toBe(true);
    foreign.exec('commit');
    await expect.poll(held).toBe(false);
    foreign.close();
    await db.close();
  });

  it('is changed by whoever may migrate it alone; others say what is pending or newer', async () => {
    const fresh = join(folder, 'fresh.sqlite');
    const open = (schema: 'migrate' | 'require') => openDatabase({ url: null, file: fresh }, { schema });
    const refusal = () => open('require').catch((error: unknown) => error);
    expect(await refusal()).toMatchObject({ pending: ['0001-start'], newer: [] });
    const look = new DatabaseSync(fresh);
    expect(look.prepare('select name from sqlite_master').all()).toEqual([]);
    await (await open('migrate')).close();
    await (await open('require')).close();
    look.exec("insert into kysely_migration values ('0002-later', '2027-01-01'); update settings set value = cast('0002-later' as blob)");
    expect(await refusal()).toMatchObject({ pending: [], newer: ['0002-later'] });
    await expect(open('migrate')).rejects.toMatchObject({ newer: ['0002-later'] });
    look.close();
  });
});
