import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Unavailable } from '../lib/errors.ts';
import { tcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { isUniqueViolation, OutcomeUnknown } from './errors.ts';
import { openDatabase, type Db } from './open.ts';
import { openSession } from './postgres.ts';
import { RELEASED } from './migrations/released.ts';
import { breakConnection, engines } from './testing.ts';

/** Longest time in which a request is answered. */
const WAIT_MS = 10_000;

/** What each release has left in PostgreSQL. */
const STORED = join(import.meta.dirname, '../../../e2e/stored');

const postgres = engines().find(({ name }) => name === 'postgres');

describe.runIf(postgres)('trouble with PostgreSQL', () => {
  let direct: Db;
  let proxy: TcpProxy;
  let db: Db;
  beforeAll(async () => {
    direct = await postgres!.open();
    const url = new URL(postgres!.location(direct).url!);
    proxy = await tcpProxy(Number(url.port));
    url.port = String(proxy.port);
    db = await openDatabase({ url: url.href, file: '' }, { schema: 'migrate' });
  });
  afterAll(async () => {
    await db?.close();
    await proxy?.close();
    await postgres?.dispose();
  });

  const add = (name: string) => (on: Db['kysely']) => on.insertInto('leases').values({ name, holder: 'x', expires_at: 1 }).execute();
  const isThere = async (name: string): Promise<boolean> =>
    (await direct.kysely.selectFrom('leases').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;

  it('ends no process where connections break under load, and all that was committed is there', async () => {
    const kept: string[] = [];
    const failures: unknown[] = [];
    let working = true;
    const worker = async (id: number): Promise<void> => {
      for (let n = 0; working; n++) {
        const name = `load-${id}-${n}`;
        await db
          .transaction(async (trx) => {
            await add(name)(trx);
            await sql`select pg_sleep(0.005)`.execute(trx);
          })
          .then(
            () => kept.push(name),
            (error: unknown) => failures.push(error),
          );
      }
    };
    const workers = Array.from({ length: 10 }, (_, id) => worker(id));
    for (let broken = 0; broken < 20;) broken += await breakConnection(direct);
    const before = kept.length;
    await expect.poll(() => kept.length).toBeGreaterThan(before + 20);
    working = false;
    await Promise.all(workers);
    expect(failures.filter((error) => !(error instanceof Unavailable))).toEqual([]);
    const rows = await direct.kysely.selectFrom('leases').select('name').where('name', 'like', 'load-%').execute();
    const there = new Set(rows.map(({ name }) => name));
    expect(kept.filter((name) => !there.has(name))).toEqual([]);
  });

  it('distinguishes a transaction that was refused or broken off from one that may have been committed', async () => {
    await add('taken')(direct.kysely);
    const refused = await db.transaction((trx) => add('taken')(trx)).catch((error: unknown) => error);
    expect([isUniqueViolation(refused), refused instanceof Unavailable]).toEqual([true, false]);
    const broken = await db
      .transaction(async (trx) => {
        await add('half')(trx);
        proxy.cut();
        await add('other half')(trx);
      })
      .catch((error: unknown) => error);
    expect([broken instanceof Unavailable, broken instanceof OutcomeUnknown]).toEqual([true, false]);
    expect(await isThere('half')).toBe(false);
    const unknown = await db
      .transaction(async (trx) => {
        await add('whole')(trx);
        proxy.cut();
      })
      .catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(OutcomeUnknown);
  });

  it('distinguishes the same for statements that are sent together with their commit', async () => {
    const row = (name: string) => db.kysely.insertInto('leases').values({ name, holder: 'x', expires_at: 1 });
    await direct.transaction(async (trx) => {
      await add('locked')(trx);
      const waiting = await db.batch([row('beside'), row('locked')]).catch((error: unknown) => error);
      expect([waiting instanceof Unavailable, waiting instanceof OutcomeUnknown]).toEqual([true, false]);
    });
    expect(await isThere('beside')).toBe(false);
    proxy.cutAt('late', 500);
    const unknown = await db.batch([row('late'), row('later')]).catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(OutcomeUnknown);
    await expect.poll(() => isThere('later')).toBe(true);
    // Reading changes nothing, so its outcome is known.
    proxy.cutAt('unread', 0);
    const read = db.kysely.selectFrom('leases').select('name').where('name', '=', 'unread');
    const broken = await db.batch([read, read]).catch((error: unknown) => error);
    expect([broken instanceof Unavailable, broken instanceof OutcomeUnknown]).toEqual([true, false]);
  });

  it('sends statements again without a name where the server does not know the name, or the table has another column by now', async () => {
    const read = db.kysely.selectFrom('orphans').selectAll().where('key', '=', 'none');
    const both = () => db.batch([read, db.kysely.insertInto('orphans').values({ key: crypto.randomUUID(), at: 1 })]);
    const count = async (): Promise<number> => (await direct.kysely.selectFrom('orphans').select('key').execute()).length;
    for (let n = 0; n < 3; n++) await both();
    await sql`alter table orphans add column note text`.execute(direct.kysely);
    await both();
    await sql`alter table orphans drop column note`.execute(direct.kysely);
    await both();
    expect(await count()).toBe(5);
    const other = await openDatabase({ url: postgres!.location(direct).url, file: '' }, { schema: 'require', connections: 1 });
    const again = () => other.batch([other.kysely.insertInto('orphans').values({ key: crypto.randomUUID(), at: 1 })]);
    await again();
    await sql`deallocate all`.execute(other.kysely);
    await again();
    await again();
    await other.close();
    expect(await count()).toBe(8);
  });

  it('gives up on silent lines within a request’s time, and replaces them all at the first', async () => {
    // Opens several idle connections.
    await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.1)`.execute(db.kysely)));
    proxy.silence();
    const began = performance.now();
    await expect(db.check()).rejects.toThrow(Unavailable);
    expect(performance.now() - began).toBeLessThan(WAIT_MS);
    const again = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => db.check()));
    expect(performance.now() - again).toBeLessThan(WAIT_MS / 2);
  });

  it('goes on at the next of several hosts where one is gone, also for what needs a connection of its own', async () => {
    const url = new URL(postgres!.location(direct).url!);
    const [one, two] = [await tcpProxy(Number(url.port)), await tcpProxy(Number(url.port))];
    const hosts = [one, two].map(({ port }) => `127.0.0.1:${port}`);
    const both = await openDatabase({ url: url.href.replace(url.host, hosts.join(',')), file: '' }, { schema: 'migrate' });
    for (const gone of [one, two]) {
      const back = gone === one ? null : await tcpProxy(Number(url.port), one.port);
      await gone.close();
      await expect
        .poll(() =>
          both.check().then(
            () => 'works',
            () => 'not yet',
          ),
        )
        .toBe('works');
      await both.wipe({ night: true });
      await back?.close();
    }
    await both.close();
  });

  it('waits for a row that others hold no longer than a request has', async () => {
    await add('held')(direct.kysely);
    await direct.transaction(async (trx) => {
      await trx.updateTable('leases').set({ expires_at: 2 }).where('name', '=', 'held').execute();
      const began = performance.now();
      await expect(db.kysely.updateTable('leases').set({ expires_at: 3 }).where('name', '=', 'held').execute()).rejects.toThrow(
        Unavailable,
      );
      expect(performance.now() - began).toBeLessThan(WAIT_MS);
    });
  });

  it('migrates beside a long reader in short attempts, between which an older node goes on, and ends behind the reader', async () => {
    const older = await postgres!.open();
    const { url } = postgres!.location(older);
    using session = await openSession(url!);
    await session.query('drop schema public cascade; create schema public');
    await session.query(readFileSync(join(STORED, '0.5.0/feierbild.sql'), 'utf8'));
    const [read, waiting] = [older.kysely.selectFrom('events').select('id'), sql`select 1 from pg_locks where not granted`];
    let told = 0;
    const { migrating } = await older.transaction(async (dump) => {
      // pg_dump holds this lock from its first row to its last.
      await dump.executeQuery(read.compile());
      const migrating = openDatabase({ url, file: '' }, { schema: 'migrate', onLocked: () => told++ });
      await expect.poll(async () => (await waiting.execute(older.kysely)).rows.length).toBeGreaterThan(0);
      expect(await read.execute()).toHaveLength(1);
      await expect.poll(() => told).toBe(1);
      return { migrating };
    });
    const migrated = await migrating;
    expect([await migrated.migrations(), told]).toEqual([Object.keys(RELEASED), 1]);
    await migrated.close();
  });

  it('is seen by its name in the database’s list of connections', async () => {
    const { rows } = await sql<{ application_name: string }>`show application_name`.execute(db.kysely);
    expect(rows[0]?.application_name).toMatch(/^feierbild@/);
  });
});
