import { mkdtemp } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createClient } from './support/api.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

const taken: Server = createServer();
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
  expect(failed).toContain('EADDRINUSE');
  const password = /Passwort „([^“]+)“/.exec(failed)?.[1];
  expect(password).toMatch(/^[A-Z2-9]{5}(-[A-Z2-9]{5}){3}$/);

  server = await startServer(settings);
  expect(server.output()).not.toContain('Erste Anmeldung');
  await createClient(server.url).json('POST', '/auth/admin/login', { username: ADMIN.username, password }, 200);
});
