import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkPostgres } from '../cli/doctor-postgres.ts';
import { freePort } from '../testing/system.ts';
import { databaseExists, openDatabase, type Db } from './open.ts';
import { engines, runSql } from './testing.ts';

/** Path of Debian's package; the program does not run as root. */
const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
const USER = 'nobody';
/** More callers than connections to PostgreSQL. */
const CALLERS = 20;
const SERVER_CONNECTIONS = 3;

const postgres = engines().find(({ name }) => name === 'postgres');
if (!PGBOUNCER) console.log('skipped: no pgbouncer; its suite needs the package pgbouncer');

describe.runIf(postgres && PGBOUNCER)('PostgreSQL behind pgbouncer, which lends a connection for one transaction', () => {
  let direct: Db;
  let url: string;
  const owned = new AsyncDisposableStack();

  /** Starts a pgbouncer before the database. Returns the database's address behind it. */
  async function startBouncer(): Promise<string> {
    const target = new URL(postgres!.location(direct).url!);
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-pgbouncer-'));
    owned.defer(() => rm(folder, { recursive: true, force: true }));
    const users = join(folder, 'users');
    await writeFile(users, `"${target.username}" "${target.password}"\n`);
    const settings = join(folder, 'pgbouncer.ini');
    await writeFile(
      settings,
      `[databases]\n* = host=127.0.0.1 port=${target.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
        `unix_socket_dir =\nauth_type = plain\nauth_file = ${users}\npool_mode = transaction\ndefault_pool_size = ${SERVER_CONNECTIONS}\n`,
    );
    await chmod(folder, 0o755);
    const asRoot = process.getuid?.() === 0;
    const bouncer = spawn(PGBOUNCER!, ['-q', ...(asRoot ? ['-u', USER] : []), settings], { stdio: 'ignore' });
    owned.defer(async () => {
      const ended = new Promise((resolve) => bouncer.once('exit', resolve));
      bouncer.kill('SIGKILL');
      await ended;
    });
    await vi.waitUntil(() => opens(port), { timeout: 60_000 });
    target.port = String(port);
    return target.href;
  }

  beforeAll(async () => {
    direct = await postgres!.open();
    owned.defer(() => postgres!.dispose());
    url = await startBouncer();
  });
  afterAll(() => owned.disposeAsync());

  it('is opened, asked and written to by more callers than it has connections', async () => {
    expect(await databaseExists({ url, file: '' })).toBe(true);
    const db = await openDatabase({ url, file: '' }, { schema: 'migrate' });
    const add = (name: string) =>
      db.transaction(async (trx) => {
        await trx.insertInto('leases').values({ name, holder: 'x', expires_at: 1 }).execute();
        return trx.selectFrom('leases').select('holder').where('name', '=', name).executeTakeFirst();
      });
    const written = await Promise.all(Array.from({ length: CALLERS }, (_, n) => add(`caller-${n}`)));
    expect(written.map((row) => row?.holder)).toEqual(written.map(() => 'x'));
    const move = (n: number) =>
      db.batch([
        db.kysely.deleteFrom('leases').where('name', '=', `caller-${n}`),
        db.kysely
          .insertInto('leases')
          .values({ name: `moved-${n}`, holder: 'x', expires_at: 1 })
          .returning('holder'),
      ]);
    const moved = await Promise.all(Array.from({ length: CALLERS }, (_, n) => move(n)));
    expect(moved.map(([, rows]) => rows?.length)).toEqual(moved.map(() => 1));
    expect(await db.snapshot((trx) => trx.selectFrom('leases').select('name').execute())).toHaveLength(CALLERS);
    await db.wipe({ night: true });
    await db.close();
  });

  it('has no limits of ours, which the diagnosis says, until the role has them; without it they are there', async () => {
    const states = async (db: Db) => (await Array.fromAsync(checkPostgres(db))).map(({ about, state }) => [about, state]);
    const clock = ['Uhr der Datenbank', 'gut'];
    expect(await states(direct)).toEqual([clock, ['Grenzen', 'gut']]);
    const db = await openDatabase({ url, file: '' }, { schema: 'require' });
    expect(await states(db)).toEqual([clock, ['Grenzen', 'Achtung']]);
    await db.close();
    const { username, pathname } = new URL(url);
    await runSql(direct, `alter role ${username} in database ${pathname.slice(1)} set idle_in_transaction_session_timeout = '60s'`);
    // The settings of a role count for new connections.
    const later = await openDatabase({ url: await startBouncer(), file: '' }, { schema: 'require' });
    expect(await states(later)).toEqual([clock, ['Grenzen', 'gut']]);
    await later.close();
  });

  it('is passed by what needs a connection of its own: news are received, and without a way past it that is said', async () => {
    const hearing = async (directUrl: string | null) => {
      const db = await openDatabase({ url, directUrl, file: '' }, { schema: 'require' });
      const received: string[] = [];
      const connected = new Promise<void>((resolve) => db.notices?.listen({ received: (text) => received.push(text), connected: resolve }));
      await connected;
      return { db, received };
    };
    const [past, through] = [await hearing(postgres!.location(direct).url), await hearing(null)];
    await expect.poll(() => past.db.notices?.works()).toBe(true);
    await direct.notices?.send('news');
    await expect.poll(() => past.received).toContain('news');
    expect(through.db.notices?.works()).toBe(false);
    await Promise.all([past.db.close(), through.db.close()]);
  });
});

function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}
