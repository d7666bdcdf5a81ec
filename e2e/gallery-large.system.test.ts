import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, deviceOf, hostOf, OPEN_GALLERY, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { useAdmin } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import { insertPhotos } from './support/rows.ts';
import { scrollThrough } from './support/scroll.ts';
import type { TestServer } from './support/server.ts';

/** Delay of an answer on a slow line, in which a finger passes several screens. */
const LINE_MS = 300;

describe('the gallery of a large event', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let picture: Buffer;
  let event: EventUnderTest;
  let host: Client;
  let context: BrowserContext;
  let page: Page;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    picture = await drawPhoto(0, 320, 240);
  });

  beforeEach(async () => {
    event = await createEvent(admin);
    host = await hostOf(server.url, event);
    ({ page, context } = await openPage(browser, server.url, DESKTOP));
    await takeOver(context, host, server.url);
    return () => context.close();
  });

  const thumbnails = () => page.locator('main img[src*="/thumbnail"]');

  it('shows 10,000 photos with at most 2,000 elements in the document, each at its place at once', async () => {
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), event.id, 10_000);
    await context.route('**/thumbnail', (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }));
    await page.goto(`/gallery/${event.code}`);
    await page.getByText('10.000 Fotos').first().waitFor();
    await thumbnails().first().waitFor();
    // Pictures take their time here, so all photos are loaded first and passed in leaps; the bench scrolls slowly and loads meanwhile.
    await page.getByLabel('Sortierung').selectOption('Zuletzt hochgeladen');
    await page.getByText('Fotos werden geladen').waitFor({ state: 'detached' });
    const { nodes, shift } = await scrollThrough(page, 8);
    await page.locator('main img[alt^="Foto von Gast 0,"]').last().waitFor();
    expect(nodes).toBeLessThanOrEqual(2000);
    expect(shift).toBeLessThan(0.01);
    const hidden = await page.evaluate(() => document.documentElement.scrollHeight - window.scrollY - window.innerHeight);
    expect(hidden).toBeLessThanOrEqual(2);
  });

  it.each([
    ['the host', DESKTOP],
    ['the host', PHONE],
    ['a guest', DESKTOP],
    ['a guest', PHONE],
  ])('moves nothing while a finger is faster than the list (%s, %o)', async (who, viewport) => {
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), event.id, viewport === PHONE ? 120 : 240, { keys: true });
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
    await page.setViewportSize(viewport);
    await context.route('**/thumbnail', (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }));
    await context.route('**/photos?*', async (route) => {
      await sleep(LINE_MS);
      await route.continue();
    });
    await page.goto(who === 'a guest' ? url : `/gallery/${event.code}`);
    await thumbnails().first().waitFor();
    const { shift } = await scrollThrough(page, 1.5, 100);
    await page.locator('main img[alt^="Foto von Gast 39,"]').last().waitFor();
    expect(shift).toBeLessThan(0.01);
  });

  describe('has a track at its side', () => {
    const slider = () => page.getByRole('slider', { name: 'Zeitleiste' });
    const share = async (): Promise<number> => Number(await slider().getAttribute('aria-valuenow'));
    const begin = async (): Promise<void> => {
      insertPhotos(join(server.dataDir, 'feierbild.sqlite'), event.id, 600);
      await context.route('**/thumbnail', (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }));
      await page.goto(`/gallery/${event.code}`);
      await page.getByText('600 Fotos').first().waitFor();
      await slider().waitFor({ state: 'attached' });
    };

    it('that says where one is, and leads on by keyboard and mouse', async () => {
      await begin();
      const time = () => slider().getAttribute('aria-valuetext');
      await slider().focus();
      const first = await time();
      expect(first).toMatch(/^\d+\. \S+ \d{4}, \d\d:\d\d$/);
      await page.keyboard.press('End');
      await expect.poll(share).toBe(100);
      await expect.poll(time).not.toBe(first);
      await page.keyboard.press('Home');
      await expect.poll(share).toBe(0);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
      expect(await violationsOf(page)).toEqual([]);

      await page.mouse.move(DESKTOP.width - 16, 200);
      await page.mouse.down();
      await page.mouse.move(DESKTOP.width - 16, DESKTOP.height / 2, { steps: 5 });
      await expect.poll(share).toBeGreaterThan(40);
      await page.mouse.up();
      expect(await share()).toBeLessThan(60);
      await page.mouse.move(DESKTOP.width / 2, 300);
      const still = await share();
      await page.mouse.move(DESKTOP.width / 2, 500);
      expect(await share()).toBe(still);
    });

    it('whose handle comes with scrolling under a finger, and is dragged', async () => {
      await context.close();
      ({ page, context } = await openPage(browser, server.url, PHONE));
      await takeOver(context, host, server.url);
      await begin();
      // The handle disappears 1.5 s after the last scrolling; a busy machine touches it later, so the page scrolls until then.
      await page.evaluate(() => {
        window.scrollTo(0, 3000);
        const goingOn = setInterval(() => window.scrollBy(0, 1), 200);
        window.addEventListener('pointerdown', () => clearInterval(goingOn), { capture: true, once: true });
      });
      await expect.poll(() => slider().evaluate((one) => Number(getComputedStyle(one).opacity))).toBeGreaterThan(0.5);
      const box = await slider().boundingBox();
      if (!box) throw new Error('there is no handle');
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const fingers = await context.newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
        fingers.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
      await touch('touchStart', y);
      for (let at = y; at <= 500; at += 20) await touch('touchMove', at);
      // Loading photos make the gallery longer. A finger never lies quite still, and the handle stays under it.
      let still = 500;
      const held = async (): Promise<number> => {
        await touch('touchMove', (still ^= 1));
        return share();
      };
      await expect.poll(held).toBeGreaterThan(45);
      await touch('touchEnd');
      expect(await share()).toBeLessThan(70);
      // The handle disappears again.
      await expect.poll(() => slider().evaluate((one) => getComputedStyle(one).opacity)).toBe('0');
    });
  });

  it('loads all pages before it reverses the order, with few cards in the document, and stays put when photos come', async () => {
    const device = await deviceOf(server.url);
    expect((await upload({ url: server.url, code: event.code, device, file: picture })).status).toBe(201);
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`);
    const [one] = photos;
    if (!one) throw new Error('the gallery is empty');
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        ...one,
        id: `p${n}`,
        thumbnail_url: `/api/photos/${one.id}/thumbnail?p=${n}`,
        preview_url: '',
        original_url: '',
        width: 4,
        height: 3,
        taken_at: null,
        size: 1,
        created_at: new Date(1_779_000_000_000 + n * 60_000).toISOString(),
        device: { name: `Gast ${n % 7}` },
      }));
    let all = many(3000);
    await page.route('**/api/events/*/photos?*', async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [after, size] = [Number(query.get('after')), Number(query.get('per_page'))];
      const photos = all.slice(after, after + size);
      await route.fulfill({ json: { photos, total: all.length, next: after + photos.length } });
    });
    await page.clock.install();
    await page.goto(`/gallery/${event.code}`);
    await thumbnails().first().waitFor();
    await page.getByLabel('Sortierung').selectOption('Zuletzt hochgeladen');
    await page.locator('img[src$="p=2999"]').waitFor();
    expect(await page.getByLabel('Gast').getByRole('option').nth(1).textContent()).toBe('Gast 0 (429)');
    await page.evaluate(() => window.scrollTo(0, 20_000));
    const middle = async () => {
      await page.clock.runFor(100);
      return page.evaluate(() => {
        const images = [...document.querySelectorAll<HTMLImageElement>('main img[src*="/thumbnail"]')];
        const image = images.find((img) => img.getBoundingClientRect().top > 0);
        return { src: image?.getAttribute('src'), top: image?.getBoundingClientRect().top ?? 0, count: images.length };
      });
    };
    await expect.poll(async () => (await middle()).src).toBeTruthy();
    const before = await middle();
    expect(before.count).toBeLessThan(120);
    all = many(3005);
    await page.clock.runFor(16_000);
    await page.getByText('3.005 Fotos').first().waitFor();
    await middle();
    const place = await page.locator(`img[src="${before.src}"]`).evaluate((img) => img.getBoundingClientRect().top);
    expect(Math.abs(place - before.top)).toBeLessThanOrEqual(1);
  });
});
