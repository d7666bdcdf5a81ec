import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createClient } from './support/api.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

/** Has a port, and answers no TLS. */
const taken = createServer();
let server: TestServer | undefined;
afterAll(async () => {
  taken.close();
  await server?.dispose();
});

it('a first start that fails has shown the generated password, which the next start takes', async () => {
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as AddressInfo;
  const settings = { DATA_DIR: await mkdtemp(join(tmpdir(), 'feierbild-')), ADMIN_PASSWORD: '' };
  const failed = await startServer({ ...settings, PORT: String(port) }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failed).toContain(`PORT: Der Port ${port} ist schon belegt.`);
  // It may be our predecessor, which still ends.
  expect(failed).toContain('ended with 75');
  expect(failed).not.toContain('    at ');
  const password = /Passwort „([^“]+)“/.exec(failed)?.[1];
  expect(password).toMatch(/^[A-Z2-9]{5}(-[A-Z2-9]{5}){3}$/);

  server = await startServer(settings);
  expect(server.output()).not.toContain('Erste Anmeldung');
  await createClient(server.url).json('POST', '/auth/admin/login', { username: ADMIN.username, password }, 200);
});

it.each([
  ['DATA_DIR', '/proc/feierbild', 'Der Ordner lässt sich nicht benutzen: ', 78],
  ['DATABASE_URL', 'postgres://127.0.0.1:1/feierbild', 'Die Datenbank lässt sich nicht öffnen: dort nimmt niemand Verbindungen an (', 75],
  ['STORAGE_URL', 's3://fotos?endpoint=http://127.0.0.1:1', 'Der Fotospeicher antwortet nicht: dort nimmt niemand Verbindungen an (', 75],
  ['STORAGE_URL', 's3://fotos?endpoint=https://127.0.0.1:PLAIN', 'Der Fotospeicher antwortet nicht: dort wird kein TLS gesprochen; ', 78],
  ['STORAGE_URL', 's3://fotos?endpoint=http://127.0.0.1:1 ohne Schlüssel', 'Der Fotospeicher antwortet nicht: es fehlen Zugangsdaten', 78],
])(
  'a start with a %s with which nothing can run names it in German, without a stack, and tells by its code whether to try again',
  { timeout: 60_000 },
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
