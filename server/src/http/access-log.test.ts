import Fastify, { LogController, type FastifyBaseLogger } from 'fastify';
import { expect, it } from 'vitest';
import { createLog } from '../lib/log.ts';
import { logAccess } from './access-log.ts';

it('names the route and the network of who asked, and neither the path nor the address', async () => {
  const lines: string[] = [];
  const app = Fastify({
    loggerInstance: createLog('trace', { write: (line) => void lines.push(line) }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  logAccess(app);
  app.get('/event/:code', async () => 'ok');
  for (const remoteAddress of ['203.0.113.77', '::ffff:203.0.113.77', '2001:db8:1:2:3:4:5:6'])
    await app.inject({ url: '/event/ABCD2345?password=Lampion-9', remoteAddress });
  await app.close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { route: '/event/:code', status: 200, address: '203.0.113.0' },
    { route: '/event/:code', status: 200, address: '203.0.113.0' },
    { route: '/event/:code', status: 200, address: '2001:db8:1::' },
  ]);
  for (const secret of ['.77', ':5:6', 'ABCD2345', 'Lampion']) expect(lines.join('')).not.toContain(secret);
});
