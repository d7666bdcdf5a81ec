import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { canTls, certificate } from '../features/mail/testing/mailbox.ts';

if (!canTls) console.log('skipped: an authority of the house; it needs openssl');

const CONFIG = join(import.meta.dirname, 'config.ts');
/** Asks the address in its last argument, as the service and the commands do once they have their settings. */
const ASK = `
  const { ownConfig } = await import(${JSON.stringify(CONFIG)});
  ownConfig();
  console.log(await fetch(process.argv.at(-1)).then((answer) => answer.text(), (error) => error.cause.code));`;

it.skipIf(!canTls)('trusts the authority that the file of settings names, in the service and in each command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-certificates-'));
  const [own, other] = [await certificate(), await certificate()];
  const server = createServer(own, (_, response) => response.end('trusted')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = async (authorities: string): Promise<string> => {
    await writeFile(join(folder, 'ca.crt'), authorities);
    await writeFile(join(folder, 'feierbild.env'), `NODE_EXTRA_CA_CERTS=${join(folder, 'ca.crt')}\n`);
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const args = [`--env-file=${join(folder, 'feierbild.env')}`, '--input-type=module', '-e', ASK, url];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env.PATH } });
    return stdout.trim();
  };
  expect(await ask(`${other.cert}\n${own.cert}`)).toBe('trusted');
  expect(await ask(other.cert)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  server.close();
  await rm(folder, { recursive: true });
});
