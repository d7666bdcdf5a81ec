import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { dayFromToday } from '../../../e2e/support/api.ts';
import { runSql } from '../../../server/src/database/testing.ts';
import type { Mailbox } from '../../../server/src/features/mail/testing/mailbox.ts';
import { verify } from '../../../server/src/features/webhooks/testing/verify.ts';
import type { Random } from '../../support/random.ts';
import { note } from '../../support/report.ts';
import { jsonOf } from './ask.ts';
import { comes } from './checks.ts';
import { askUntilAnswered, withJson, type ClientContext } from './clients.ts';
import type { System } from './system.ts';

const TOPICS = ['event.created', 'host.invited', 'event.purged'] as const;
type Topic = (typeof TOPICS)[number];
/** Share of messages and mails that are refused, or whose answer is lost. */
const TROUBLE = 0.2;
const PURGED = 0.5;
/** Time until all news must have arrived. A killed node holds some of it for minutes; the bench ends that in the database. */
const TOLD_MS = 120_000;

interface Booking {
  id: string;
  code: string;
  email: string;
  purged: boolean;
}

export interface Bookings {
  /** Books events with hosts, repeating each call with its key until it is answered, and purges some of them, until the load ends. */
  run(): Promise<void>;
  /**
   * Checks that each event was reported by one message a topic, and its host has one invitation, unless the outbox reports that mail as
   * lost.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a booking tool with a token, and the receiver of its webhooks. `cookie`: the administrator's. */
export async function startBookings(
  { ask, findings, working }: ClientContext,
  { cluster, mailbox }: Pick<System, 'cluster' | 'mailbox'>,
  cookie: string,
  random: Random,
): Promise<Bookings> {
  const booked: Booking[] = [];
  /** Ids of the messages by topic and event. */
  const told = new Map<string, Set<string>>();
  let refuses = true;
  let secret = '';

  function receive({ headers }: IncomingMessage, body: string, answer: ServerResponse): void {
    if (refuses && random.chance(TROUBLE)) return void answer.writeHead(503).end();
    try {
      const { type, data } = verify<{ type: Topic; data: { event: { id: string } } }>(secret, { headers, body });
      const about = `${type} ${data.event.id}`;
      told.set(about, (told.get(about) ?? new Set()).add(String(headers['webhook-id'])));
    } catch (error) {
      findings.add(`a message was not signed: ${String(error)}`);
    }
    // The receiver took the message, but its answer is lost.
    if (refuses && random.chance(TROUBLE)) return void answer.destroy();
    answer.end();
  }
  const receiver = createServer((request, answer) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => receive(request, Buffer.concat(pieces).toString(), answer));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  troubled(mailbox, random, () => refuses);

  const asked = (path: string, body: object) =>
    askUntilAnswered(ask, { kind: `POST ${path}`, method: 'POST', path, ...withJson(body, { cookie }) });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  ({ secret } = jsonOf<{ secret: string }>(await asked('/admin/webhooks', { name: 'Buchung', url, topics: TOPICS })));
  const scopes = ['events:read', 'events:write'];
  const { token } = jsonOf<{ token: string }>(await asked('/admin/tokens', { name: 'Buchung', scopes }));

  async function book(n: number): Promise<Booking> {
    const email = `gastgeber-${n}@example.org`;
    const day = dayFromToday(20);
    const body = Buffer.from(JSON.stringify({ title: `Buchung ${n}`, start_date: day, end_date: day, host: { email, name: 'Lena' } }));
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': `buchung-${n}`, 'content-type': 'application/json' };
    const call = { kind: 'POST create_event, token', method: 'POST', path: '/admin/create_event', headers, body };
    const made = jsonOf<{ id: string; code: string }>(await askUntilAnswered(ask, call));
    // A tool that crashed before it stored the answer asks again.
    const again = jsonOf<{ id: string }>(await askUntilAnswered(ask, call));
    if (again.id !== made.id) findings.add(`${made.id} and ${again.id} are one booking`);
    return { ...made, email, purged: false };
  }

  async function purge(booking: Booking): Promise<void> {
    const path = `/admin/events/${booking.id}`;
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    await askUntilAnswered(ask, { kind: 'DELETE event', method: 'DELETE', path, headers, accepted: ['event_not_found'] });
    booking.purged = true;
  }

  async function checkMessages(): Promise<void> {
    const due = (): string[] =>
      booked.flatMap(({ id, purged }) => TOPICS.filter((topic) => purged || topic !== 'event.purged').map((topic) => `${topic} ${id}`));
    const missing = (): string[] => due().filter((about) => !told.has(about));
    await comes(() => missing().length === 0, TOLD_MS);
    for (const about of missing()) findings.add(`${about} was never told`);
    for (const about of due()) if ((told.get(about)?.size ?? 0) > 1) findings.add(`${about} was told by ${told.get(about)?.size} messages`);
  }

  async function checkMails(): Promise<void> {
    const lost = async (): Promise<Set<string>> => {
      const rows = await runSql<{ event: string }>(
        cluster.db,
        `select event_id as event from outbox where kind = 'mail' and state = 'failed'`,
      );
      return new Set(rows.map(({ event }) => event));
    };
    const idsOf = (email: string): Set<string | undefined> =>
      new Set(mailbox.arrived.filter(({ envelope }) => envelope.includes(email)).map(({ messageId }) => messageId));
    const missing = async (): Promise<Booking[]> => {
      const known = await lost();
      // Purging an event also deletes its mails, sent or not.
      return booked.filter(({ id, email, purged }) => !purged && !known.has(id) && idsOf(email).size === 0);
    };
    await comes(async () => (await missing()).length === 0, TOLD_MS);
    for (const { email } of await missing()) findings.add(`${email} has no invitation, and nobody is told`);
    for (const { email } of booked) if (idsOf(email).size > 1) findings.add(`${email} has ${idsOf(email).size} invitations`);
    note(`${mailbox.arrived.length} mails to ${booked.length} hosts; ${(await lost()).size} are said to be lost`);
  }

  return {
    async run() {
      for (let n = 1; working(); n++) {
        const booking = await book(n);
        booked.push(booking);
        await pause(random.between(200, 3000));
        if (random.chance(PURGED)) await purge(booking);
      }
    },
    async check() {
      refuses = false;
      await runSql(cluster.db, `update outbox set held_until = 0, due_at = 0 where state = 'waiting'`);
      await checkMessages();
      await checkMails();
    },
    close: () => new Promise((resolve) => receiver.close(() => resolve()).closeAllConnections()),
  };
}

/** Makes a mail server refuse some recipients for now, and lose some answers. */
function troubled(mailbox: Mailbox, random: Random, isTroubled: () => boolean): void {
  const later = { code: 451, text: '4.3.0 Bitte später' };
  Object.defineProperty(mailbox, 'answer', { get: () => (isTroubled() && random.chance(TROUBLE) ? later : null) });
  mailbox.accepting = async () => {
    if (isTroubled() && random.chance(TROUBLE)) throw Object.assign(new Error('4.3.0 Bitte später'), { responseCode: 451 });
  };
}
