import { errors, type ErrorCode } from '@feierbild/contract/errors.ts';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { expect, it } from 'vitest';
import { Refusal } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { translateErrors } from './errors.ts';

it('logs a refusal that the contract does not list for its call, and no other', async () => {
  const lines: string[] = [];
  const loggerInstance = createLog('error', { write: (line) => void lines.push(line) }) as FastifyBaseLogger;
  const app = Fastify({ loggerInstance });
  translateErrors(app);
  let code: ErrorCode = 'photo_not_found';
  app.get('/api/photos/:id/download', () => {
    throw new Refusal(code);
  });
  const ask = (method: 'GET' | 'HEAD') => app.inject({ method, url: '/api/photos/1/download' });
  expect((await ask('GET')).statusCode).toBe(404);
  expect((await ask('HEAD')).statusCode).toBe(404);
  expect(lines).toEqual([]);
  code = 'archive_empty';
  expect((await ask('GET')).statusCode).toBe(400);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ route: '/api/photos/:id/download', code }]);
  await app.close();
});

it('says with every 429 and 503 of the contract when to try again, in whole seconds and at least one', async () => {
  const app = Fastify({ loggerInstance: createLog('silent') as FastifyBaseLogger });
  translateErrors(app);
  app.get<{ Querystring: { code: ErrorCode; after?: string } }>('/', ({ query: { code, after } }) => {
    throw new Refusal(code, after === undefined ? {} : { retryAfter: Number(after) });
  });
  const told = async (code: string, after?: number): Promise<string | undefined> => {
    const query = { code, ...(after !== undefined && { after: String(after) }) };
    return (await app.inject({ method: 'GET', url: '/', query })).headers['retry-after'] as string | undefined;
  };
  const codes = Object.entries(errors).filter(([, { status }]) => status === 429 || status === 503);
  expect(codes.length).toBeGreaterThan(1);
  for (const [code] of codes) {
    expect(Number(await told(code)), code).toBeGreaterThanOrEqual(1);
    expect([await told(code, 0.001), await told(code, 61.2)]).toEqual(['1', '62']);
  }
  expect(await told('photo_not_found')).toBeUndefined();
  await app.close();
});
