import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RELEASED } from './migrations/released.ts';
import { runsKind } from '../testing/kinds.ts';
import { openDatabase, type Db, type Trx } from './open.ts';

/** Longest wait of a statement for its turn. */
const BUSY_MS = 20_000;
/** Length of another process's transaction. */
const FOREIGN_MS = 12_000;
const STEP_MS = 200;
/** Factor by which the waiting writers' clock runs faster; with the system's tests it is real time. */
const HASTE = runsKind('system') ? 1 : 10;

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

  it('gives up waiting for a transaction of its own process that does not end, and goes on after it', async () => {
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const hanging = Promise.withResolvers<void>();
      const transaction = db.transaction(() => hanging.promise);
      const late = db.check().catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(BUSY_MS);
      expect(await late).toMatchObject({ code: 'unavailable' });
      hanging.resolve();
      await transaction;
      await db.check();
    } finally {
      vi.useRealTimers();
    }
    await db.close();
  });

  it.each(['statements of many', 'statements of one transaction'])(
    'lets others of its process have their turn between long %s',
    async (what) => {
      const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
      const STATEMENTS = 12;
      // The statement takes several times as long as the event loop may stand still.
      const long = sql`with recursive n (n) as (select 1 union all select n + 1 from n where n < 100000) select sum(n) from n`;
      const running =
        what === 'statements of many'
          ? Promise.all(Array.from({ length: STATEMENTS }, () => long.execute(db.kysely)))
          : db.transaction(async (trx) => {
              for (let n = 0; n < STATEMENTS; n++) await long.execute(trx);
            });
      let over = false;
      void running.then(() => (over = true));
      let turns = 0;
      for (; !over; turns++) await setImmediate();
      expect(turns).toBeGreaterThanOrEqual(STATEMENTS);
      await db.close();
    },
  );

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

  /** Expects that others are answered, and that SQLite's own waiting, which would stop the whole process, is off. */
  async function expectOthersServed(db: Db): Promise<void> {
    for (let n = 0; n < 30; n++) {
      await db.check();
      await setImmediate();
    }
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(db.kysely);
    expect(rows).toEqual([{ timeout: 0 }]);
  }

  it('makes a writer wait for another process’s transaction without failing it, also for twelve seconds, while others read', async () => {
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    const foreign = new DatabaseSync(file);
    foreign.exec('begin immediate');
    const began = performance.now();
    let waitedMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => began + waitedMs);
    onTestFinished(() => clock.mockRestore());
    const add = (name: string) => (trx: Trx) => trx.insertInto('leases').values({ name, holder: 'us', expires_at: 1 }).execute();
    const writes = Promise.all([db.transaction(add('one')), db.kysely.transaction().execute(add('two'))]);
    const single = db.kysely.deleteFrom('leases').where('name', '=', 'none').execute();
    let written = false;
    void Promise.race([writes, single]).then(() => (written = true));
    for (; waitedMs < FOREIGN_MS; waitedMs += STEP_MS) {
      await expectOthersServed(db);
      await pause(STEP_MS / HASTE);
    }
    expect(written).toBe(false);
    foreign.exec('commit');
    await writes;
    await single;
    foreign.close();
    expect(await db.kysely.selectFrom('leases').select('name').orderBy('name').execute()).toEqual([{ name: 'one' }, { name: 'two' }]);
    await db.close();
  });

  it('waits a moment for a foreign reader to wipe deleted keys, and wipes them as soon as it has gone', async () => {
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
    const wiping = db.wipe();
    // The wipe has looked once: statements of a connection keep their order.
    await db.check();
    foreign.exec('commit');
    await wiping;
    expect(await held()).toBe(false);
    foreign.exec('begin; select * from operator_keys');
    await db.kysely.insertInto('operator_keys').values({ id: 1, public_key: secret, created_at: 1 }).execute();
    await db.kysely.deleteFrom('operator_keys').execute();
    await db.eraseDeleted();
    expect(await held()).toBe(true);
    foreign.exec('commit');
    await expect.poll(held).toBe(false);
    foreign.close();
    await db.close();
  });

  it('is changed only by a process that may migrate it; others say what is pending or newer', async () => {
    const fresh = join(folder, 'fresh.sqlite');
    const open = (schema: 'migrate' | 'require') => openDatabase({ url: null, file: fresh }, { schema });
    const refusal = () => open('require').catch((error: unknown) => error);
    expect(await refusal()).toMatchObject({ pending: Object.keys(RELEASED), newer: [] });
    const look = new DatabaseSync(fresh);
    expect(look.prepare('select name from sqlite_master').all()).toEqual([]);
    await (await open('migrate')).close();
    await (await open('require')).close();
    look.exec(`insert into kysely_migration values ('9999-later', '2027-01-01');
      insert into settings values ('migration 9999-later', cast('its hash' as blob));
      update settings set value = cast('9999-later' as blob) where name = 'least_schema'`);
    expect(await refusal()).toMatchObject({ pending: [], newer: ['9999-later'] });
    await expect(open('migrate')).rejects.toMatchObject({ newer: ['9999-later'] });
    look.close();
  });
});
