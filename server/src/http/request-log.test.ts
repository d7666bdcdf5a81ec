import Fastify, { type FastifyBaseLogger } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createLog } from '../lib/log.ts';
import { securityHeaders } from './headers.ts';
import { logAccess, logBrokenAnswers, requestNames } from './request-log.ts';

const TRUSTED = ['10.0.0.0/8', '2001:db8::1', 'loopback'];
const PROXIES = ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1', '127.0.0.1', '::1'];
const STRANGERS = ['11.1.2.3', '::ffff:11.1.2.3', '2001:db8::2'];
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SAID = { 'x-request-id': 'f058ebd6-02f7-4d3f', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
const OWN = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

async function ask(headers: Record<string, string>, remoteAddress: string, trusted: string[] | false = TRUSTED) {
  const lines: string[] = [];
  const app = Fastify({
    loggerInstance: createLog('info', { write: (line) => void lines.push(line) }).child({ node: 'one' }) as FastifyBaseLogger,
    logController: logBrokenAnswers(),
    ...requestNames(trusted),
  });
  securityHeaders(app, { https: false });
  app.get('/', async (request) => {
    request.log.info('seen');
    return 'ok';
  });
  const answer = await app.inject({ url: '/', headers, remoteAddress });
  await app.close();
  return { id: answer.headers['x-request-id'] as string, line: JSON.parse(lines[0] ?? '') as Record<string, string> };
}

describe('the id of a request', () => {
  it.each(STRANGERS)('is a new one for %s, in the answer and in each log line, with the node’s name', async (address) => {
    const { id, line } = await ask(SAID, address);
    expect(id).toMatch(OWN);
    expect(line).toMatchObject({ reqId: id, node: 'one', msg: 'seen' });
    expect(line).not.toHaveProperty('trace');
  });

  it.each(PROXIES)('is what the proxy %s says where that is well-formed, and the trace’s id goes to the log', async (address) => {
    const { id, line } = await ask(SAID, address);
    expect(id).toBe(SAID['x-request-id']);
    expect(line).toMatchObject({ reqId: id, trace: TRACE });
    for (const wrong of ['short', 'x'.repeat(65), 'line break', '"><script>']) {
      const answer = await ask({ 'x-request-id': wrong, traceparent: `00-${wrong}` }, address);
      expect(answer.id).toMatch(OWN);
      expect(answer.line).not.toHaveProperty('trace');
    }
  });

  it('is taken from nobody where no proxy is named', async () => {
    for (const address of [...PROXIES, ...STRANGERS]) expect((await ask(SAID, address, false)).id).toMatch(OWN);
  });
});

it('the access log names the route and the network of who asked, and neither the path nor the address', async () => {
  const lines: string[] = [];
  const app = Fastify({
    loggerInstance: createLog('trace', { write: (line) => void lines.push(line) }) as FastifyBaseLogger,
    logController: logBrokenAnswers(),
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
  for (const secret of ['113.77', ':5:6', 'ABCD2345', 'Lampion']) expect(lines.join('')).not.toContain(secret);
});
