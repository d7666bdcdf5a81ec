import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { openLive } from './support/live.ts';
import { takeOver } from './support/login.ts';
import { startProxy } from './support/proxy.ts';
import { useServer } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

/** Limit in which news must show, which the product promises. */
const SECONDS_MS = 8000;

describe('what guests upload', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let device: string;

  useServer(async (started) => {
    ({ server, browser } = started);
    event = await createEvent(await adminOf(server.url), { with_slideshow: true });
    device = await deviceOf(server.url);
    for (let n = 0; n < 6; n += 1) await send(n);
  });

  const send = async (seed: number) => {
    const answer = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 320, 240) });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { photo: { id: string } }).photo.id;
  };

  it('gets changes again after the connection was refused', async () => {
    const { page, context } = await openPage(browser, server.url);
    await takeOver(context, await hostOf(server.url, event), server.url);
    await page.route('**/live', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
    await openLive(page, `/gallery/${event.code}`);
    await page.getByText('6 Fotos').first().waitFor();
    const id = await send(50);
    await page.getByText('7 Fotos').first().waitFor();
    const host = await hostOf(server.url, event);
    await host.json('DELETE', `/api/photos/${id}`, undefined, 204);
    await page.getByText('6 Fotos').first().waitFor();
    await context.close();
  });

  it.each([
    ['in the gallery', '/gallery/CODE', '**/photos?*', /(\d+) Fotos/],
    ['on the projector', '/slideshow/CODE', '**/slideshow?*', /^Foto \d+ von (\d+)/],
  ])('is %s although the answer about it was lost', async (_, path, list, counted) => {
    const { page, context } = await openPage(browser, server.url);
    await takeOver(context, await hostOf(server.url, event), server.url);
    await page.clock.install();
    await page.goto(path.replace('CODE', event.code));
    const shown = path.startsWith('/gallery') ? page.getByText(counted).first() : page.getByRole('img', { name: counted });
    const count = async () => {
      const text = path.startsWith('/gallery') ? await shown.textContent() : await shown.first().getAttribute('alt');
      return Number(counted.exec(text ?? '')?.[1]);
    };
    await shown.first().waitFor();
    const before = await count();
    const lost = page.waitForRequest(list);
    await page.route(list, () => undefined, { times: 1 });
    const id = await send(200 + before);
    // The page lets some time pass between its last request and the next one for news.
    await page.clock.runFor(5_000);
    await lost;
    // The browser's event `online` does not end the page's wait.
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.clock.runFor(40_000);
    await expect.poll(async () => (await page.clock.runFor(1_000), count())).toBe(before + 1);
    await (await hostOf(server.url, event)).json('DELETE', `/api/photos/${id}`, undefined, 204);
    await context.close();
  });

  it.each(['gallery', 'slideshow'])('comes over a new connection where one is silent for a minute: %s', async (place) => {
    const proxy = await startProxy(server.url);
    const { page, context } = await openPage(browser, proxy.url);
    await takeOver(context, await hostOf(server.url, event), proxy.url);
    let streams = 0;
    page.on('request', (request) => (streams += Number(new URL(request.url()).pathname.endsWith('/live'))));
    await page.addInitScript(() => {
      window.EventSource = class extends EventSource {
        constructor(url: string | URL) {
          super(url);
          window.addEventListener('beat', () => this.dispatchEvent(new MessageEvent('heartbeat')), { once: true });
        }
      };
    });
    await page.clock.install();
    const connected = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/live'));
    await page.goto(`/${place}/${event.code}`);
    await (place === 'gallery' ? page.getByText('6 Fotos').first() : page.getByRole('img', { name: /^Foto \d+ von 6/ })).waitFor();
    await connected;
    // From here on, time passes only where the test lets it.
    await standStill(page);
    proxy.become('silent');
    proxy.become('open');
    await page.clock.runFor(50_000);
    await page.evaluate(() => window.dispatchEvent(new Event('beat')));
    await page.clock.runFor(55_000);
    expect(streams).toBe(1);
    await page.clock.runFor(6_000);
    await expect.poll(() => streams).toBe(2);
    await context.close();
    await proxy.close();
  });

  it('is on the projector and in the gallery within seconds, and open pages do not hold up the closing', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/login?username=${event.host.username}&password=${event.host.password}`);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.waitForURL(/manage/);
    await openLive(page, `/slideshow/${event.code}`);
    await page.getByRole('img', { name: /^Foto \d von 6/ }).waitFor();
    const gallery = await context.newPage();
    await openLive(gallery, `/gallery/${event.code}`);
    await gallery.getByText('6 Fotos').first().waitFor();
    await send(100);
    await gallery.getByText('7 Fotos').first().waitFor({ timeout: SECONDS_MS });
    await page.bringToFront();
    await page.getByRole('img', { name: /^Foto \d von 7/ }).waitFor({ timeout: SECONDS_MS });
    const started = performance.now();
    expect(await server.stop()).toBe(0);
    // The server would give running answers 30 s.
    expect(performance.now() - started).toBeLessThan(20_000);
    await context.close();
  });
});
