import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { contract } from '@feierbild/contract/contract.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { pages } from '@feierbild/contract/pages.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  adminOf,
  createClient,
  createEvent,
  dayFromToday,
  deviceOf,
  hostOf,
  LONG_OVER,
  projectorOf,
  upload,
  type Client,
  type EventUnderTest,
} from './support/api.ts';
import { cli } from './support/cli.ts';
import { drawPhoto } from './support/photos.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

/**
 * Who asks. `guest` uploaded the photo that the calls name, `other guest` another one of the same event; `expired` is the
 * event's host after the session's end, `purged` the host of an event that is over, asking for that one; `gallery` is a guest in the
 * gallery, which shows the photo, `helper` who may release photos, of which this one is none; `token` is a program whose token has every scope of events, `assistant` the operator's own
 * helper, who has an account of the administration, `program` one to which the host has given access to the photos.
 */
const ROLES = [
  'nobody',
  'guest',
  'other guest',
  'host',
  'other host',
  'projector',
  'admin',
  'expired',
  'purged',
  'gallery',
  'helper',
  'token',
  'assistant',
  'program',
] as const;
type Role = (typeof ROLES)[number];

/** The status of each call for each role, in the order of ROLES. */
const MATRIX: Record<string, string> = {
  'POST /auth/user/login': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /auth/admin/login': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  // What an invitation opens: server/src/features/mail/mail.process.test.ts.
  'POST /auth/invitation': '410 410 410 410 410 410 410 410 410 410 410 410 410 410',
  'POST /auth/invitation/accept': '410 410 410 410 410 410 410 410 410 410 410 410 410 410',
  'POST /admin/events/:id/invitation': '401 401 401 401 401 401 201 401 401 401 401 403 403 403',
  'GET /admin/mail': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'PUT /admin/mail/server': '401 401 401 401 401 401 400 401 401 401 401 403 403 403',
  'DELETE /admin/mail/server': '401 401 401 401 401 401 204 401 401 401 401 403 403 403',
  'POST /admin/mail/test': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /abmelden/:token': '404 404 404 404 404 404 404 404 404 404 404 404 404 404',
  'GET /admin/outbox': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'DELETE /admin/outbox/:id': '401 401 401 401 401 401 404 401 401 401 401 403 403 403',
  'POST /admin/first_start/later': '401 401 401 401 401 401 204 401 401 401 401 403 403 403',
  'POST /admin/outbox/:id/again': '401 401 401 401 401 401 404 401 401 401 401 403 403 403',
  'GET /auth/check': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /auth/logout': '204 204 204 204 204 204 204 204 204 204 204 204 204 204',
  'GET /admin/me': '401 401 401 401 401 401 200 401 401 401 401 403 200 403',
  'GET /admin/status': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'PUT /admin/password': '401 401 401 401 401 401 400 401 401 401 401 403 400 403',
  'GET /admin/audit': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'GET /admin/admins': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /admin/admins': '401 401 401 401 401 401 201 401 401 401 401 403 403 403',
  'DELETE /admin/admins/:id': '401 401 401 401 401 401 204 401 401 401 401 403 403 403',
  'DELETE /admin/admins/:id/factors': '401 401 401 401 401 401 204 401 401 401 401 403 403 403',
  'GET /admin/factors': '401 401 401 401 401 401 200 401 401 401 401 403 200 403',
  'POST /admin/factors/totp': '401 401 401 401 401 401 400 401 401 401 401 403 400 403',
  'PUT /admin/factors/totp': '401 401 401 401 401 401 404 401 401 401 401 403 404 403',
  'POST /admin/factors/passkeys/options': '401 401 401 401 401 401 400 401 401 401 401 403 400 403',
  'POST /admin/factors/passkeys': '401 401 401 401 401 401 400 401 401 401 401 403 400 403',
  'POST /admin/factors/:id/remove': '401 401 401 401 401 401 400 401 401 401 401 403 400 403',
  'GET /event/:code': '200 200 200 200 200 200 200 200 403 200 200 200 200 200',
  'GET /event/:code/max': '200 200 200 200 200 200 200 200 403 200 200 200 200 200',
  'GET /api/events/:ref/has-password': '200 200 200 200 200 200 200 200 403 200 200 200 200 200',
  'GET /api/events/:ref': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/settings': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/stats': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/reset-notice': '401 401 401 204 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/nsfw_check': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/random_slideshow': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/slideshow_names': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/look': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/phone-language': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/link-preview': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'GET /api/link-previews/:id': '200 200 200 200 200 200 200 200 404 200 200 200 200 200',
  'PUT /api/events/:ref/title-picture': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  // Without a file.
  'POST /api/events/:ref/title-picture': '401 401 401 400 401 401 401 401 401 401 401 403 401 403',
  'DELETE /api/events/:ref/title-picture': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  // Of one that was there: server/src/features/theme/theme.process.test.ts.
  'GET /api/pictures/:id': '404 404 404 404 404 404 404 404 404 404 404 404 404 404',
  'GET /api/photos/:id/large': '401 401 401 404 401 404 401 401 401 401 401 403 401 403',
  'GET /admin/events': '401 401 401 401 401 401 200 401 401 401 401 200 200 401',
  'GET /admin/events.csv': '401 401 401 401 401 401 200 401 401 401 401 403 200 403',
  // Without a file.
  'POST /admin/events/read': '401 401 401 401 401 401 400 401 401 401 401 403 400 403',
  'GET /admin/today': '401 401 401 401 401 401 200 401 401 401 401 403 200 403',
  'GET /admin/templates': '401 401 401 401 401 401 200 401 401 401 401 403 200 403',
  'POST /admin/create_event': '401 401 401 401 401 401 201 401 401 401 401 201 201 401',
  'PUT /admin/events/:id': '401 401 401 401 401 401 200 401 401 401 401 200 200 401',
  'DELETE /admin/events/:id': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /admin/events/change': '401 401 401 401 401 401 200 401 401 401 401 403 200 403',
  'POST /admin/events/:id/user': '401 401 401 401 401 401 409 401 401 401 401 403 403 403',
  'PUT /admin/events/:id/user/password': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'GET /api/events/:ref/gallery': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/gallery': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/gallery/link': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/gallery/reveal': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /auth/gallery/login': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /auth/helper/login': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /api/events/:ref/helper': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/helper': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/events/:ref/release': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'PUT /api/photos/:id/heart': '401 401 401 401 401 401 401 401 401 200 401 403 401 403',
  'GET /device_id': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /upload': '400 201 201 400 400 400 400 400 400 400 400 400 400 400',
  'OPTIONS /uploads': '204 204 204 204 204 204 204 204 204 204 204 204 204 204',
  'POST /uploads': '400 201 201 400 400 400 400 400 400 400 400 400 400 400',
  'HEAD /uploads/:key': '400 200 404 400 400 400 400 400 400 400 400 400 400 400',
  'PATCH /uploads/:key': '400 204 404 400 400 400 400 400 400 400 400 400 400 400',
  'PUT /uploads/:key/preview': '400 415 415 400 400 400 400 400 400 400 400 400 400 400',
  'DELETE /uploads/:key': '400 204 404 400 400 400 400 400 400 400 400 400 400 400',
  'POST /api/events/:ref/known': '400 200 200 400 400 400 400 400 400 400 400 400 400 400',
  'GET /api/events/:ref/photos': '401 401 401 200 401 401 401 401 401 200 200 403 401 200',
  'GET /api/events/:ref/my-photos': '400 200 200 400 400 400 400 400 400 400 400 400 400 400',
  'GET /api/events/:ref/slideshow': '401 401 401 200 401 200 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/live': '401 401 401 200 401 200 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/slideshow-lock': '401 401 401 204 401 401 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/wall': '401 401 401 200 401 200 401 401 401 401 401 403 401 403',
  // A change from another version: its access alone is asked about.
  'PUT /api/events/:ref/wall': '401 401 401 409 401 401 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/wall/link': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/wall/link': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/wall/code': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  // What opens a wall: server/src/features/wall/wall.process.test.ts.
  'POST /auth/wall/login': '401 401 401 401 401 401 401 401 401 401 401 401 401 401',
  // A helper may, and releases what waits: here nothing does.
  'POST /api/events/:ref/release/all': '401 401 401 200 401 401 401 401 401 401 200 403 401 403',
  'PUT /api/photos/:id/slideshow': '401 401 401 200 401 401 401 401 401 401 404 403 401 403',
  'GET /api/photos/:id/thumbnail': '404 200 404 200 404 200 404 404 404 200 404 403 404 200',
  'GET /api/photos/:id/preview': '404 200 404 200 404 200 404 404 404 200 404 403 404 200',
  'GET /api/photos/:id/download': '404 200 404 200 404 404 404 404 404 200 404 403 404 200',
  // The photo is no video: e2e/video.system.test.ts and features/photos/videos.system.test.ts say who sees one.
  'GET /api/photos/:id/video': '404 404 404 404 404 404 404 404 404 404 404 404 404 404',
  'PUT /api/photos/:id/poster': '404 404 404 404 404 404 404 404 404 404 404 404 404 404',
  'DELETE /api/photos/:id': '404 204 404 204 404 404 404 404 404 404 404 404 404 404',
  'POST /api/photos/:id/link': '401 401 401 201 401 401 401 401 401 401 401 403 401 403',
  // Which is shown by the Fotobox password alone.
  'GET /api/events/:ref/booth-key': '403 403 403 403 403 403 403 403 403 403 403 403 403 403',
  'GET /api/photos/temp_download/:token': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /api/events/:ref/create-zip': '401 401 401 202 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/regenerate-zip': '401 401 401 202 401 401 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/zip-progress': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/download': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/selections': '401 401 401 201 401 401 401 401 401 401 401 403 401 403',
  'GET /api/events/:ref/selections/:id': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/reports': '201 201 201 201 201 201 201 201 201 201 201 201 201 201',
  'GET /admin/reports': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'PUT /admin/reports/:id': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'GET /admin/tokens': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /admin/tokens': '401 401 401 401 401 401 201 401 401 401 401 403 403 403',
  'DELETE /admin/tokens/:id': '401 401 401 401 401 401 404 401 401 401 401 403 403 403',
  'GET /admin/webhooks': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /admin/webhooks': '401 401 401 401 401 401 400 401 401 401 401 403 403 403',
  'PUT /admin/webhooks/:id': '401 401 401 401 401 401 404 401 401 401 401 403 403 403',
  'DELETE /admin/webhooks/:id': '401 401 401 401 401 401 404 401 401 401 401 403 403 403',
  'POST /admin/webhooks/:id/test': '401 401 401 401 401 401 404 401 401 401 401 403 403 403',
  'GET /api/events/:ref/program': '401 401 401 200 401 401 401 401 401 401 401 403 401 403',
  'POST /api/events/:ref/program': '401 401 401 201 401 401 401 401 401 401 401 403 401 403',
  'DELETE /api/events/:ref/program': '401 401 401 204 401 401 401 401 401 401 401 403 401 403',
  'GET /admin/calendar.ics': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  // Of an event that is still there: host and administrators learn that there is none yet.
  'GET /api/events/:ref/receipt': '401 401 401 409 401 401 409 401 401 401 401 401 401 401',
  'GET /api/receipt-keys': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /admin/receipts': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'GET /admin/papers': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'GET /admin/papers/:paper': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  // Of a hash that the papers do not have.
  'POST /admin/papers/issue': '401 401 401 401 401 401 409 401 401 401 401 403 403 403',
  'GET /api/accessibility': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /admin/disclosure': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /admin/disclosure/erase': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'GET /api/events/:code/disclosure-link': '400 200 200 400 400 400 400 400 400 400 400 400 400 400',
  'GET /admin/settings/:section': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'PUT /admin/settings/:section': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /admin/settings/:section/back': '401 401 401 401 401 401 200 401 401 401 401 403 403 403',
  'POST /admin/logo': '401 401 401 401 401 401 400 401 401 401 401 403 403 403',
  'POST /admin/clock': '401 401 401 401 401 401 204 401 401 401 401 403 403 403',
  'GET /api/site': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /api/openapi.json': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /health': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /ready': '200 200 200 200 200 200 200 200 200 200 200 200 200 200',
};

/** Calls that end the session they are made with: a login replaces the one before. */
const ENDS_SESSION = [
  'POST /auth/user/login',
  'POST /auth/admin/login',
  'POST /auth/gallery/login',
  'POST /auth/helper/login',
  'POST /auth/logout',
];
/** All that a locked slideshow may do. */
const SHOWN = [
  'GET /api/events/:ref/wall',
  'GET /api/events/:ref/slideshow',
  'GET /api/events/:ref/live',
  'GET /api/photos/:id/thumbnail',
  'GET /api/photos/:id/preview',
];
/** Calls after which something that the other roles need is gone. */
const ENDS = [
  'DELETE /admin/admins/:id',
  'DELETE /admin/events/:id',
  'PUT /admin/events/:id/user/password',
  'POST /api/events/:ref/slideshow-lock',
  'POST /api/events/:ref/wall/link',
  'POST /api/events/:ref/gallery/link',
  'POST /api/events/:ref/helper',
  'POST /api/events/:ref/program',
  'DELETE /api/events/:ref/program',
  'DELETE /uploads/:key',
  'DELETE /api/photos/:id',
  'POST /admin/disclosure/erase',
];

const OPEN = { mode: 'open', opens_at: null, photos_per_device: null, originals: true, own_meanwhile: true, wall_meanwhile: true };

interface Party {
  event: EventUnderTest;
  photo: string;
  link: string;
  /** Tokens of the links to the gallery and for the helper. */
  invited: { gallery: string; helper: string };
  /** Of the program to which the host has given access. */
  program: string;
  /** The guest's, of which no byte has arrived. */
  upload: string;
  selection: string;
  otherAdmin: string;
  accounts: Record<'admin' | 'assistant', { username: string; password: string }>;
  devices: { guest: string; other: string };
  clients: Record<Role, Client>;
}

describe('every call for every role', () => {
  let server: TestServer;
  let admin: Client;
  let shared: Party;
  let report: string;
  let token: string;
  /** Of a calendar's address. */
  let calendar: string;
  /** Sessions that are over, and a purged event: nothing that is asked with them changes anything. */
  let over: { expired: Client; purged: Client; event: EventUnderTest; photo: string; otherHost: Client };

  /** What no line of the log may contain. */
  const secrets = new Set([ADMIN.password, 'Lampion-9', 'Anna', 'Torte', 'Bitte nicht.', '.jpg']);

  beforeAll(async () => {
    server = await startServer({ LOG_LEVEL: 'trace' });
    admin = await adminOf(server.url);
    const event = await createEvent(admin);
    const expired = await hostOf(server.url, event);
    const gone = await createEvent(admin, { ...LONG_OVER, is_active: true });
    const stored = await upload({ url: server.url, code: gone.code, device: await deviceOf(server.url), file: await drawPhoto(3) });
    const { photo } = (await stored.json()) as { photo: { id: string } };
    const purged = await hostOf(server.url, gone);
    // Its 30 days are long over.
    expect((await cli(server, ['maintain'])).code).toBe(0);
    const otherHost = await hostOf(server.url, await createEvent(admin, { title: 'Anderes Fest' }));
    shared = await createParty(event, { expired, purged, event: gone, photo: photo.id, otherHost });
    await createClient(server.url).json('POST', '/api/reports', { event: event.code, photo: 'Torte', reason: 'Bitte nicht.' });
    const { reports } = await admin.json<{ reports: { id: string }[] }>('GET', '/admin/reports');
    report = reports[0]?.id ?? '';
    const scopes = ['events:read', 'events:write'];
    ({ token } = await admin.json<{ token: string }>('POST', '/admin/tokens', { name: 'Buchung', scopes }, 201));
    const kalender = { name: 'Kalender', scopes: ['calendar:read'] };
    ({ token: calendar } = await admin.json<{ token: string }>('POST', '/admin/tokens', kalender, 201));
    secrets.add(token).add(calendar);
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
    db.exec('pragma busy_timeout = 5000');
    // The oldest session of the event is the one that is to be over.
    db.prepare('update sessions set expires_at = 1 where id = (select min(id) from sessions where event_id = ?)').run(event.id);
    db.close();
  });
  afterAll(() => server?.dispose());

  async function createParty(event: EventUnderTest, ended: typeof over): Promise<Party> {
    over = ended;
    const { url } = server;
    const devices = { guest: await deviceOf(url), other: await deviceOf(url) };
    const stored = await upload({ url, code: event.code, device: devices.guest, file: await drawPhoto(1, 200, 150) });
    const { photo } = (await stored.json()) as { photo: { id: string } };
    await upload({ url, code: event.code, device: devices.other, file: await drawPhoto(2, 200, 150) });
    const begun = await createClient(url).request('/uploads', {
      method: 'POST',
      headers: { 'device-id': devices.guest, ...tusHeaders(event.code) },
    });
    const host = await hostOf(url, event);
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    const zip = async () => (await host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status === 'complete';
    await vi.waitUntil(zip, { timeout: 60_000 });
    const { download_url: link } = await host.json<{ download_url: string }>('POST', `/api/photos/${photo.id}/link`);
    const { download_url: selection } = await host.json<{ download_url: string }>('POST', `/api/events/${event.code}/selections`, {
      photos: [photo.id],
    });
    const colleague = createClient(url);
    const name = `kollege-${event.code}`;
    const { password } = await admin.json<{ password: string }>('POST', '/admin/admins', { username: name });
    await colleague.json('POST', '/auth/admin/login', { username: name, password });
    await admin.json('POST', '/admin/admins', { username: `gast-${event.code}` });
    const assistant = createClient(url);
    const assisting = { username: `hilfe-${event.code}`, role: 'assistant' };
    const made = await admin.json<{ username: string; password: string }>('POST', '/admin/admins', assisting);
    await assistant.json('POST', '/auth/admin/login', made);
    const { url: gallery } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN);
    const { url: helper } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    const { token: program } = await host.json<{ token: string }>('POST', `/api/events/${event.code}/program`, undefined, 201);
    secrets.add(program.slice('fbp_'.length));
    const invited = { gallery: gallery.split('#')[1] ?? '', helper: helper.split('#')[1] ?? '' };
    for (const secret of [event.code, event.host.password, password, made.password, devices.guest, devices.other]) secrets.add(secret);
    for (const secret of [link, selection, begun.headers.get('location')].flatMap((address) => address?.split('/').at(-1) ?? []))
      secrets.add(secret);
    for (const { cookies } of [host, colleague, assistant]) for (const cookie of cookies.values()) secrets.add(cookie);
    const { admins } = await admin.json<{ admins: { id: string; username: string }[] }>('GET', '/admin/admins');
    return {
      event,
      photo: photo.id,
      link: link.split('/').at(-1) ?? '',
      invited,
      program,
      upload: begun.headers.get('location')?.split('/').at(-1) ?? '',
      selection: selection.split('/').at(-1) ?? '',
      otherAdmin: admins.find(({ username }) => username === `gast-${event.code}`)?.id ?? '',
      devices,
      accounts: { admin: { username: name, password }, assistant: made },
      clients: {
        nobody: createClient(url),
        guest: createClient(url),
        'other guest': createClient(url),
        host,
        'other host': ended.otherHost,
        projector: await projectorOf(url, event),
        admin: colleague,
        expired: ended.expired,
        purged: ended.purged,
        gallery: await enter({ event, invited }, 'gallery'),
        helper: await enter({ event, invited }, 'helper'),
        token: createClient(url),
        assistant,
        program: createClient(url),
      },
    };
  }

  /** By the link to the gallery, or for the helper. */
  async function enter({ event, invited }: Pick<Party, 'event' | 'invited'>, role: 'gallery' | 'helper'): Promise<Client> {
    const client = createClient(server.url);
    await client.json('POST', `/auth/${role}/login`, { code: event.code, token: invited[role] });
    for (const secret of [invited[role], ...client.cookies.values()]) secrets.add(secret);
    return client;
  }

  /** A request that is right for its call in everything but its sender. */
  function bodyOf(name: string, party: Party): unknown {
    const today = dayFromToday(0);
    const bodies: Record<string, unknown> = {
      'POST /auth/user/login': { username: party.event.host.username, password: party.event.host.password },
      'POST /auth/admin/login': ADMIN,
      'POST /auth/gallery/login': { code: party.event.code, token: party.invited.gallery },
      'POST /auth/helper/login': { code: party.event.code, token: party.invited.helper },
      'PUT /api/events/:ref/gallery': OPEN,
      'PUT /api/events/:ref/wall': { version: -1, curtain: true },
      'POST /api/events/:ref/wall/link': { value: true },
      'POST /auth/wall/login': { code: party.event.code, token: 'A'.repeat(22) },
      'PUT /api/events/:ref/release': { value: false },
      'PUT /api/photos/:id/heart': { value: true },
      'POST /auth/logout': {},
      'POST /auth/invitation': { code: party.event.code, token: 'A'.repeat(22) },
      'POST /auth/invitation/accept': { code: party.event.code, token: 'A'.repeat(22), password: 'ein langes Passwort' },
      'POST /admin/mail/test': { to: 'niemand@beispiel.example' },
      'PUT /admin/password': { current_password: 'falsch', new_password: 'noch-ein-langes-Kennwort' },
      'POST /admin/factors/totp': { password: 'falsch' },
      'PUT /admin/factors/totp': { code: '000000' },
      'POST /admin/factors/passkeys/options': { password: 'falsch' },
      'POST /admin/factors/:id/remove': { password: 'falsch' },
      'POST /admin/admins': { username: `neu-${Math.random()}` },
      'POST /admin/create_event': { title: 'Neu', start_date: today, end_date: today },
      'PUT /admin/events/:id': { title: party.event.title, start_date: today, end_date: today },
      'POST /admin/events/change': { events: [{ id: party.event.id, version: 0 }], change: { open: true } },
      'POST /admin/events/:id/user': { username: party.event.code },
      'PUT /api/events/:ref/nsfw_check': { value: true },
      'PUT /api/events/:ref/random_slideshow': { value: true },
      'PUT /api/events/:ref/slideshow_names': { value: true },
      'POST /api/events/:ref/release/all': { until: 0 },
      'PUT /api/photos/:id/slideshow': { value: true },
      'POST /api/events/:ref/selections': { photos: [party.photo] },
      'POST /api/events/:ref/known': { fingerprints: [] },
      'POST /api/reports': { event: 'Fest', photo: 'Torte', reason: 'Bitte nicht.' },
      'PUT /admin/reports/:id': { settled: true },
      'POST /admin/webhooks': { name: 'Haken', url: 'http://127.0.0.1/', topics: ['event.created'] },
      'PUT /admin/webhooks/:id': { name: 'Haken', url: 'http://127.0.0.1/', topics: ['event.created'] },
      'PUT /api/events/:ref/look': { palette: null, welcome: 'Schön, dass ihr da seid' },
      'PUT /api/events/:ref/phone-language': { value: true },
      'PUT /api/events/:ref/link-preview': { value: 'brand' },
      'PUT /api/events/:ref/title-picture': { photo: party.photo },
      'POST /admin/papers/issue': { hash: '0'.repeat(16) },
      'POST /admin/disclosure': { ask: party.photo },
      'POST /admin/disclosure/erase': { ask: party.photo },
      'PUT /admin/settings/:section': { version: 0, value: {} },
      'POST /admin/settings/:section/back': { version: 1 },
      'POST /admin/tokens': { name: 'Formular', scopes: ['events:read'] },
    };
    return bodies[name];
  }

  /** Of an upload of three bytes, and of its first none. */
  function tusHeaders(code: string): Record<string, string> {
    return {
      'tus-resumable': '1.0.0',
      'upload-length': '3',
      'upload-metadata': `eventCode ${Buffer.from(code).toString('base64')}`,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
  }

  function pathOf(name: string, party: Party, role: Role): string {
    const [event, photo] = role === 'purged' ? [over.event, over.photo] : [party.event, party.photo];
    const pattern = name.split(' ')[1] as string;
    const ids: Record<string, string> = { '/api/photos': photo, '/admin/admins': party.otherAdmin, '/admin/reports': report };
    const id = Object.entries(ids).find(([prefix]) => pattern.startsWith(prefix))?.[1];
    return pattern
      .replace('/selections/:id', `/selections/${party.selection}`)
      .replace(/:(ref|code)/, event.code)
      .replace(':paper', 'avv')
      .replace(':section', 'brand')
      .replace(':token', party.link)
      .replace('.ics', `.ics?token=${calendar}`)
      .replace(':key', party.upload)
      .replace(':id', id ?? event.id);
  }

  /** The same person, logged in once more. */
  async function again(party: Party, role: Role): Promise<Client> {
    if (role === 'host') return hostOf(server.url, party.event);
    if (role === 'projector') return projectorOf(server.url, party.event);
    if (role === 'gallery' || role === 'helper') return enter(party, role);
    if (role !== 'admin' && role !== 'assistant') return party.clients[role];
    const colleague = createClient(server.url);
    await colleague.json('POST', '/auth/admin/login', party.accounts[role]);
    for (const cookie of colleague.cookies.values()) secrets.add(cookie);
    return colleague;
  }

  /** A refusal carries one of our codes, and nothing of the event. */
  function expectNothingTold(name: string, text: string): void {
    if (name.startsWith('HEAD ')) return expect(text).toBe('');
    expect(errors).toHaveProperty((JSON.parse(text) as { code: string }).code);
    for (const told of [shared.event.title, shared.photo, 'Anna']) expect(text).not.toContain(told);
  }

  async function statusOf(name: string, party: Party, role: Role, asked = party.clients[role]): Promise<number> {
    const device = { guest: party.devices.guest, 'other guest': party.devices.other }[role as string];
    const secret = { token, program: party.program }[role as string];
    const bearer = secret && { authorization: `Bearer ${secret}` };
    const path = pathOf(name, party, role);
    // What an answer sets stays out of the next call.
    const client = createClient(server.url);
    for (const [cookie, value] of asked.cookies) client.cookies.set(cookie, value);
    if (name === 'POST /upload') {
      const form = new FormData();
      form.append('file', new Blob([(await drawPhoto(Math.floor(Math.random() * 1e6), 90, 60)) as Uint8Array<ArrayBuffer>]), 'a.jpg');
      const headers = { 'event-code': party.event.code, ...(device && { 'device-id': device }), ...bearer };
      return (await client.request(path, { method: 'POST', body: form, headers })).status;
    }
    const body = bodyOf(name, party);
    const leaving = new AbortController();
    const answer = await client.request(path, {
      method: name.split(' ')[0] as string,
      signal: leaving.signal,
      headers: {
        accept: 'application/json',
        ...(device && { 'device-id': device }),
        ...bearer,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(path.startsWith('/uploads') && tusHeaders(party.event.code)),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // News never end by themselves.
    if (name.endsWith('/live') && answer.ok) leaving.abort();
    else {
      const text = await answer.text();
      if (answer.status === 401 || answer.status === 404) expectNothingTold(name, text);
    }
    return answer.status;
  }

  async function zipStatus({ clients, event }: Party): Promise<string> {
    return (await clients.host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status;
  }

  it('has a row for each call of the contract, and no other', () => {
    expect(Object.keys(MATRIX).sort()).toEqual(Object.keys(contract).sort());
  });

  // Some start a server for each role, a password's derivation each time.
  it.each(Object.keys(MATRIX))('%s', async (name) => {
    const expected = (MATRIX[name] ?? '').split(/\s+/).map(Number);
    expect(expected).toHaveLength(ROLES.length);
    const found: number[] = [];
    // The ZIP that the call before has begun would refuse another.
    if (name.endsWith('/regenerate-zip')) await expect.poll(() => zipStatus(shared)).not.toBe('processing');
    for (const [n, role] of ROLES.entries()) {
      // What is granted may be the end of others' sessions, photos or events: then on a server of its own.
      const own = ENDS.includes(name) && (expected[n] ?? 0) < 300 && !['expired', 'purged', 'other host'].includes(role);
      const party = own ? await createParty(await createEvent(admin), over) : shared;
      found.push(await statusOf(name, party, role, ENDS_SESSION.includes(name) ? await again(party, role) : undefined));
    }
    expect(found.join(' ')).toBe(expected.join(' '));
  });

  it('the locked slideshow of another event sees no more than a stranger', async () => {
    const other = await projectorOf(server.url, await createEvent(admin, { title: 'Noch ein Fest' }));
    for (const name of SHOWN) {
      const [stranger] = (MATRIX[name] ?? '').split(' ');
      expect([name, String(await statusOf(name, shared, 'projector', other))]).toEqual([name, stranger]);
    }
  });

  it('the locked slideshow gets a picture only while it is in the slideshow and the slideshow is on, and of names those of guests that it shows', async () => {
    const { event, photo, clients } = await createParty(await createEvent(admin), over);
    const list = await (await clients.projector.request(`/api/events/${event.code}/slideshow`)).text();
    expect(list).toContain(photo);
    for (const name of ['.jpg', event.title]) expect(list).not.toContain(name);
    expect(list).toContain('Anna');
    await clients.host.json('PUT', `/api/events/${event.code}/slideshow_names`, { value: false });
    expect(await (await clients.projector.request(`/api/events/${event.code}/slideshow`)).text()).not.toContain('Anna');
    const pictures = async () => {
      const answers = ['thumbnail', 'preview'].map((variant) => clients.projector.request(`/api/photos/${photo}/${variant}`));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await pictures()).toEqual([200, 200]);
    await clients.host.json('PUT', `/api/photos/${photo}/slideshow`, { value: false });
    expect(await pictures()).toEqual([404, 404]);
    await clients.host.json('PUT', `/api/photos/${photo}/slideshow`, { value: true });
    expect(await pictures()).toEqual([200, 200]);
    const today = dayFromToday(0);
    const form = { title: event.title, start_date: today, end_date: today, with_slideshow: false };
    await admin.json('PUT', `/admin/events/${event.id}`, form);
    expect(await pictures()).toEqual([404, 404]);
  });

  it('is refused with nothing that the contract does not list', () => {
    expect(server.output()).not.toContain('the contract does not list');
  });

  it('refuses every change that another site sends, in each role', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      expect((await admin.request(`/admin/events/${shared.event.id}`, { method: 'DELETE', headers })).status).toBe(403);
    }
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await fetch(`${server.url}/admin/events/${shared.event.id}`, { method: 'DELETE', headers: { cookie, origin } });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
  });

  it('sends strict headers with pages and calls, and allows no other origin to read', async () => {
    for (const path of ['/', '/api/site', `/event/${shared.event.code}`]) {
      const { headers } = await fetch(server.url + path, { headers: { accept: 'text/html', origin: 'https://evil.example' } });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('leaves patterns of addresses and short addresses of visitors in the log, no secret, code or name, and no trouble', async () => {
    const { code } = shared.event;
    const html = { accept: 'text/html' };
    const query = `password=Lampion-9&code=${code}&name=Anna`;
    const open = async (path: string, init: RequestInit = {}) => {
      await (await fetch(`${server.url}${path}?${query}`, { redirect: 'manual', ...init })).arrayBuffer();
    };
    for (const page of pages) {
      for (const value of [code, `${code}x`, shared.link, '%zz', 'a'.repeat(2000)]) {
        const path = page.replace(/:[a-z]+|\*/, value);
        for (const address of [path, path.toUpperCase(), `/x${path}`]) await open(address, { headers: html });
        await open(path, { method: 'HEAD', headers: html });
      }
    }
    // Calls with values that are wrong, also in their address.
    for (const name of Object.keys(contract)) {
      const [method = '', pattern = ''] = name.split(' ');
      const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body: `{"password": "Lampion-9", "${code}"` };
      const headers = { 'content-type': 'application/json', 'device-id': shared.devices.guest, ...html };
      await open(pattern.replace(/:[a-z]+/g, `${code}-Anna`), { method, headers, ...body });
    }
    // Somebody leaves in the middle of a download.
    const leaving = new AbortController();
    const leaver = await shared.clients.host.request(`/api/events/${code}/download`, { signal: leaving.signal });
    leaving.abort();
    await leaver.arrayBuffer().catch(() => undefined);
    await open('/health');
    await expect.poll(() => server.output()).toContain('"route":"/health"');

    const log = server.output();
    for (const secret of secrets) expect(log).not.toContain(secret);
    const lines = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, string>] : []));
    const answered = lines.filter(({ msg }) => msg === 'answered');
    expect(new Set(answered.map(({ address }) => address))).toEqual(new Set(['127.0.0.0']));
    expect(answered.map(({ route }) => route)).toEqual(expect.arrayContaining(Object.keys(contract).map((name) => name.split(' ')[1])));
    const trouble = lines.filter(({ level, msg }) => !['info', 'debug', 'trace'].includes(level ?? '') && msg !== 'Decoder nicht isoliert');
    expect(trouble).toEqual([]);
  });
});
