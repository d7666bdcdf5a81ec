import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feierbild-health-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'runtime'));
  await copyFile(join(import.meta.dirname, 'health.sh'), join(folder, 'bin/feierbild-health'));
  await symlink(process.execPath, join(folder, 'runtime/node'));
});
afterAll(() => rm(folder, { recursive: true }));

async function listen(host: string): Promise<{ server: Server; port: string }> {
  const server = createServer((request, response) => response.writeHead(request.url === '/health' ? 200 : 404).end());
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, port: String((server.address() as AddressInfo).port) };
}
async function health(env: Record<string, string>): Promise<number> {
  const child = spawn('/bin/sh', [join(folder, 'bin/feierbild-health')], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

it('a container counts as healthy by its settings, wherever they stand, and whichever address it listens on', async () => {
  const [everywhere, one] = [await listen('127.0.0.1'), await listen('127.0.0.2')];
  expect(await health({ PORT: everywhere.port })).toBe(0);
  for (const HOST of ['0.0.0.0', '::']) expect(await health({ PORT: everywhere.port, HOST })).toBe(0);
  const settings = join(folder, 'own.env');
  await writeFile(settings, `PORT=${one.port}\nHOST=127.0.0.2\n`);
  expect(await health({ SETTINGS_FILE: settings })).toBe(0);
  expect(await health({ SETTINGS_FILE: settings, PORT: everywhere.port, HOST: '127.0.0.1' })).toBe(0);
  await writeFile(join(folder, 'feierbild.env'), `PORT=${one.port}\nHOST=127.0.0.2\n`);
  expect(await health({})).toBe(0);
  one.server.close();
  expect(await health({})).toBe(1);
});
