import { execFile, spawn } from 'node:child_process';
import { mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { RELEASED } from '../database/migrations/released.ts';
import { openDatabase, type Db } from '../database/open.ts';
import { engines, runSql, type Engine } from '../database/testing.ts';
import { RUN_FOLDER } from '../testing/run-folder.ts';

const CLI = join(import.meta.dirname, '../cli.ts');
const all = engines();
const postgres = all.find(({ name }) => name === 'postgres');
afterAll(async () => {
  for (const engine of all) await engine.dispose();
});

interface Ran {
  code: number | null;
  said: string;
}

/** Starts commands on one installation's data. */
async function installation({ url }: Pick<ReturnType<Engine['location']>, 'url'>, level = 'error') {
  const dataDir = await mkdtemp(join(RUN_FOLDER, 'interrupted-'));
  const env = { ...process.env, DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: level, ...(url && { DATABASE_URL: url }) };
  return {
    dataDir,
    file: join(dataDir, 'feierbild.sqlite'),
    run: (...words: string[]): Promise<Ran> =>
      promisify(execFile)(process.execPath, [CLI, ...words], { env }).then(
        ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
        ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
      ),
    start(...words: string[]) {
      const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ran: Ran = { code: null, said: '' };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (ran.said += text));
      return { child, ran, ended: new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ ...ran, code }))) };
    },
  };
}

/** Has commands stop in the middle: at what this uncommitted statement has changed, until its disposal, which undoes it. */
async function holding(db: Db, statement: string): Promise<AsyncDisposable> {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const over = new Error('over');
  const done = db.transaction(async (trx) => {
    await sql.raw(statement).execute(trx);
    held.resolve();
    await release.promise;
    throw over;
  });
  const undone = done.catch((error: unknown) => error === over || Promise.reject(error));
  await Promise.race([held.promise, undone]);
  return {
    async [Symbol.asyncDispose]() {
      release.resolve();
      await undone;
    },
  };
}

const WAITING = `from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
/** Counts the connections of commands that wait for a lock. */
const waiting = async (db: Db): Promise<number> => (await runSql(db, `select 1 ${WAITING}`)).length;
/** Has PostgreSQL end them, and counts them. */
const cut = async (db: Db): Promise<number> => (await runSql(db, `select pg_terminate_backend(pid) ${WAITING}`)).length;

describe.runIf(postgres)('maintain', () => {
  it('gives its lease back where it is ended, and begins after another one that was killed', async () => {
    const db = await postgres!.open();
    const { run, start } = await installation(postgres!.location(db));
    const lease = async (): Promise<number> =>
      Number((await db.kysely.selectFrom('leases').select('expires_at').where('name', '=', 'retention').executeTakeFirst())?.expires_at);
    {
      await using _held = await holding(db, 'lock table sessions in access exclusive mode');
      const first = start('maintain');
      await expect.poll(() => waiting(db)).toBe(1);
      const pressing = setInterval(() => first.child.kill('SIGINT'), 20);
      expect(await first.ended.finally(() => clearInterval(pressing))).toEqual({
        code: 1,
        said: 'Abgebrochen. Der nächste Lauf macht weiter.\n',
      });
      expect(await lease()).toBe(0);
      const second = start('maintain');
      await expect.poll(lease).toBeGreaterThan(0);
      second.child.kill('SIGKILL');
      await second.ended;
    }
    const third = start('maintain');
    await expect.poll(() => third.ran.said).toMatch(/^Gerade räumt schon ein anderer Lauf auf; dieser beginnt danach\./);
    await db.kysely.updateTable('leases').set({ expires_at: 0 }).execute();
    expect(await third.ended).toEqual({ code: 0, said: expect.stringContaining('Kein Event war fällig') });
    expect(await run('verify')).toEqual({ code: 0, said: '0 Fotos mit 0 Dateien geprüft: alles in Ordnung.\n' });
  });
});

describe('migrate', () => {
  const DONE = { code: 0, said: `Die Datenbank hat den Stand dieser Fassung: ${Object.keys(RELEASED).at(-1)}.\n` };

  it('that was killed in SQLite is begun again, also by two at once', async () => {
    const { file, run, start } = await installation({ url: null });
    const logged = async (): Promise<number> => (await stat(`${file}-wal`).catch(() => null))?.size ?? 0;
    const { child, ended } = start('migrate');
    await expect.poll(logged, { interval: 1 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await ended;
    expect(await Promise.all([run('migrate'), run('migrate')])).toEqual([DONE, DONE]);
    await (await openDatabase({ url: null, file }, { schema: 'require' })).close();
  });

  it.runIf(postgres)('that was killed, or lost its connection, in PostgreSQL is begun again, also by two at once', async () => {
    const db = await postgres!.open();
    const { start } = await installation(postgres!.location(db), 'warn');
    await runSql(db, 'drop schema public cascade');
    await runSql(db, 'create schema public');
    let both: ReturnType<typeof start>[];
    {
      await using _held = await holding(db, 'create table settings (name text)');
      const lost = start('migrate');
      await expect.poll(() => cut(db), { interval: 1 }).toBe(1);
      expect(await lost.ended).toEqual({
        code: 1,
        said: expect.stringMatching(/^Die Datenbank antwortet nicht: die Verbindung ist abgebrochen .*\.\n$/),
      });
      const killed = start('migrate');
      await expect.poll(() => waiting(db)).toBe(1);
      killed.child.kill('SIGKILL');
      await killed.ended;
      both = [start('migrate'), start('migrate')];
      for (const { ran } of both) await expect.poll(() => ran.said).toContain('the migration waits');
    }
    const done = { ...DONE, said: expect.stringContaining(DONE.said) };
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([done, done]);
    expect(await db.migrations()).toEqual(Object.keys(RELEASED));
  });
});
