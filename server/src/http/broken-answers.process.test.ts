import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { expect, it } from 'vitest';
import { Unavailable } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { dropRest } from './body.ts';
import { translateErrors } from './errors.ts';
import { logBrokenAnswers } from './request-log.ts';

it('an answer whose bytes end early has a line of its own, unless its client went away', async () => {
  const lines: string[] = [];
  const app = Fastify({
    loggerInstance: createLog('info', { write: (line) => void lines.push(line) }) as FastifyBaseLogger,
    logController: logBrokenAnswers(),
  });
  translateErrors(app);
  const gone = Promise.withResolvers<void>();
  const answers: Record<string, () => AsyncGenerator<Buffer>> = {
    async *silent() {
      yield Buffer.from('some');
      throw new Unavailable('store', new Error('no answer'));
    },
    async *lost() {
      yield Buffer.from('some');
      throw new Error('a blob is not there');
    },
    async *endless() {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        gone.resolve();
      }
    },
  };
  app.get('/photos/:id', (request, reply) => reply.send(Readable.from(answers[(request.params as { id: string }).id]!())));
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.get('/slow', async (request, reply) => {
    dropRest(request);
    const left = new Promise<void>((closed) => reply.raw.once('close', closed));
    asked.resolve();
    await left;
    return reply.send(Readable.from(answers['silent']!()).once('close', answered.resolve));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  for (const id of Object.keys(answers)) {
    await new Promise<void>((closed) => {
      get({ port, path: `/photos/${id}`, agent: false }, (answer) => {
        answer.on('error', () => undefined).on('close', closed);
        if (id === 'endless') answer.destroy();
        else answer.resume();
      });
    });
  }
  const early = get({ port, path: '/slow', agent: false }).on('error', () => undefined);
  await asked.promise;
  early.destroy();
  await Promise.all([gone.promise, answered.promise]);
  await app.close();
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ level }) => level !== 'info');
  expect(told).toMatchObject([
    { level: 'warn', route: '/photos/:id', err: { type: 'Unavailable' } },
    { level: 'error', route: '/photos/:id', err: { message: 'a blob is not there' } },
  ]);
});
