import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { RUN_FOLDER } from '../server/src/testing/run-folder.ts';
import { adminOf, createClient, createEvent, deviceOf, hostOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

/** A server that occupies a port and does not speak TLS. */
const taken = createServer();
let server: TestServer | undefined;
afterAll(async () => {
  taken.close();
  await server?.dispose();
});

it('a first start that fails has shown the generated password, which the next start takes', async () => {
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as AddressInfo;
  const settings = { DATA_DIR: await mkdtemp(join(RUN_FOLDER, 'first-')), ADMIN_PASSWORD: '' };
  const failed = await startServer({ ...settings, PORT: String(port) }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failed).toContain(`PORT: Der Port ${port} ist schon belegt.`);
  // The port's owner may be a predecessor that is still ending.
  expect(failed).toContain('ended with 75');
  expect(failed).not.toContain('    at ');
  const password = /Passwort „([^“]+)“/.exec(failed)?.[1];
  expect(password).toMatch(/^[A-Z2-9]{5}(-[A-Z2-9]{5}){3}$/);

  server = await startServer(settings);
  expect(server.output()).not.toContain('Erste Anmeldung');
  await createClient(server.url).json('POST', '/auth/admin/login', { username: ADMIN.username, password }, 200);
});

it('a start on data that no release has left says so, changes nothing, and is not tried again', async () => {
  const DATA_DIR = await mkdtemp(join(RUN_FOLDER, 'first-'));
  const db = new DatabaseSync(join(DATA_DIR, 'feierbild.sqlite'));
  // Before the first release, databases had migrations that exist no more, and no table of settings.
  db.exec(`create table kysely_migration (name text primary key, timestamp text); create table events (id text primary key);
    insert into kysely_migration values ('0001-start', ''), ('0002-links', ''), ('0011-traces', '')`);
  const failed = await startServer({ DATA_DIR }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failed).toContain('ended with 78:\nDie Datenbank hat einen Stand, den keine veröffentlichte Fassung von Feierbild hinterlässt');
  expect(failed).not.toMatch(/no such table|lässt sich nicht benutzen|DATA_DIR: /);
  expect(db.prepare("select count(*) as tables from sqlite_master where type = 'table'").get()).toEqual({ tables: 2 });
  db.close();
});

it('a start with an empty database beside the photos of another one says so, is not tried again, and changes nothing', async () => {
  const DATA_DIR = await mkdtemp(join(RUN_FOLDER, 'first-'));
  await server?.dispose();
  server = await startServer({ DATA_DIR });
  const event = await createEvent(await adminOf(server.url));
  const device = await deviceOf(server.url);
  expect((await upload({ url: server.url, code: event.code, device, file: await drawPhoto(1) })).status).toBe(201);
  await server.stop();
  const stored = async () => (await readdir(join(DATA_DIR, 'photos'), { recursive: true })).toSorted();
  const before = await stored();
  const files = ['feierbild.sqlite', 'feierbild.sqlite-wal', 'feierbild.sqlite-shm'];
  const move = async (from: string, to: string) => {
    for (const name of files) await rename(join(DATA_DIR, from + name), join(DATA_DIR, to + name)).catch(() => undefined);
  };
  await move('', 'aside-');
  const failed = await startServer({ DATA_DIR }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failed).toContain('ended with 78:\nIm Fotospeicher liegen die Fotos eines anderen Feierbild; nichts davon wurde verändert.');
  expect(failed).not.toContain('    at ');
  expect(await stored()).toEqual(before);

  for (const name of files) await rm(join(DATA_DIR, name), { force: true });
  await move('aside-', '');
  server = await startServer({ DATA_DIR });
  expect(await (await hostOf(server.url, event)).json('GET', `/api/events/${event.code}/photos`)).toMatchObject({ photos: [{}] });
});

it.each([
  ['DATA_DIR', '/proc/feierbild', 'Der Ordner lässt sich nicht benutzen: ', 78],
  ['DATABASE_URL', 'postgres://127.0.0.1:1/feierbild', 'Die Datenbank lässt sich nicht öffnen: dort nimmt niemand Verbindungen an (', 75],
  ['STORAGE_URL', 's3://fotos?endpoint=http://127.0.0.1:1', 'Der Fotospeicher antwortet nicht: dort nimmt niemand Verbindungen an (', 75],
  ['STORAGE_URL', 's3://fotos?endpoint=https://127.0.0.1:PLAIN', 'Der Fotospeicher antwortet nicht: dort wird kein TLS gesprochen; ', 78],
  ['STORAGE_URL', 's3://fotos?endpoint=http://127.0.0.1:1 ohne Schlüssel', 'Der Fotospeicher antwortet nicht: es fehlen Zugangsdaten', 78],
])(
  'a start with a %s with which nothing can run names it in German, without a stack, and tells by its code whether to try again',
  async (name, value, trouble, code) => {
    const [address = '', without] = value.replace('PLAIN', String((taken.address() as AddressInfo).port)).split(' ');
    const keys = without ? { AWS_EC2_METADATA_DISABLED: 'true' } : { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
    const failed = await startServer({ [name]: address, ...keys }).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(failed).toContain(`${name}: ${trouble}`);
    expect([failed.includes(`ended with ${code}`), failed.includes('    at ')]).toEqual([true, false]);
  },
);
