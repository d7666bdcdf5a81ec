import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseWhileClosing } from './connections.ts';

/** More bytes than this machine's sockets buffer. */
const LARGE_BYTES = 30_000_000;

describe('a server that closes', () => {
  let app: FastifyInstance;
  let release: () => void;
  let draining: boolean;
  const agent = new Agent({ keepAlive: true });
  beforeEach(async () => {
    app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
    draining = false;
    const finishRunning = refuseWhileClosing(app, () => draining);
    const held = new Promise<void>((resolve) => (release = resolve));
    app.get('/held', () => held.then(() => 'held'));
    app.get('/large', () => Buffer.alloc(LARGE_BYTES));
    for (const path of ['/health', '/dav/:code/*']) app.get(path, () => 'served');
    app.addHook('preClose', finishRunning);
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => {
    release();
    return app.close();
  });

  const port = (): number => (app.server.address() as AddressInfo).port;
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port()}${path}`);
  /** Resolves once new requests are refused. */
  const refusing = () => expect.poll(async () => (await get('/nothing')).status).toBe(503);
  /** Opens a connection; resolves when its request has arrived. */
  async function ask(path: string): Promise<Socket> {
    const socket = connect(port(), '127.0.0.1');
    await once(socket, 'connect');
    const arrived = once(app.server, 'request');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await arrived;
    return socket;
  }

  it('asks clients to close their connections before it closes', async () => {
    const socket = await ask('/nothing');
    expect(String((await once(socket, 'data'))[0])).not.toMatch(/connection: close/i);
    draining = true;
    socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/connection: close/i);
    await once(socket, 'close');
  });

  it('finishes what runs, ends its connection, and waits for no idle one', async () => {
    const idle = await ask('/nothing');
    await once(idle, 'data');
    const answered = new Promise<IncomingMessage>((resolve) =>
      request({ port: port(), path: '/held', agent }, (response) => resolve(response.resume())).end(),
    );
    await once(app.server, 'request');
    const closed = app.close();
    await refusing();
    release();
    expect((await answered).headers.connection).toBe('close');
    await closed;
    if (idle.readyState !== 'closed') await once(idle, 'close');
  });

  it('refuses what comes meanwhile with 503, also on an open connection, and takes no new one once nothing runs', async () => {
    const open = await ask('/nothing');
    await once(open, 'data');
    await ask('/held');
    const target = port();
    const closed = app.close();
    await refusing();
    open.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String((await once(open, 'data'))[0])).toMatch(/^HTTP\/1.1 503 [^]*connection: close/i);
    const refused = await get('/held');
    const { headers } = refused;
    expect([headers.get('connection'), headers.get('retry-after'), await refused.json()]).toEqual([
      'close',
      '5',
      { code: 'unavailable', error: expect.any(String) },
    ]);
    release();
    await closed;
    await expect(once(connect(target, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('answers probes meanwhile, and booths, whose proxy asks no other node', async () => {
    await ask('/held');
    const closed = app.close();
    await refusing();
    expect([(await get('/health')).status, (await get('/dav/ABCD/a.jpg')).status]).toEqual([200, 200]);
    release();
    await closed;
  });

  it('waits for no body of a request that is answered already', async () => {
    const sender = await ask('/nothing');
    await once(sender, 'data');
    sender.write('POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 9\r\n\r\nhalf');
    expect(String((await once(sender, 'data'))[0])).toMatch(/^HTTP\/1.1 4/);
    await app.close();
  });

  it('sends an answer to its end that is written already', async () => {
    const reader = await ask('/large');
    reader.pause();
    const closed = app.close();
    await refusing();
    let bytes = 0;
    reader.on('data', (piece) => (bytes += piece.length)).resume();
    await once(reader, 'close');
    expect(bytes).toBeGreaterThan(LARGE_BYTES);
    await closed;
  });
});
