import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { berlinDay, addDays } from '@feierbild/contract/berlin.ts';
import { WEBHOOK_TOPICS } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { Db } from '../../../database/open.ts';
import type { Engine } from '../../../database/testing.ts';
import { openDesk, type Desk, type Jar } from '../../accounts/testing.ts';
import { verify } from './verify.ts';

export interface Message {
  type: string;
  timestamp: string;
  data: { event?: Record<string, string> };
}
interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** For tests: opens a desk before each test, whose webhooks lead to a server of the test's own. */
export function hooksOf(engine: Engine) {
  const clock = { time: 0, now: () => clock.time };
  const at = {} as {
    db: Db;
    desk: Desk;
    admin: Jar;
    receiver: Server;
    url: string;
    received: Received[];
    status: number;
    sent: Record<string, string>;
    said: string;
    /** The addresses of each name for the next look-ups. */
    names: Record<string, string[]>;
    lookups: string[];
    /** Called while a receiver works, or a name is looked up. */
    meanwhile: () => Promise<unknown>;
  };

  beforeEach(async () => {
    clock.time = Date.now();
    const meanwhile = () => Promise.resolve();
    Object.assign(at, { received: [], status: 200, sent: {}, said: 'danke', names: {}, lookups: [], meanwhile });
    at.db = await engine.open();
    at.receiver = createServer((request, answer) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        at.received.push({ headers: request.headers, body });
        void at.meanwhile().then(() => answer.writeHead(at.status, at.sent).end(at.said));
      });
    });
    await listen(0);
    at.url = `http://127.0.0.1:${(at.receiver.address() as AddressInfo).port}/haken`;
    await open(true);
  }, 60_000);
  afterEach(async () => {
    await at.desk.close();
    at.receiver.close();
  });
  afterAll(() => engine.dispose());

  const listen = (port: number): Promise<void> => new Promise((resolve) => at.receiver.listen(port, '127.0.0.1', resolve));
  const silent = (): Promise<unknown> => new Promise((resolve) => at.receiver.close(resolve));

  async function open(webhookPrivate: boolean): Promise<void> {
    await at.desk?.close();
    at.desk = await openDesk({
      db: at.db,
      clock,
      webhookPrivate,
      resolve: async (host) => {
        at.lookups.push(host);
        await at.meanwhile();
        return (at.names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
    });
    at.admin = await at.desk.admin();
  }

  const save = (to: string, topics: readonly string[] = WEBHOOK_TOPICS) =>
    at.desk.send('POST', '/admin/webhooks', { cookies: at.admin, body: { name: 'Buchung', url: to, topics } });
  async function add(to = at.url, topics: readonly string[] = WEBHOOK_TOPICS): Promise<{ id: string; secret: string }> {
    const made = await save(to, topics);
    expect([made.statusCode, made.body]).toEqual([201, expect.stringContaining('whsec_')]);
    const { secret, webhook } = made.json<{ secret: string; webhook: { id: string } }>();
    return { id: webhook.id, secret };
  }
  async function work(): Promise<void> {
    await at.desk.webhooks.run();
    await at.desk.outbox.run();
  }
  const verified = (secret: string): Message[] => at.received.map((message) => verify<Message>(secret, message));
  const deliveries = async (id: string) =>
    (await at.desk.send('GET', `/admin/outbox?lane=webhook+${id}`, { cookies: at.admin })).json<{
      deliveries: { id: string; state: string; answer: string; attempts: number; repeatable: boolean }[];
    }>().deliveries;
  const newEvent = () => {
    const day = addDays(berlinDay(clock.time), 1);
    return at.desk.event(at.admin, { title: 'Lena & Jonas', start_date: day, end_date: day, storage_limit: 1 });
  };

  return { at, clock, listen, silent, open, save, add, work, verified, deliveries, newEvent };
}
