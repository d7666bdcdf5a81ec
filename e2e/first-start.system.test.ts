import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { RUN_FOLDER } from '../server/src/testing/run-folder.ts';
import { createClient } from './support/api.ts';
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
