import { MINUTE } from '@feierbild/contract/constants.ts';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { translateErrors } from './errors.ts';
import { endSlowSenders } from './connections.ts';

const LIMIT = 1_000_000;

describe('a sender', () => {
  let app: FastifyInstance;
  let socket: Socket;
  let received: string;
  /** The server's ends of the connections. */
  let connections: Socket[];

  beforeEach(async () => {
    app = Fastify({ forceCloseConnections: true });
    translateErrors(app);
    endSlowSenders(app, { limit: LIMIT });
    app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    app.post('/auth/user/login', async () => 'begrüßt');
    app.post('/upload', async () => 'abgelehnt');
    app.put('/api/photos/:id/poster', ({ raw }) => new Promise((read) => raw.once('end', read).resume()));
    await app.listen({ port: 0, host: '127.0.0.1' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    [received, connections] = ['', []];
    app.server.on('connection', (connection) => connections.push(connection));
    socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (piece) => (received += piece.toString()));
    socket.on('error', () => undefined);
  });
  afterEach(async () => {
    vi.useRealTimers();
    socket.destroy();
    await app.close();
  });

  const begin = (path: string, type: string, length: number): void =>
    void socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`);
  const sent = (bytes: string | Buffer): Promise<void> => new Promise((done) => socket.write(bytes, () => done()));

  it('of a form that does not come to its end loses the connection', async () => {
    const begun = vi.fn();
    app.server.once('request', begun);
    begin('/auth/user/login', 'application/json', 60_000);
    await sent('{');
    await expect.poll(() => begun.mock.calls.length).toBe(1);
    vi.advanceTimersByTime(MINUTE - 1);
    await sent(' ');
    expect(socket.closed).toBe(false);
    vi.advanceTimersByTime(1);
    await expect.poll(() => socket.closed).toBe(true);
  });

  it('of a picture that does not come to its end has some minutes', async () => {
    const begun = vi.fn();
    app.server.once('request', begun);
    socket.write('PUT /api/photos/1/poster HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data\r\nContent-Length: 60000\r\n\r\n-');
    await expect.poll(() => begun.mock.calls.length).toBe(1);
    vi.advanceTimersByTime(3 * MINUTE);
    await sent('-');
    expect(socket.closed).toBe(false);
    vi.advanceTimersByTime(MINUTE);
    await expect.poll(() => socket.closed).toBe(true);
  });

  it('of a whole form keeps it', async () => {
    begin('/auth/user/login', 'application/json', 2);
    await sent('{}');
    await expect.poll(() => received).toContain('begrüßt');
    vi.advanceTimersByTime(2 * MINUTE);
    received = '';
    begin('/auth/user/login', 'application/json', 2);
    await sent('{}');
    await expect.poll(() => received).toContain('begrüßt');
  });

  it('of an upload that was answered may go on with it, but not slowly, and not for ever', async () => {
    begin('/upload', 'multipart/form-data; boundary=x', 10 * LIMIT);
    await expect.poll(() => received).toContain('abgelehnt');
    const [connection] = connections;
    const send = async (bytes: number): Promise<void> => {
      const before = connection?.bytesRead ?? 0;
      socket.write(Buffer.alloc(bytes));
      await expect.poll(() => (connection?.bytesRead ?? 0) - before).toBe(bytes);
      vi.advanceTimersByTime(MINUTE);
    };
    await send(70_000);
    await send(70_000);
    await new Promise((look) => setImmediate(look));
    expect(socket.closed).toBe(false);
    await send(100);
    await expect.poll(() => socket.closed).toBe(true);
  });

  it('of an upload that was answered has an end', async () => {
    begin('/upload', 'multipart/form-data; boundary=x', 10 * LIMIT);
    await expect.poll(() => received).toContain('abgelehnt');
    socket.write(Buffer.alloc(LIMIT + 1));
    await expect.poll(() => connections[0]?.bytesRead ?? 0).toBeGreaterThan(LIMIT);
    vi.advanceTimersByTime(MINUTE);
    await expect.poll(() => socket.closed).toBe(true);
  });
});
