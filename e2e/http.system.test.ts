import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, NEXT_YEAR, upload, type Client, type EventUnderTest } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { drawPhoto } from './support/photos.ts';
import { FROM_SOURCES, startServer, type TestServer } from './support/server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('HTTP, as clients other than ours speak it', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let admin: Client;
  let host: Client;
  let photo: string;
  beforeAll(async () => {
    server = await startServer();
    admin = await adminOf(server.url);
    event = await createEvent(admin);
    const stored = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1) });
    photo = ((await stored.json()) as { photo: { id: string } }).photo.id;
    host = await hostOf(server.url, event);
  });
  afterAll(() => server?.dispose());

  it('takes an empty body that is called JSON for none', async () => {
    const flip = () => host.request(`/api/photos/${photo}/slideshow`, { method: 'PUT', headers: JSON_TYPE });
    expect(await (await flip()).json()).toEqual({ slideshow: false });
    expect(await (await flip()).json()).toEqual({ slideshow: true });
    const link = await host.request(`/api/photos/${photo}/link`, { method: 'POST', headers: JSON_TYPE });
    expect(link.status).toBe(201);
  });

  it.each(['utf8', 'latin1'] as const)('reads the umlauts of a program that writes %s', async (letters) => {
    const form = { title: 'Jörg & Özlem', start_date: `${NEXT_YEAR}-05-01`, end_date: `${NEXT_YEAR}-05-01` };
    const body = Buffer.from(JSON.stringify(form), letters);
    const created = await admin.request('/admin/create_event', { method: 'POST', headers: JSON_TYPE, body });
    expect(await created.json()).toMatchObject({ title: form.title });
  });

  it.each(['{', '{"__proto__": {"value": true}}', '{"constructor": {"prototype": {}}}'])('refuses %s as body', async (body) => {
    const answer = await host.request(`/api/photos/${photo}/slideshow`, { method: 'PUT', headers: JSON_TYPE, body });
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'invalid_input']);
  });

  it.each(['*/*', 'image/avif,image/webp,*/*'])(
    'shows pages to clients that take %s; where a call has the path, it answers',
    async (accept) => {
      for (const path of ['/', '/agb', '/join', '/manage', `/gallery/${event.code}`, '/admin/meldungen']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await fetch(server.url + path, { method, headers: { accept } });
          expect([path, method, answer.status, answer.headers.get('content-type')]).toEqual([
            path,
            method,
            200,
            'text/html; charset=utf-8',
          ]);
        }
      }
      const call = await fetch(`${server.url}/event/${event.code}`, { headers: { accept } });
      expect([await call.json(), call.headers.get('vary')]).toMatchObject([{ title: event.title }, 'Accept, User-Agent']);
      expect((await fetch(`${server.url}/admin/events`, { headers: { accept } })).status).toBe(401);
      expect((await (await fetch(`${server.url}/gibt-es-nicht`, { headers: { accept } })).json()).code).toBe('not_found');
    },
  );

  it('keeps the manifest of the build and compressed files to itself', async () => {
    for (const path of ['/index.html', '/zeichen.svg.br', '/zeichen.svg.gz', '/.vite/manifest.json']) {
      const answer = await fetch(server.url + path, { headers: { accept: 'text/html' } });
      expect([path, answer.status, (await answer.text()).includes('Seite nicht gefunden')]).toEqual([path, 404, true]);
    }
    const icon = await fetch(`${server.url}/zeichen.svg`, { headers: { 'accept-encoding': 'br' } });
    expect([icon.status, icon.headers.get('content-encoding')]).toEqual([200, 'br']);
  });

  describe('with addresses that are not quite right', () => {
    let browser: Browser;
    beforeAll(async () => void (browser = await launchBrowser()));
    afterAll(() => browser?.close());

    it.each([
      ['/AGB', '/agb'],
      ['/Event/abcd2345?Password=Xy%20z', '/event/abcd2345?Password=Xy%20z'],
      ['/MANAGE/AbCd2345/Karten/', '/manage/AbCd2345/karten/'],
      ['/Auth/Admin/Neu', '/auth/admin/Neu'],
    ])('leads from %s to %s', async (typed, meant) => {
      const answer = await fetch(server.url + typed, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([301, meant]);
    });

    it('draws in the browser what the server drew', async () => {
      const { page, context, errors } = await openPage(browser, server.url);
      await page.goto('/AGB');
      expect([new URL(page.url()).pathname, await page.locator('h1').textContent()]).toEqual(['/agb', 'Allgemeine Geschäftsbedingungen']);
      expect(errors).toEqual([]);
      await context.close();
    });

    it('says so in German, with strict headers, where one cannot be decoded or is longer than any', async () => {
      const { page, context } = await openPage(browser, server.url);
      const answer = await page.goto('/event/%zz');
      expect([answer?.status(), answer?.headers()['content-security-policy']]).toEqual([
        404,
        expect.stringContaining("default-src 'none'"),
      ]);
      await page.getByText('Ungültiger oder abgelaufener Event-Code').waitFor();
      await context.close();
      for (const token of ['%zz', '%FF', 'x'.repeat(201), 'x'.repeat(8_000)]) {
        const link = await fetch(`${server.url}/api/photos/temp_download/${token}`);
        expect([link.status, (await link.json()).error]).toEqual([400, 'Ungültiger Download-Link.']);
        expect(link.headers.get('x-content-type-options')).toBe('nosniff');
      }
      const unknown = await fetch(`${server.url}/%zz`, { headers: { accept: 'text/html' } });
      expect([unknown.status, (await unknown.text()).includes('Seite nicht gefunden')]).toEqual([404, true]);
    });
  });
});

it('sends away in German, and closes, what comes on an open connection while the server ends', async () => {
  const server = await startServer();
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const answer = text(socket);
  // An incomplete request keeps its connection open.
  socket.write('GET /api/site HTTP/1.1\r\nHost: localhost\r\n');
  await fetch(`${server.url}/health`);
  const stopped = server.stop();
  const answers = () =>
    fetch(`${server.url}/health`).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
  socket.write('\r\n');
  const [head, body = ''] = (await answer).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 503 /);
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toMatch(/^x-content-type-options: nosniff$/im);
  expect(JSON.parse(body)).toEqual({ error: 'Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.', code: 'unavailable' });
  expect(await stopped).toBe(0);
  await server.dispose();
});

it('logs no cookie, device id or password, however much it is to log', async () => {
  const server = await startServer({ LOG_LEVEL: 'trace' });
  const event = await createEvent(await adminOf(server.url), { with_upload_password: true, user_upload_password: 'Lampion-9' });
  const device = await deviceOf(server.url);
  const form = new FormData();
  form.append('file', new Blob([(await drawPhoto(5)) as Uint8Array<ArrayBuffer>]), 'IMG_0815.jpg');
  const headers = { 'device-id': device, 'event-code': event.code, 'event-password': 'Lampion-9', cookie: 'feierbild_device=Keks-4711' };
  const stored = await fetch(`${server.url}/upload`, {
    method: 'POST',
    body: form,
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
  });
  expect(stored.status).toBe(201);
  await expect.poll(() => server.output()).toContain('"route":"/upload"');
  for (const secret of [device, 'Lampion-9', 'Keks-4711', 'IMG_0815']) expect(server.output()).not.toContain(secret);
  await server.dispose();
});

it.each([
  [{ HOST: 'foo..invalid' }, 78, ['HOST: „foo..invalid“']],
  // No interface has this address yet, as on a machine that is starting: exit code 75 makes the service manager try again.
  [{ HOST: '192.0.2.1' }, 75, ['HOST: „192.0.2.1“']],
  [{ METRICS_PORT: '9464', METRICS_HOST: '192.0.2.1' }, 75, ['METRICS_HOST: „192.0.2.1“']],
  [{ HOST: 'foo..invalid', METRICS_PORT: '9464', METRICS_HOST: '192.0.2.1' }, 78, ['HOST: „foo..invalid“', 'METRICS_HOST: „192.0.2.1“']],
])('does not start, and writes nothing, where it could not listen (%j: %i)', async (settings, code, named) => {
  const DATA_DIR = join(tmpdir(), `feierbild-nie-${process.pid}`);
  const lines = named.map((setting) => `${setting} ist weder eine Adresse noch ein Name dieses Rechners.`);
  await expect(startServer({ DATA_DIR, ...settings })).rejects.toThrow(`server ended with ${code}:\n${lines.join('\n')}`);
  expect(existsSync(DATA_DIR)).toBe(false);
});

/** Runs a command where no names’ server answers, as on a machine that is starting. */
const NAMELESS = ['bwrap', '--dev-bind', '/', '/', '--tmpfs', '/run', '--unshare-net'];
const canBeNameless = spawnSync(NAMELESS[0]!, [...NAMELESS.slice(1), 'true']).status === 0;
if (!canBeNameless) console.log('skipped: a start without a names’ server; it needs bubblewrap');

it.skipIf(!canBeNameless)('is started again where the name in HOST cannot be resolved yet', async () => {
  const line = 'HOST: „knoten1.example“ lässt sich gerade nicht auflösen.';
  await expect(startServer({ HOST: 'knoten1.example' }, [...NAMELESS, ...FROM_SOURCES])).rejects.toThrow(`server ended with 75:\n${line}`);
});
