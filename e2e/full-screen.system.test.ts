import { join } from 'node:path';
import type { Browser } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, deviceOf, hostOf, OPEN_GALLERY, upload, type Client, type EventUnderTest } from './support/api.ts';
import { openPage, PHONE } from './support/browser.ts';
import type { Listed } from './support/gallery.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { insertPhotos } from './support/rows.ts';
import type { TestServer } from './support/server.ts';
import { announce } from './support/tus.ts';
import { useAdmin } from './support/use-server.ts';

/** Photos that a gallery loads before anybody scrolls. */
const PRELOADED = 90;
/** Limit for some hundred key presses on a busy machine. */
const PRESSED_MS = 150_000;

describe('the full screen', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let picture: Buffer;
  let event: EventUnderTest;
  let host: Client;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    picture = await drawPhoto(0, 320, 240);
  });
  beforeEach(async () => {
    event = await createEvent(admin);
    host = await hostOf(server.url, event);
  });

  const set = (settings: object): Promise<{ url: string }> => host.json('PUT', `/api/events/${event.code}/gallery`, settings);
  const send = async (): Promise<void> => {
    expect((await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: picture })).status).toBe(201);
  };

  it.each(['the host', 'a guest'])('goes on where the photos end that were loaded at first, for %s', async (who) => {
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), event.id, 2 * PRELOADED, { keys: true });
    const { url } = await set(OPEN_GALLERY);
    const { photos } = await host.json<{ photos: Listed[] }>('GET', `/api/events/${event.code}/photos?after=0&per_page=100`);
    const { page, context } = await openPage(browser, server.url, PHONE);
    if (who === 'the host') await takeOver(context, host, server.url);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await context.route(/\/(thumbnail|preview)/, (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }));
    await page.goto(who === 'the host' ? `/gallery/${event.code}` : url);
    await page.locator('[data-photo]').first().click();
    const current = page.locator('.yarl__slide_current img[src*="/preview"]');
    const place = async (): Promise<number> => {
      const id = /photos\/([^/]+)/.exec((await current.getAttribute('src')) ?? '')?.[1];
      return photos.findIndex((photo) => photo.id === id);
    };
    await expect.poll(place).toBe(0);
    const next = async (): Promise<number> => {
      await page.keyboard.press('ArrowRight');
      return place();
    };
    // Each look for the number of photos brings the host's page one more.
    await expect.poll(next, { timeout: PRESSED_MS, interval: 1 }).toBeGreaterThan(PRELOADED + 5);
    await context.close();
  });

  it('asks again for a picture that does not come to a guest, and says so meanwhile', async () => {
    await send();
    const { url } = await set(OPEN_GALLERY);
    const { page, context } = await openPage(browser, server.url, PHONE);
    let asked = 0;
    await page.route('**/preview*', (route) => {
      asked += 1;
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
    });
    await page.goto(url);
    await page.locator('[data-photo]').tap();
    const said = page.getByText('Das Foto ließ sich nicht öffnen. Die Seite versucht es von selbst wieder.');
    await said.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before);
    await page.unroute('**/preview*');
    const shown = page.locator('.yarl__slide_current img');
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await said.waitFor({ state: 'detached' });
    await context.close();
  });

  it('offers guests the download of originals that are there, and says why one is refused', async () => {
    await send();
    const { url } = await set(OPEN_GALLERY);
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.goto(url);
    await page.locator('[data-photo]').tap();
    const download = page.getByRole('link', { name: 'Herunterladen' });
    await download.waitFor();
    // The page was opened while the host still gave the originals out.
    await set({ ...OPEN_GALLERY, originals: false });
    await download.tap();
    const alert = page.getByRole('alert');
    await alert.getByText('Bei diesem Event gibt der Gastgeber die Originale nicht an Gäste weiter.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await set(OPEN_GALLERY);
    const saved = page.waitForEvent('download');
    await download.tap();
    await saved;
    await alert.waitFor({ state: 'detached' });

    const original = await drawPhoto(1, 1600, 1200);
    const preview = await drawPhoto(1, 1280, 960);
    await announce(server.url, { code: event.code, device: await deviceOf(server.url), name: 'a.jpg', original, preview });
    await page.goto(`/galerie/${event.code}`);
    await page.getByRole('button', { name: /Original folgt/ }).tap();
    await page.getByRole('button', { name: 'Melden' }).waitFor();
    expect(await download.count()).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await download.waitFor();
    await context.close();
  });
});
