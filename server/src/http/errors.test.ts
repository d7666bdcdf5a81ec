import type { ErrorCode } from '@feierbild/contract/errors.ts';
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
