import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UPLOAD_PARALLEL } from '@feierbild/contract/constants.ts';
import type { Browser, Page, Route } from 'playwright';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, dayFromToday, type EventUnderTest } from './support/api.ts';
import { openPage, takenOver } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { pagesMemory } from './support/memory.ts';
import { drawPhoto } from './support/photos.ts';
import { readyToSend, UPLOADS } from './support/queue.ts';
import { type TestServer } from './support/server.ts';

const QUESTION = 'Es wird noch hochgeladen. Die Seite trotzdem verlassen?';

describe('while photos are on their way', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let page: Page;
  let close: () => Promise<void>;

  useServer((started) => ({ server, browser } = started), { MAX_UPLOAD_MB: '1' });
  beforeEach(async () => {
    event = await createEvent(await adminOf(server.url));
    const opened = await openPage(browser, server.url);
    page = opened.page;
    close = () => opened.context.close();
  });
  afterEach(() => close());

  async function select(count: number): Promise<void> {
    const files = Array.from({ length: count }, async (_, n) => ({
      name: `IMG_${n}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await drawPhoto(n, 320, 240),
    }));
    await page.locator('input[type=file]').setInputFiles(await Promise.all(files));
    await page.getByRole('checkbox').check();
  }

  /** Holds back every upload until `go` is called. */
  async function hold(): Promise<{ routes: Route[]; go(): Promise<void> }> {
    const routes: Route[] = [];
    let held = true;
    await page.route('**/upload', async (route) => {
      if (held) routes.push(route);
      else await route.continue();
    });
    return {
      routes,
      async go() {
        held = false;
        await Promise.all(routes.map((route) => route.continue()));
      },
    };
  }

  it('has six in flight, counts down, and makes no other call', async () => {
    await page.goto(`/event/${event.code}`);
    await select(8);
    const held = await hold();
    const others: string[] = [];
    await page.getByRole('button', { name: 'Hochladen (8)' }).click();
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      // Scripts that load after the first paint do not count as calls.
      if (path !== '/upload' && !path.endsWith('/known') && !path.startsWith('/assets/')) others.push(path);
    });
    await page.getByRole('button', { name: 'Hochladen... (8 verbleibend)' }).waitFor();
    await expect.poll(() => held.routes.length).toBe(6);
    expect(await page.getByRole('button', { name: 'IMG_0.jpg, wird hochgeladen' }).isDisabled()).toBe(true);
    expect(await page.locator('input[type=file]').isDisabled()).toBe(true);
    expect(others).toEqual([]);
    await held.go();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    await page.getByRole('heading', { name: 'Meine Fotos' }).waitFor();
  });

  it('sends each file with its device, its event and its name', async () => {
    await page.goto(`/event/${event.code}`);
    await page.getByLabel('Dein Name').fill('Zoë 🎉');
    await select(1);
    const sent = page.waitForRequest('**/upload');
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    const request = await sent;
    const headers = request.headers();
    const device = await page.evaluate(() => localStorage.getItem('device_id'));
    expect(headers['device-id']).toBe(device);
    expect(headers['event-code']).toBe(event.code);
    expect(decodeURIComponent(headers['device-name'] ?? '')).toBe('Zoë 🎉');
    expect(headers['event-password']).toBeUndefined();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
  });

  it('sends Anonym where no name is given', async () => {
    await page.goto(`/event/${event.code}`);
    await select(1);
    const sent = page.waitForRequest('**/upload');
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    expect((await sent).headers()['device-name']).toBe('Anonym');
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
  });

  it('asks before the Back button leaves, and stays where the answer is no', async () => {
    // The device has no room for copies, so the page has to stay open.
    await page.addInitScript(() => (StorageManager.prototype.estimate = () => Promise.resolve({ quota: 10, usage: 0 })));
    await page.goto('/join');
    await page.getByPlaceholder('8-stelligen Code eingeben').fill(event.code);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.waitForURL(`**/event/${event.code}`);
    await select(2);
    const held = await hold();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await expect.poll(() => held.routes.length).toBe(2);
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.evaluate(() => history.back());
    await expect.poll(() => asked).toEqual([QUESTION]);
    // The address is the other page's while the question is open.
    await page.waitForURL(`**/event/${event.code}`);
    await held.go();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    // No photo is on its way any more, so Back leaves without a question.
    await page.goBack();
    await page.getByRole('heading', { name: 'Event beitreten' }).waitFor();
  });

  it('sends again what was lost before the signal came back in the middle of the run', async () => {
    await page.goto(`/event/${event.code}`);
    await select(2);
    const waiting: Route[] = [];
    let lost = 0;
    let signal = false;
    await page.route(UPLOADS, async (route) => {
      if (signal) return route.continue();
      const name = /filename="([^"]+)"/.exec(route.request().postDataBuffer()?.toString('latin1') ?? '')?.[1];
      if (name === 'IMG_1.jpg') waiting.push(route);
      else {
        lost++;
        await route.abort('connectionfailed');
      }
    });
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    // One file has used up its attempts, the other one still hangs: the run is not over.
    await page.getByRole('button', { name: 'IMG_0.jpg, wartet: Kein Netz' }).waitFor();
    await page.getByRole('button', { name: 'Hochladen... (2 verbleibend)' }).waitFor();
    expect(lost).toBeGreaterThanOrEqual(4);
    signal = true;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    // On a slow machine, the page may have begun this upload anew.
    await waiting[0]?.continue().catch(() => undefined);
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
  });

  it('uploads without waiting for the list of own photos', async () => {
    await page.route('**/my-photos', (route) => route.fulfill({ status: 500, json: { error: 'kaputt', code: 'internal' } }));
    await page.goto(`/event/${event.code}`);
    await select(1);
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor();
  });

  it('does not go on by itself when the consent is withdrawn', async () => {
    await page.goto(`/event/${event.code}`);
    await select(2);
    await page.route(UPLOADS, (route) => route.abort('connectionfailed'));
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByText('Wartet auf Netz – geht von selbst weiter.').waitFor();
    await page.getByRole('checkbox').uncheck();
    await page.getByText('Das Hochladen ist beendet.').waitFor();
    await page.unroute(UPLOADS);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    expect(await page.getByRole('button', { name: 'Hochladen (2)' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
  });

  it('sends no file that is larger than the server takes', async () => {
    let sent = 0;
    page.on('request', (request) => (sent += Number(new URL(request.url()).pathname === '/upload')));
    const limit = page.waitForResponse('**/max');
    await page.goto(`/event/${event.code}`);
    await (await limit).finished();
    await select(1);
    await page.locator('input[type=file]').setInputFiles([{ name: 'groß.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(2_000_000) }]);
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByText('groß.jpg: zu groß.').waitFor();
    expect(sent).toBe(1);
  });

  it.each([
    ['since the page took it', true],
    ['before the code of the page was there', false],
  ])('tells a file that is gone %s from a lost connection', async (_, codeFirst) => {
    // The device has no room for copies.
    await page.addInitScript(() => (StorageManager.prototype.estimate = () => Promise.resolve({ quota: 10, usage: 0 })));
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-guest-'));
    const path = join(folder, 'gone.jpg');
    await writeFile(path, await drawPhoto(1, 320, 240));
    let letThrough = (): void => undefined;
    const through = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route('**/assets/*.js', (route) => through.then(() => route.continue()));
    if (codeFirst) letThrough();
    await page.goto(`/event/${event.code}`, { waitUntil: 'commit' });
    if (codeFirst) await takenOver(page);
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('checkbox').check();
    await rm(folder, { recursive: true });
    letThrough();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText('gone.jpg: nicht mehr lesbar.').waitFor();
  });

  it('asks for the password where it was changed meanwhile, keeps the selection and goes on with it', async () => {
    const admin = await adminOf(server.url);
    const today = dayFromToday(0);
    const form = { title: event.title, start_date: today, end_date: today, with_upload_password: true };
    await admin.json('PUT', `/admin/events/${event.id}`, { ...form, user_upload_password: 'das erste' });
    await page.goto(`/event/${event.code}?lang=de&password=das%20erste`);
    await select(1);
    await admin.json('PUT', `/admin/events/${event.id}`, { ...form, user_upload_password: 'das zweite' });
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText('Das Event-Passwort fehlt oder stimmt nicht mehr.').waitFor();
    await page.getByLabel('Event Passwort').fill('das zweite');
    await page.getByRole('button', { name: 'Freischalten' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ lang: 'de', password: 'das zweite' });
    await page.reload();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor();
  });

  it('guesses no former password once for each photo, so that nobody else in this network is kept out', async () => {
    const admin = await adminOf(server.url);
    const today = dayFromToday(0);
    const form = { title: event.title, start_date: today, end_date: today, with_upload_password: true };
    await admin.json('PUT', `/admin/events/${event.id}`, { ...form, user_upload_password: 'das erste' });
    await page.goto(`/event/${event.code}?password=das%20erste`);
    // Some of these photos get a preview, which is refused, too.
    const large = Array.from({ length: 8 }, async (_, n) => {
      const buffer = Buffer.concat([await drawPhoto(100 + n, 320, 240), Buffer.alloc(650_000)]);
      return { name: `large${n}.jpg`, mimeType: 'image/jpeg', buffer };
    });
    await page.locator('input[type=file]').setInputFiles(await Promise.all(large));
    await select(12);
    await readyToSend(page, 20);
    await admin.json('PUT', `/admin/events/${event.id}`, { ...form, user_upload_password: 'das zweite' });
    let guesses = 0;
    page.on('response', (response) => (guesses += Number(response.status() === 403)));
    await page.getByRole('button', { name: 'Hochladen (20)' }).click();
    await page.getByText('20 Fotos: Das Event-Passwort fehlt oder stimmt nicht mehr.').waitFor();
    // No more uploads are refused than were under way together.
    expect(guesses).toBeLessThanOrEqual(UPLOAD_PARALLEL);
    await page.getByLabel('Event Passwort').fill('das zweite');
    await page.getByRole('button', { name: 'Freischalten' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
  });

  it('asks again what the server takes before it calls a video too large: the host may have let videos in since', async () => {
    const limit = page.waitForResponse('**/max');
    await page.goto(`/event/${event.code}`);
    await (await limit).finished();
    const today = dayFromToday(0);
    const form = { title: event.title, start_date: today, end_date: today, with_videos: true };
    await (await adminOf(server.url)).json('PUT', `/admin/events/${event.id}`, form);
    // The file is only the beginning of a video; the server looks at it and refuses it.
    const buffer = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(2_000_000)]);
    await page.locator('input[type=file]').setInputFiles([{ name: 'tanz.mp4', mimeType: 'video/mp4', buffer }]);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText('tanz.mp4: Möglich sind MP4, MOV und WebM').waitFor({ timeout: 30_000 });
  });

  it('draws previews again after one for which the code did not come', async () => {
    await page.route('**/thumbnail.worker*', (route) => route.abort('connectionfailed'));
    await page.goto(`/event/${event.code}`);
    const lost = page.waitForEvent('requestfailed');
    await select(1);
    await lost;
    await page.unroute('**/thumbnail.worker*');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'zwei.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(2, 320, 240) });
    await page.getByRole('button', { name: 'zwei.jpg, ausgewählt, entfernen' }).locator('img').waitFor();
  });

  it.skipIf(process.platform !== 'linux')('draws the thumbnails of six 48-megapixel photos one after the other', async () => {
    const large = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#a31' } })
      .jpeg()
      .toBuffer();
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').waitFor();
    const before = pagesMemory();
    const files = Array.from({ length: 6 }, (_, n) => ({
      name: `${n}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.concat([large, Buffer.alloc(n)]),
    }));
    await page.locator('input[type=file]').setInputFiles(files);
    let peak = 0;
    while ((await page.locator('ul img').count()) < 6) peak = Math.max(peak, pagesMemory());
    // One photo needs 192 MB; all six at once took 620 MB.
    expect(peak - before).toBeLessThan(400);
  });

  it('keeps the selection where the network is gone and somebody wants to report a photo', async () => {
    await page.goto(`/event/${event.code}`);
    await select(3);
    await readyToSend(page, 3);
    await page.route(/\/assets\//, (route) => route.abort('connectionfailed'));
    await page.getByRole('button', { name: 'Foto melden' }).click();
    await page.getByLabel('Welches Foto?').waitFor();
    await page.getByRole('button', { name: 'Schließen' }).click();
    await page.getByRole('button', { name: 'Hochladen (3)' }).waitFor();
  });

  it("takes a strange network's sign-in page for no connection", async () => {
    await page.route(`**/event/${event.code}`, (route) =>
      route.request().resourceType() === 'document'
        ? route.continue()
        : route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>WLAN</h1>' }),
    );
    await page.goto('/join');
    await page.getByPlaceholder('8-stelligen Code eingeben').fill(event.code);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByText('Keine Verbindung. Bitte das Netz prüfen und es erneut versuchen.').waitFor();
  });
});
