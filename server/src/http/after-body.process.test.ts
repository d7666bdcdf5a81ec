import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { endSlowSenders, refuseWhileClosing } from './connections.ts';

/** More listeners than Node tolerates without a warning about a leak. */
const REQUESTS = 12;

it('a connection whose requests are answered before their bodies have come keeps no listeners of them', async () => {
  const app = Fastify();
  app.addHook(
    'preClose',
    refuseWhileClosing(app, () => false),
  );
  endSlowSenders(app, { limit: 1000 });
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.post('/upload', async () => 'abgelehnt');
  let seen: Socket | undefined;
  app.server.on('connection', (socket) => (seen = socket));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const listeners: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    socket.write('POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data\r\nContent-Length: 4\r\n\r\n');
    await once(socket, 'data');
    listeners.push(seen?.listenerCount('close') ?? 0);
    socket.write('rest');
  }
  // The last request's two listeners may remain.
  expect(listeners.at(-1)).toBeLessThanOrEqual((listeners[0] ?? 0) + 2);
  socket.destroy();
  await app.close();
});
