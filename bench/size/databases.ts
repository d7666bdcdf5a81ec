import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from '../../e2e/support/api.ts';
import { drawPhoto } from '../../e2e/support/photos.ts';
import { startServer, type TestServer } from '../../e2e/support/server.ts';
import { newPostgres } from '../../server/src/database/testing.ts';
import { freePort } from '../../server/src/testing/system.ts';
import { fillFew, fillMany } from './fill.ts';
import { LOG_LINE } from './plans.ts';

/** Real photos of the event under test, which its ZIP contains. */
export const ZIP_PHOTOS = 20;
/** Memory as operators give to such a database; the log's settings for plans.ts; the others speed up filling. */
const FLAGS = {
  shared_buffers: '1GB',
  log_line_prefix: LOG_LINE,
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** A database and a folder of photos, with an event of 5,000 photos in it. */
export interface TestDatabase {
  name: 'few' | 'many';
  url: string;
  event: EventUnderTest;
  device: string;
  /** Settings of a node on this database. */
  settings: Record<string, string>;
}

export interface TestDatabases {
  few: TestDatabase;
  many: TestDatabase;
  /** Pieces of PostgreSQL's log. */
  log: string[];
  /** Creates a database, in place of one with that name. */
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL with two databases: each has an event of 5,000 photos, in one of them among 10,000,000. Reuses the contents of
 * `folder` from an earlier call; making them takes minutes and some 20 GB.
 */
export async function openTestDatabases(folder: string): Promise<TestDatabases> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const port = await freePort();
  const data = join(folder, 'postgres');
  const flags = Object.entries(FLAGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log: string[] = [];
  const postgres = newPostgres(data, port, flags, (text) => log.push(text));
  if (!existsSync(data)) await postgres.initialise();
  await postgres.start();
  const createDatabase = async (name: string): Promise<void> => {
    await postgres.dropDatabase(name).catch(() => undefined);
    await postgres.createDatabase(name);
  };
  const openOne = async (name: TestDatabase['name']): Promise<TestDatabase> => {
    const url = `postgres://postgres:test@127.0.0.1:${port}/${name}`;
    const settings = { DATABASE_URL: url, DATA_DIR: join(folder, name), NODE_NAME: name, DECODERS: '1' };
    const done = join(folder, `${name}.json`);
    if (!existsSync(done)) {
      // Removes the rest of an interrupted call.
      await rm(join(folder, name), { recursive: true, force: true });
      await createDatabase(name);
      await writeFile(done, JSON.stringify(await make(url, settings, name)));
    }
    return { name, url, settings, ...(JSON.parse(await readFile(done, 'utf8')) as Pick<TestDatabase, 'event' | 'device'>) };
  };
  try {
    return { few: await openOne('few'), many: await openOne('many'), log, createDatabase, stop: () => postgres.stop() };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function make(
  url: string,
  settings: Record<string, string>,
  name: TestDatabase['name'],
): Promise<Pick<TestDatabase, 'event' | 'device'>> {
  const server = await startServer(settings);
  try {
    const event = await createEvent(await adminOf(server.url));
    const device = await deviceOf(server.url);
    const base = await drawPhoto(1, 300, 200);
    for (let n = 0; n < ZIP_PHOTOS; n++) {
      const file = Buffer.concat([base, Buffer.from(`#${n}`)]);
      const { status } = await upload({ url: server.url, code: event.code, device, file });
      if (status !== 201) throw new Error(`an upload was answered ${status}`);
    }
    await makeZip(await hostOf(server.url, event), event);
    await (name === 'few' ? fillFew : fillMany)(url, event.id);
    return { event, device };
  } finally {
    await server.stop();
  }
}

export async function makeZip(host: Client, { code }: EventUnderTest): Promise<void> {
  await host.json('POST', `/api/events/${code}/create-zip`, undefined, 202);
  while ((await host.json<{ status: string }>('GET', `/api/events/${code}/zip-progress`)).status !== 'complete') await pause(20);
}

/** Starts a node on a test database, with its host's client. */
export async function nodeOn(
  { settings, event }: TestDatabase,
  more: Record<string, string> = {},
): Promise<{ node: TestServer; host: Client }> {
  const node = await startServer({ ...settings, ...more });
  return { node, host: await hostOf(node.url, event) };
}
