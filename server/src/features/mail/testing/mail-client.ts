import { afterEach, beforeEach } from 'vitest';
import type { Engine } from '../../../database/testing.ts';
import { ADMIN } from '../../accounts/testing.ts';
import { openApp, type TestApp } from '../../testing.ts';
import { openMailbox, type Arrived, type Mailbox } from './mailbox.ts';

export const HOST = { email: 'lena@example.org', name: 'Lena & Tom' };
export const TYPO = { ...HOST, email: 'lema@example.org' };
export const FEAST = { title: 'Lenas Fest', start_date: '2026-05-16', end_date: '2026-05-17' };
/** Ten days before the feast, ms since 1970. */
export const START = Date.parse('2026-05-06T08:00:00Z');
export const PASSWORD = 'vier bunte Lampions im Garten';

/** Returns the configuration of a server whose mails go to a mailbox. */
export function envFor({ port }: Mailbox): Record<string, string> {
  return { PUBLIC_URL: 'http://fotos.example', SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Zeltverleih Süd <feier@zelt.example>' };
}

/** Returns the cookies that an answer sets. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

interface UnderTest {
  app: TestApp;
  mailbox: Mailbox;
  /** The administrator's cookie. */
  cookie: string;
}

/**
 * Opens for each test a server at `START`, the mailbox of its mails, and a session of its administrator. Returns them with the calls of the
 * operator and of invited hosts, and with their mails.
 */
export function useMail(engine: Engine, decoder: Parameters<typeof openApp>[0]['decoder']) {
  const clock = { time: START, now: () => clock.time };
  const server = {} as UnderTest;
  beforeEach(async () => {
    clock.time = START;
    server.mailbox = await openMailbox();
    server.app = await openApp({ db: await engine.open(), env: envFor(server.mailbox), decoder, clock });
    await server.app.admins.ensureFirst(ADMIN.username, ADMIN.password);
    await logIn();
  });
  afterEach(async () => {
    await server.app.close();
    await server.mailbox.close();
  });
  async function logIn(): Promise<void> {
    server.cookie = cookieOf(await ask('POST', '/auth/admin/login', ADMIN));
  }
  function ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = { cookie: server.cookie },
  ): Promise<Response> {
    return fetch(server.app.url + path, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
  const created = async (form: object = {}): Promise<{ id: string; code: string; invitation: { link: string; mailed: boolean } }> =>
    (await ask('POST', '/admin/create_event', { ...FEAST, host: HOST, ...form })).json();
  /** Delivers due mail and returns the arrived mails, oldest first, once. */
  async function arrived(): Promise<Arrived[]> {
    await server.app.outbox.run();
    return server.mailbox.arrived.splice(0);
  }
  /** Returns the subjects of the mails of a day. */
  async function subjectsOn(day: string): Promise<(string | undefined)[]> {
    for (const hour of ['06', '10', '15']) {
      clock.time = Date.parse(`${day}T${hour}:00:00Z`);
      await server.app.dueMail.write();
    }
    return (await arrived()).map(({ subject }) => subject).sort();
  }
  const linkIn = ({ text = '' }: Arrived): { code: string; token: string } => {
    const [, code = '', token = ''] = /\/einladung\/(\w+)#(\S+)/.exec(text) ?? [];
    return { code, token };
  };
  const look = async (link: object): Promise<number> => (await ask('POST', '/auth/invitation', link, {})).status;
  const accept = (link: object, password = PASSWORD) => ask('POST', '/auth/invitation/accept', { ...link, password }, {});
  return { clock, server, logIn, ask, created, arrived, subjectsOn, linkIn, look, accept };
}
