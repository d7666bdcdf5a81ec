import Fastify, { LogController, type FastifyBaseLogger } from 'fastify';
import { expect, it } from 'vitest';
import { createLog } from '../lib/log.ts';
import { securityHeaders } from './headers.ts';
import { createProxies } from './proxies.ts';
import { requestIds, requestLogs } from './request-id.ts';

const isProxy = createProxies(['10.0.0.0/8', '2001:db8::1', 'loopback']);
const PROXIES = ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1', '127.0.0.1', '::1'];
const STRANGERS = ['11.1.2.3', '::ffff:11.1.2.3', '2001:db8::2'];
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SAID = { 'x-request-id': 'f058ebd6-02f7-4d3f', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
const OWN = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

async function ask(headers: Record<string, string>, remoteAddress: string) {
  const lines: string[] = [];
  const app = Fastify({
    loggerInstance: createLog('info', { write: (line) => void lines.push(line) }).child({ node: 'one' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(isProxy),
    childLoggerFactory: requestLogs(isProxy),
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
  for (const address of [...PROXIES, ...STRANGERS]) expect(createProxies(false)(address)).toBe(false);
});
