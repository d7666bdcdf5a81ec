import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { newDevice, openApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const [engine] = engines();
const decoder = useDecoder(engine ? [engine] : []);

/**
 * Starts an HTTP/1.1 proxy that stores and forwards: it takes a whole request before it sends it on, and reads no answer earlier. 502 after
 * a break.
 */
async function startProxy(target: string): Promise<{ url: string; close(): void }> {
  const proxy = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method, url = '/', headers } = request;
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const onward = httpRequest(target + url, { method: method as string, headers }, resolve).on('error', reject);
        onward.on('socket', (socket) => socket.once('connect', () => socket.pause()));
        onward.end(body, () => onward.socket?.resume());
      });
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(await text(answer));
    } catch {
      response.writeHead(502).end('Bad Gateway');
    }
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => void proxy.close() };
}

it.each([
  ['an address', (n: number) => `198.51.100.7:${49_000 + n}`],
  ['an address of IPv6', (n: number) => `[2001:db8:7::1]:${49_000 + n}`],
  ['addresses of several proxies', (n: number) => `198.51.100.7:${49_000 + n}, 127.0.0.1:${50_000 + n}`],
])('a port that a trusted proxy writes behind %s makes no other network of each connection', async (_what, forwardedFor) => {
  if (!engine) throw new Error('no engine');
  const db = await engine.open();
  const app = await openApp({ db, decoder, env: { TRUST_PROXY: '127.0.0.1' } });
  const { code } = await app.event();
  const statuses: number[] = [];
  for (let n = 1; n <= 11; n++) {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': forwardedFor(n) };
    const body = JSON.stringify({ username: code, password: 'AAAA-AAAA-AAAA-AAAA' });
    statuses.push((await fetch(`${app.url}/auth/user/login`, { method: 'POST', headers, body })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  const entries = await db.kysely.selectFrom('audit').select('address').where('action', '=', 'login.limited').execute();
  expect(entries).toEqual([{ address: forwardedFor(0).startsWith('[') ? '2001:db8:7::1' : '198.51.100.7' }]);
  await app.close();
});

it('a POST that names HEAD as its method is answered whole: its sender waits for as many bytes as are announced', async () => {
  if (!engine) throw new Error('no engine');
  const app = await openApp({ db: await engine.open(), decoder });
  for (const path of ['/api/site', '/health', '/device_id']) {
    const headers = { 'x-http-method-override': 'HEAD' };
    const answer = await fetch(app.url + path, { method: 'POST', headers, signal: AbortSignal.timeout(2000) });
    expect([path, answer.status, await answer.text()]).toEqual([path, 404, expect.stringContaining('Not Found')]);
  }
  await app.close();
});

it('a file far too large is refused in words also behind a proxy that sends all of it first', async () => {
  if (!engine) throw new Error('no engine');
  const app = await openApp({ db: await engine.open(), decoder, maxBytes: 2_000_000 });
  const proxy = await startProxy(app.url);
  const { code } = await app.event();
  const form = new FormData();
  // The file does not fit into the buffers of the connection.
  form.append('file', new Blob([Buffer.alloc(20_000_000)]), 'IMG_0001.jpg');
  const answer = await fetch(`${proxy.url}/upload`, {
    method: 'POST',
    body: form,
    headers: { 'device-id': newDevice(), 'event-code': code },
  });
  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('"code":"too_large"')]);
  proxy.close();
  await app.close();
});
