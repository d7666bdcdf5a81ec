import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type LightMyRequestResponse } from 'fastify';
import { afterAll, beforeEach } from 'vitest';
import type { Db } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { Engine } from '../../database/testing.ts';
import { takeForms } from '../../http/form.ts';
import { createHttp } from '../../http/bind.ts';
import { translateErrors } from '../../http/errors.ts';
import { refuseForeignOrigins } from '../../http/request-guards.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Admins } from '../admins/admins.ts';
import { adminRoutes } from '../admins/admins.routes.ts';
import { auditRoutes } from '../audit/audit.ts';
import { deviceRoutes } from '../devices/devices.ts';
import type { Events } from '../events/events.ts';
import { eventRoutes } from '../events/events.routes.ts';
import { calendarRoutes } from '../calendar/calendar.ts';
import { outboxRoutes } from '../outbox/outbox.routes.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { reportRoutes } from '../reports/reports.ts';
import { webhookRoutes } from '../webhooks/webhooks.routes.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { settingsRoutes } from '../settings/settings.routes.ts';
import { tokenRoutes } from '../tokens/tokens.ts';
import { secondFactorRoutes } from '../second-factor/second-factor.routes.ts';
import { cookieOf, wireApp, type TestApp } from '../testing.ts';
import { accountRoutes } from './accounts.routes.ts';
import type { Accounts } from './accounts.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

/** Logins and events over HTTP for tests, on a real database and vault. Only the clock can be moved. */
export interface Desk {
  accounts: Accounts;
  admins: Admins;
  events: Events;
  sessions: Sessions;
  outbox: Outbox;
  webhooks: Webhooks;
  /** The folder of photos and staging. */
  folder: string;
  /** Sends a request like the pages do; `cookies` by name. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, options?: Sent): Promise<LightMyRequestResponse>;
  /** Logs in the administrator `ADMIN` and returns the cookies. */
  admin(): Promise<Jar>;
  /** Creates an event with a host by HTTP calls; `form` adds fields to the event's form. */
  event(admin: Jar, form?: object): Promise<{ id: string; code: string; password: string }>;
  loginHost(username: string, password: string, sent?: Sent): Promise<LightMyRequestResponse>;
  /** Returns the visitor of a request with these cookies and headers, and the keys that it opens (hex). */
  visitor(sent: Sent): Promise<{ host: string | null; admin: string | null; projector: string | null; deviceId: string | null }>;
  close(): Promise<void>;
}

export type Jar = Record<string, string>;
export interface Sent {
  cookies?: Jar;
  headers?: Record<string, string>;
  body?: object;
  address?: string;
}

export const ADMIN = { username: 'frieda', password: 'ein langes Passwort' };
/** Creates a server's first administrator and logs in over HTTP; returns the session's cookie. */
export async function logInAdmin(app: TestApp): Promise<{ cookie: string }> {
  await app.admins.ensureFirst(ADMIN.username, ADMIN.password);
  return cookieOf(await app.call('POST', '/auth/admin/login', {}, ADMIN));
}

/** The start of the event that `Desk.event()` creates, ms since 1970. */
export const PARTY = Date.parse('2026-05-17T12:00:00Z');

export async function openDesk({
  db,
  clock,
  secure = false,
  wrapVault = (vault) => vault,
  ...connecting
}: Pick<Parameters<typeof wireApp>[0], 'resolve' | 'webhookPrivate'> & {
  db: Db;
  clock: { now(): number };
  secure?: boolean;
  /** Wraps the vault that the features use. */
  wrapVault?: (vault: Vault) => Vault;
}): Promise<Desk> {
  const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-desk-'));
  const vault = wrapVault(createQuickVault());
  const parts = wireApp({ db, vault, clock, folder, ...connecting, ...(secure && { publicUrl: 'https://fotos.example' }) });
  const { accounts, admins, events, operatorKeys, visitors, blobs } = parts;
  await admins.ensureFirst(ADMIN.username, ADMIN.password);
  const app = Fastify();
  translateErrors(app);
  refuseForeignOrigins(app, null);
  await app.register(fastifyCookie);
  takeForms(app);
  const http = createHttp(app, visitors);
  accountRoutes(http, parts);
  deviceRoutes(http, parts);
  auditRoutes(http, parts);
  adminRoutes(http, parts);
  secondFactorRoutes(http, parts);
  eventRoutes(http, parts);
  settingsRoutes(http, parts);
  tokenRoutes(http, parts.tokens, parts.idempotency);
  calendarRoutes(http, parts);
  webhookRoutes(http, parts.webhooks, parts.idempotency);
  outboxRoutes(http, parts.outbox);
  reportRoutes(http, parts.reports);
  app.get('/test/visitor', async (request) => {
    const { host, admin, projector, deviceId } = await visitors(request, new Set(['projector']));
    const hex = (key: Uint8Array | undefined): string | null => (key ? Buffer.from(key).toString('hex') : null);
    return {
      host: hex(host?.openEventKey()),
      admin: hex(admin ? await openOperatorKey(admin) : undefined),
      projector: hex(projector?.openEventKey()),
      deviceId,
    };
  });

  const openOperatorKey = (admin: AdminVisitor): Promise<Uint8Array> => db.transaction((trx) => operatorKeys.openFor(trx, admin));

  const send: Desk['send'] = (method, url, { cookies: jar = {}, headers = {}, body, address = '192.0.2.7' } = {}) =>
    app.inject({
      method,
      url,
      cookies: jar,
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      remoteAddress: address,
      ...(body && { payload: body }),
    });

  return {
    accounts,
    admins,
    events,
    sessions: parts.sessions,
    outbox: parts.outbox,
    webhooks: parts.webhooks,
    folder,
    send,
    async admin() {
      return jarOf(await send('POST', '/auth/admin/login', { body: ADMIN }));
    },
    async event(admin, form = {}) {
      const days = { start_date: '2026-05-17', end_date: '2026-05-17' };
      const created = await send('POST', '/admin/create_event', { cookies: admin, body: { title: 'Fest', ...days, ...form } });
      if (created.statusCode !== 201) throw new Error(created.body);
      const { id, code } = created.json<{ id: string; code: string }>();
      const host = await send('POST', `/admin/events/${id}/user`, { cookies: admin, body: { username: code } });
      return { id, code, password: host.json<{ password: string }>().password };
    },
    loginHost: (username, password, sent = {}) => send('POST', '/auth/user/login', { ...sent, body: { username, password } }),
    visitor: async (sent) => (await send('GET', '/test/visitor', sent)).json(),
    async close() {
      await app.close();
      await parts.close();
      await blobs.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a desk with an administrator before each test, at the time of `PARTY`; disposes the engine after the tests. */
export function beforeEachDesk(
  engine: Engine,
  clock: { time: number; now(): number },
  onOpen: (opened: { db: Db; desk: Desk; admin: Jar }) => void,
): void {
  beforeEach(async () => {
    clock.time = PARTY;
    const db = await engine.open();
    const desk = await openDesk({ db, clock });
    onOpen({ db, desk, admin: await desk.admin() });
    return () => desk.close();
  }, 60_000);
  afterAll(() => engine.dispose());
}

/** Returns the cookies that an answer sets. */
export function jarOf(response: LightMyRequestResponse): Jar {
  return Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
}

/** Returns all rows of the database as one text: strings as they are, bytes in hex. */
export async function dump(db: Db): Promise<string> {
  const tables = await db.kysely.introspection.getTables();
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.kysely
        .selectFrom(name as keyof Database)
        .selectAll()
        .execute(),
    ),
  );
  return JSON.stringify(rows, (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value) {
      return Buffer.from(value.data as number[]).toString('hex');
    }
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
}
