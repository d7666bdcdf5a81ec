// node tools/store-database.ts: stores this release's databases and photo store, for e2e/stored-databases.system.test.ts. Run it once for
// each release with another migration; stored ones are never made anew.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { adminOf, createEvent, deviceOf, hostOf, upload, type EventUnderTest } from '../e2e/support/api.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import { sha256 } from '../e2e/support/sha256.ts';
import { ADMIN, startServer } from '../e2e/support/server.ts';
import type { StoredParty } from '../e2e/support/stored-database.ts';
import { RELEASED } from '../server/src/database/migrations/released.ts';
import { statementsOf } from '../server/src/database/migrations/testing.ts';
import { openSession } from '../server/src/database/postgres.ts';
import { newPostgres } from '../server/src/database/testing.ts';
import { TABLES } from '../server/src/database/tables.ts';
import { freePort } from '../server/src/testing/system.ts';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const STORED = join(import.meta.dirname, '../e2e/stored', version);
if (existsSync(STORED)) throw new Error(`${STORED} is there already`);
await mkdir(STORED, { recursive: true });

/** Makes an event with a guest's photo, a host with a ZIP, and all passwords. */
async function celebrate(url: string): Promise<Omit<StoredParty, 'files'>> {
  const passwords = {
    with_upload_password: true,
    user_upload_password: 'Größe 42',
    with_fotobox: true,
    fotobox_upload_password: 'Kasten 7',
  };
  // The event's photos are kept long after this release.
  const days = { start_date: '2026-11-23', end_date: '2999-12-31' };
  const event: EventUnderTest = await createEvent(await adminOf(url), { title: 'Hochzeit von früher', ...days, ...passwords });
  const device = await deviceOf(url);
  const file = await drawPhoto(1, 60, 40);
  const sent = { url, code: event.code, device, file, name: 'IMG_0815.jpg', deviceName: 'Zoë', password: 'Größe 42' };
  if ((await upload(sent)).status !== 201) throw new Error('the photo was refused');
  const host = await hostOf(url, event);
  await host.json('POST', `/api/events/${event.code}/create-zip`);
  while ((await host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status !== 'complete');
  return { admin: ADMIN, host: event.host, device, sha256: sha256(file), ...passwords };
}

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), (await readFile(path)).toString('base64')] as const)),
  );
}

/** Returns the statements that make such a database. */
async function dump(client: Awaited<ReturnType<typeof openSession>>): Promise<string> {
  const lines = [
    'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);',
    'create table kysely_migration_lock (id varchar(255) primary key, is_locked integer default 0 not null);',
    "insert into kysely_migration_lock values ('migration_lock', 0);",
  ];
  for (const name of Object.keys(RELEASED)) lines.push(`${await statementsOf('postgres', name)};`);
  for (const table of ['kysely_migration', ...Object.keys(TABLES).filter((name) => name !== 'due_rewrites')]) {
    const { rows } = await client.query<Record<string, unknown>>(`select * from ${table}`);
    for (const row of rows)
      lines.push(
        `insert into ${table} values (${Object.values(row)
          .map((value) =>
            value === null
              ? 'null'
              : Buffer.isBuffer(value)
                ? `'\\x${value.toString('hex')}'`
                : client.escapeLiteral(`${value as string | number}`),
          )
          .join(', ')});`,
      );
  }
  return `${lines.join('\n')}\n`;
}

const folder = await mkdtemp(join(tmpdir(), 'feierbild-stored-'));
// If this process is root, PostgreSQL runs as another user.
await chmod(folder, 0o755);
const parties: Record<string, StoredParty> = {};
for (const engine of ['sqlite', 'postgres']) {
  const DATA_DIR = join(folder, engine);
  const port = await freePort();
  const postgres = engine === 'postgres' ? newPostgres(join(folder, 'pg'), port) : null;
  await postgres?.initialise();
  await postgres?.start();
  const DATABASE_URL = `postgres://postgres:test@127.0.0.1:${port}/postgres`;
  const server = await startServer({ DATA_DIR, ...(postgres && { DATABASE_URL }) });
  const party = await celebrate(server.url);
  await server.stop();
  parties[engine] = { ...party, files: await filesBelow(join(DATA_DIR, 'photos')) };
  if (postgres) {
    const client = await openSession(DATABASE_URL);
    await writeFile(join(STORED, 'feierbild.sql'), await dump(client));
    await client.end();
    await postgres.stop();
  } else {
    await writeFile(join(STORED, 'feierbild.sqlite.gz'), gzipSync(await readFile(join(DATA_DIR, 'feierbild.sqlite')), { level: 9 }));
  }
}
await writeFile(join(STORED, 'parties.json'), `${JSON.stringify(parties, null, 2)}\n`);
await rm(folder, { recursive: true, force: true });
