import Fastify, { LogController, type FastifyBaseLogger } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/open.ts';
import { engines } from '../database/testing.ts';
import { createLog } from '../lib/log.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { translateErrors } from './errors.ts';

const QUIET_MS = 3000;

const postgres = engines().find(({ name }) => name === 'postgres');

describe.runIf(postgres)('an outage of the database', () => {
  afterAll(() => postgres?.dispose());

  it('is logged once when it begins and once when it ends, with the number of refused requests', async () => {
    const url = new URL(postgres!.location(await postgres!.open()).url!);
    const proxy = await tcpProxy(Number(url.port));
    url.port = String(proxy.port);
    const db = await openDatabase({ url: url.href, file: '' }, { schema: 'migrate' });
    const lines: string[] = [];
    const loggerInstance = createLog('info', { write: (line) => void lines.push(line) }) as FastifyBaseLogger;
    const app = Fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) });
    translateErrors(app, { outageQuietMs: QUIET_MS });
    app.get('/api/leases', () => db.kysely.selectFrom('leases').selectAll().execute());
    try {
      expect((await app.inject('/api/leases')).statusCode).toBe(200);
      proxy.cut();
      await proxy.close();
      const answers = await Promise.all(Array.from({ length: 5 }, () => app.inject('/api/leases')));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 503, 503]);
      const logged = () => lines.map((line) => JSON.parse(line) as object);
      await expect.poll(() => logged().length).toBe(2);
      expect(logged()).toMatchObject([
        { level: 'error', msg: 'outage began', dependency: 'database', err: { type: 'Unavailable' } },
        { level: 'info', msg: 'outage ended', dependency: 'database', refused: 5 },
      ]);
    } finally {
      await app.close();
      await db.close();
    }
  });
});
