import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { openLive } from './support/live.ts';
import { openAsHost } from './support/login.ts';
import { barOf, beforeEachGallery, listPhotos, openGallery, type Listed } from './support/gallery.ts';
import { insertPhotos } from './support/rows.ts';
import type { TestServer } from './support/server.ts';

describe("what the host's gallery loads", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let pictures: Buffer[];
  let event: EventUnderTest;
  let host: Client;
  let context: BrowserContext;
  let page: Page;

  beforeEachGallery((opened) => ({ server, browser, admin, pictures, event, host } = opened));
  afterEach(() => context.close());

  async function open(viewport = DESKTOP): Promise<void> {
    ({ page, context } = await openGallery(browser, server, event, viewport));
  }
  /** Opens a page in which the event's host is logged in. */
  async function openAs(party: EventUnderTest): Promise<void> {
    ({ page, context } = await openAsHost(browser, server.url, party));
  }
  const bar = () => barOf(page);
  const listed = (): Promise<Listed[]> => listPhotos(host, event);

  it('names the event, and on a phone brings the first photo within 260 px and the bar for a selection into one row of 72 px', async () => {
    await open(PHONE);
    await page.getByRole('heading', { name: 'Hochzeit Anna & Jörg', level: 1 }).waitFor();
    const photo = page.locator('[data-photo]').first();
    expect((await photo.boundingBox())?.y).toBeLessThanOrEqual(260);
    expect((await page.getByRole('region', { name: 'ZIP-Download' }).boundingBox())?.height).toBe(56);
    await page.getByRole('button', { name: 'Auswählen', exact: true }).tap();
    await photo.tap();
    expect((await bar().boundingBox())?.height).toBe(72);
    await page.getByRole('button', { name: 'Auswahl aufheben' }).tap();
    await page.getByRole('link', { name: 'Übersicht' }).tap();
    await page.waitForURL(`**/manage/${event.code}`);
  });

  it('an empty gallery shows at once what guests need', async () => {
    const party = await createEvent(admin);
    await openAs(party);
    await page.goto(`/gallery/${party.code}`);
    await page.getByText(party.code, { exact: true }).waitFor();
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor();
    await page.setViewportSize({ width: 2560, height: 1440 });
    const rem = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
    expect((await page.locator('main').boundingBox())?.width).toBe(110 * rem);
  });

  it('reloads its photos when it is not known what changed', async () => {
    await open();
    const [first, second] = (await listed()) as [Listed, Listed];
    let news = '';
    await page.route('**/live', (route) => route.fulfill({ contentType: 'text/event-stream', body: `retry: 200\n\n${news}` }));
    await openLive(page, `/gallery/${event.code}`);
    await page.getByText('6 Fotos').first().waitFor();
    await host.json('DELETE', `/api/photos/${first.id}`, undefined, 204);
    await host.json('PUT', `/api/photos/${second.id}/slideshow`, { value: false }, 200);
    news = 'event: photos\ndata: null\n\n';
    await page.getByText('5 Fotos').first().waitFor();
    await page.locator('main button[title="Nicht in der Slideshow"]').waitFor({ state: 'attached' });
    expect(await page.locator(`main img[src*="${first.id}"]`).count()).toBe(0);
  });

  it('loads on by itself where a page failed', async () => {
    const many = await createEvent(admin);
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), many.id, 100);
    await openAs(many);
    const loaded: string[] = [];
    page.on('response', (answer) => {
      const { pathname, searchParams } = new URL(answer.url());
      if (pathname.endsWith('/photos') && answer.ok()) loaded.push(searchParams.get('after') ?? '');
    });
    await page.route('**/photos?after=30&*', (route) => route.fulfill({ status: 502, body: '' }), { times: 2 });
    await page.goto(`/gallery/${many.code}`);
    await page.getByText('100 Fotos').first().waitFor();
    await expect.poll(() => loaded).toEqual(['0', '30', '60']);
  });

  it.each([
    ['an empty gallery', 0, 'Noch keine Fotos', '1 Foto'],
    ['a gallery', 6, '6 Fotos', '7 Fotos'],
  ])('%s stays as it is when the look for new photos fails, and shows them when it does not', async (_, photos, before, after) => {
    const party = photos > 0 ? event : await createEvent(admin);
    await openAs(party);
    await page.route('**/live', (route) => route.abort());
    await page.clock.install();
    await page.goto(`/gallery/${party.code}`);
    await page.getByText(before).first().waitFor();
    let failed = 0;
    await page.route('**/photos?*', (route) => {
      failed += 1;
      return route.abort();
    });
    await page.clock.runFor(16_000);
    await expect.poll(() => failed).toBeGreaterThan(0);
    await page.getByText(before).first().waitFor();
    const file = pictures[0] as Buffer;
    expect((await upload({ url: server.url, code: party.code, device: await deviceOf(server.url), file })).status).toBe(201);
    expect(await page.getByRole('heading', { name: 'Fehler' }).count()).toBe(0);
    await page.unroute('**/photos?*');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByText(after, { exact: true }).first().waitFor();
  });

  it('opens the photo of its address, however far behind it is, and drops the address of one that is not there', async () => {
    const many = await createEvent(admin);
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), many.id, 350);
    await openAs(many);
    const { photos } = await (
      await hostOf(server.url, many)
    ).json<{ photos: Listed[] }>('GET', `/api/events/${many.code}/photos?per_page=100&page=3`);
    const far = photos[50]?.id ?? '';
    await page.goto(`/gallery/${many.code}?foto=${far}`);
    await page.locator(`img[src*="${far}/preview"]`).waitFor();
    await page.getByRole('button', { name: 'Schließen' }).click();
    await page.waitForURL((url) => url.search === '');
    await page.goto(`/gallery/${many.code}?foto=gibt-es-nicht`);
    await page.waitForURL((url) => url.search === '');
    await page.getByText('350 Fotos').first().waitFor();
  });

  it('begins no download of a ZIP that is gone meanwhile, and shows that at once', async () => {
    const shared = await createEvent(admin);
    for (const file of pictures.slice(0, 2))
      expect((await upload({ url: server.url, code: shared.code, device: await deviceOf(server.url), file })).status).toBe(201);
    const itsHost = await hostOf(server.url, shared);
    await itsHost.json('POST', `/api/events/${shared.code}/create-zip`);
    await openAs(shared);
    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.url()));
    await page.goto(`/gallery/${shared.code}`);
    const zip = page.getByRole('region', { name: 'ZIP-Download' });
    await zip.getByRole('link', { name: 'Herunterladen' }).waitFor();
    // The page learns of another phone's deletion by nothing but its download.
    let asked = false;
    await page.route(`**/api/events/${shared.code}/**`, (route) => (asked ? route.continue() : undefined));
    await page.route('**/download', (route) => {
      asked = true;
      return route.continue();
    });
    const [first] = await listPhotos(itsHost, shared);
    await itsHost.json('DELETE', `/api/photos/${first?.id}`, undefined, 204);
    await zip.getByRole('link', { name: 'Herunterladen' }).click();
    await zip.getByRole('button', { name: 'ZIP erstellen' }).waitFor();
    expect(downloads).toEqual([]);
  });

  it('leads to the login and back where a ZIP is asked for after the session has ended', async () => {
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    await openAs(event);
    await page.goto(`/gallery/${event.code}`);
    const link = page.getByRole('region', { name: 'ZIP-Download' }).getByRole('link', { name: 'Herunterladen' });
    await link.waitFor();
    // All other calls get no answer, because their refusal would lead to the login before the link does.
    const others = (url: URL): boolean => url.pathname.startsWith('/api/') && !url.pathname.endsWith('/download');
    await page.route(others, () => undefined);
    await context.clearCookies();
    await link.click();
    await page.waitForURL(`**/login?redirect=${encodeURIComponent(`/gallery/${event.code}`)}`);
    await page.unroute(others);
    // The download's address can also be opened directly, such as from the browser's list of downloads.
    await page.goto(`/api/events/${event.code}/download`);
    await page.waitForURL(`**/login?redirect=${encodeURIComponent(`/gallery/${event.code}`)}`);
    await page.getByLabel('Benutzername').fill(event.host.username);
    await page.getByLabel('Passwort').fill(event.host.password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.waitForURL(`**/gallery/${event.code}`);
  });
});
