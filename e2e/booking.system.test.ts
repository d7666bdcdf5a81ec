import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../server/src/features/webhooks/testing/verify.ts';
import { adminOf, NEXT_YEAR, type Client } from './support/api.ts';
import { missingForCluster, startCluster, type Cluster } from './support/cluster.ts';
import { startServer, type TestServer } from './support/server.ts';

const EVENTS = 30;
const PAUSE_MS = 100;

interface Made {
  id: string;
  code: string;
  title: string;
  host: { email: string };
  invitation?: { link?: string };
}

async function tokenOf(admin: Client): Promise<string> {
  const body = { name: 'Buchung', scopes: ['events:read', 'events:write'] };
  return (await admin.json<{ token: string }>('POST', '/admin/tokens', body, 201)).token;
}

/**
 * Runs a booking tool's script as in docs/benutzung: creates each event with its host, and repeats a call until it is answered.
 * Asks `urls` in turn, and calls `onAnswer` for each event.
 */
async function book(urls: readonly string[], token: string, onAnswer: () => void): Promise<Made[]> {
  const made: Made[] = [];
  let asked = 0;
  for (let n = 1; n <= EVENTS; n++) {
    const body = {
      title: `Buchung ${n}`,
      start_date: `${NEXT_YEAR}-05-15`,
      end_date: `${NEXT_YEAR}-05-16`,
      storage_limit: 15,
      host: { email: `gastgeber-${n}@example.org`, name: `Lena ${n}` },
    };
    for (;;) {
      const answer = await fetch(`${urls[asked++ % urls.length]}/admin/create_event`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': `buchung-${n}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      if (answer?.status === 201 && text) {
        made.push(JSON.parse(text) as Made);
        onAnswer();
        break;
      }
      if (answer && answer.status !== 503 && text !== null) throw new Error(`${answer.status} ${text}`);
      await pause(PAUSE_MS);
    }
  }
  return made;
}

/** Runs two scripts at once, with `kill` at some answers, and then a third one; expects that all get the same events, each once. */
async function bookTwice(admin: Client, urls: readonly string[], token: string, kill: (n: number) => Promise<void>): Promise<void> {
  const killsAt = [5, 23, 41];
  const kills: Promise<void>[] = [];
  let answers = 0;
  const onAnswer = (): void => {
    answers += 1;
    if (answers === killsAt[kills.length]) kills.push(kill(kills.length));
  };
  const [one, two] = await Promise.all([book(urls, token, onAnswer), book(urls.toReversed(), token, onAnswer)]);
  await Promise.all(kills);
  expect(kills).toHaveLength(killsAt.length);
  const third = await book(urls, token, () => undefined);
  const known = (made: Made[]) => made.map(({ id, code, title, host }) => [id, code, title, host.email]);
  expect(known(two)).toEqual(known(one));
  expect(known(third)).toEqual(known(one));
  // Nobody is invited twice, and only the first answer has the link.
  expect(third.filter(({ invitation }) => invitation)).toEqual([]);
  const { events } = await admin.json<{ events: Made[] }>('GET', '/admin/events');
  expect(events.map(({ code }) => code).toSorted()).toEqual(one.map(({ code }) => code).toSorted());
  expect(events.map(({ host }) => host.email).toSorted()).toEqual(one.map(({ host }) => host.email).toSorted());
  expect(new Set(one.map(({ code }) => code)).size).toBe(EVENTS);
}

/** Runs the command of docs/benutzung/verbindungen.md with another address; returns the event's code. */
async function asWritten(url: string, token: string): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../docs/benutzung/verbindungen.md'), 'utf8');
  const command = /^curl [^`]+/m.exec(page)?.[0].replace('https://fotos.beispiel.de', url) ?? 'false';
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { PATH: process.env.PATH, TOKEN: token } });
  return (JSON.parse(stdout) as Made).code;
}

describe('a booking tool that creates thirty events with hosts', () => {
  let server: TestServer;
  let receiver: Server;
  /** Received messages by id, with the number of their deliveries. */
  let received: Map<string, { times: number; type: string; code: string }>;
  let secret: string;
  /** Called before the receiver confirms a message; while null, the receiver answers 503. */
  let onMessage: ((id: string) => Promise<void>) | null;

  beforeAll(async () => {
    received = new Map();
    onMessage = null;
    receiver = createServer((request, answer) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', async () => {
        if (!onMessage) return void answer.writeHead(503).end();
        const { headers } = request;
        const { type, data } = verify<{ type: string; data: { event: { code: string } } }>(secret, { headers, body });
        const id = String(headers['webhook-id']);
        const times = (received.get(id)?.times ?? 0) + 1;
        received.set(id, { times, type, code: data.event.code });
        await onMessage(id);
        answer.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    server = await startServer({ WEBHOOK_PRIVATE: 'on' });
  });
  afterAll(async () => {
    receiver?.close();
    await server?.dispose();
  });

  it('twice and at once, while the server is killed, makes thirty, and each of them is told once', async () => {
    const admin = await adminOf(server.url);
    const token = await tokenOf(admin);
    const hook = {
      name: 'Buchung',
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      topics: ['event.created', 'host.invited'],
    };
    ({ secret } = await admin.json<{ secret: string }>('POST', '/admin/webhooks', hook, 201));
    await bookTwice(admin, [server.url], token, () => server.restart());
    expect(server.output()).not.toContain(token);
    expect(await asWritten(server.url, token)).toEqual(await asWritten(server.url, token));

    const restart = async (): Promise<void> => {
      await server.kill();
      // Frees a killed process's work, and makes work due that nobody took; by itself, both happen within minutes.
      const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
      db.exec(`update leases set expires_at = 0, ran_at = null where name = 'webhooks'; update outbox set held_until = 0, due_at = 0`);
      db.close();
      await server.restart();
    };
    // The server is killed once more, when the receiver has a message that it has not confirmed yet.
    let started = Promise.resolve();
    const killed = Promise.withResolvers<string>();
    onMessage = async (id) => {
      if (received.size !== 20) return;
      await started;
      await server.kill();
      killed.resolve(id);
    };
    started = restart();
    await started;
    const last = await killed.promise;
    onMessage = async () => undefined;
    await restart();
    // Each event has two messages; the event made by curl has no host, so one.
    await expect.poll(() => received.size, { timeout: 60_000 }).toBe(2 * EVENTS + 1);
    await expect.poll(() => received.get(last)?.times).toBe(2);
    const told = [...received].map(([id, { times }]) => [id, times]);
    expect(told.filter(([id]) => id !== last).every(([, times]) => times === 1)).toBe(true);
    const kinds = [...received.values()].map(({ type, code }) => `${type} ${code}`);
    expect(new Set(kinds).size).toBe(2 * EVENTS + 1);
  });
});

if (missingForCluster.length > 0) console.log(`skipped: a booking tool and two nodes; they need ${missingForCluster.join(', ')}`);

describe.skipIf(missingForCluster.length > 0)('a booking tool that creates thirty events with hosts on two nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(2);
  });
  afterAll(() => cluster?.dispose());

  it('twice and at once, while one or the other is killed, makes thirty', async () => {
    const [one, two] = cluster.nodes as [TestServer, TestServer];
    const admin = await adminOf(two.url);
    const token = await tokenOf(admin);
    await bookTwice(admin, [one.url, two.url], token, (n) => (n % 2 ? two : one).restart());
  });
});
