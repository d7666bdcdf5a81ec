import Fastify, { LogController, type FastifyBaseLogger } from 'fastify';
import { expect, it } from 'vitest';
import { createLog } from '../lib/log.ts';
import { securityHeaders } from './headers.ts';
import { requestIds, requestLog } from './request-id.ts';

const OWN = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

async function ask(behindProxy: boolean, headers: Record<string, string>) {
  const lines: string[] = [];
  const app = Fastify({
    loggerInstance: createLog('info', { write: (line) => void lines.push(line) }).child({ node: 'one' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds({ behindProxy }),
    childLoggerFactory: requestLog,
  });
  securityHeaders(app, { https: false });
  app.get('/', async (request) => {
    request.log.info('seen');
    return 'ok';
  });
  const answer = await app.inject({ url: '/', headers });
  await app.close();
  return { id: answer.headers['x-request-id'] as string, line: JSON.parse(lines[0] ?? '') as Record<string, string> };
}

it('is in the answer and in each log line, with the node’s name', async () => {
  const { id, line } = await ask(false, { 'x-request-id': 'of-a-stranger' });
  expect(id).toMatch(OWN);
  expect(line).toMatchObject({ reqId: id, node: 'one', msg: 'seen' });
});

it('is the proxy’s where that is well-formed, and the trace’s id goes to the log', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { id, line } = await ask(true, { 'x-request-id': 'f058ebd6-02f7-4d3f', traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  expect(id).toBe('f058ebd6-02f7-4d3f');
  expect(line).toMatchObject({ reqId: id, trace });
  for (const wrong of ['short', 'x'.repeat(65), 'line break', '"><script>']) {
    const answer = await ask(true, { 'x-request-id': wrong, traceparent: `00-${wrong}` });
    expect(answer.id).toMatch(OWN);
    expect(answer.line).not.toHaveProperty('trace');
  }
});
