import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, projectorOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { openPage, PHONE } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { holdAtFirst } from './support/show.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

const HALL = { width: 3840, height: 2160 };
const TELEVISION = { width: 1920, height: 1080 };

describe('a wall with more pixels than previews have', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let host: Client;

  useServer(async (started) => {
    ({ server, browser } = started);
    event = await createEvent(await adminOf(server.url));
    host = await hostOf(server.url, event);
    const device = await deviceOf(server.url);
    const large = await sharp({ create: { width: 4200, height: 2800, channels: 3, background: '#507060' } })
      .jpeg()
      .toBuffer();
    const small = await Promise.all(Array.from({ length: 4 }, (_, seed) => drawPhoto(seed, 640, 480)));
    for (const file of [large, ...small]) await upload({ url: server.url, code: event.code, device, file });
  });

  async function wallOf(viewport: typeof HALL) {
    const opened = await openPage(browser, server.url, viewport);
    await takeOver(opened.context, await projectorOf(server.url, event), server.url);
    const asked: string[] = [];
    opened.page.on('request', (request) => request.url().endsWith('/large') && asked.push(request.url()));
    await opened.page.goto(`/slideshow/${event.code}`);
    await holdAtFirst(opened.page, 5);
    return { ...opened, asked };
  }
  const photo = (page: Page, place: number) => page.getByRole('img', { name: `Foto ${place} von 5` });
  const source = async (page: Page, place: number) => (await photo(page, place).getAttribute('src'))?.split('/').at(-1);
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

  it('gets larger ones by the host’s wish, in place of the previews, and a television of 1,920 px asks for none', async () => {
    const { page, context, asked } = await wallOf(HALL);
    await photo(page, 1).waitFor();
    expect(await source(page, 1)).toBe('preview?wide');
    expect(asked).toEqual([]);
    const place = await photo(page, 1).boundingBox();

    // While the server cannot make the large picture, the preview stays.
    await context.route('**/large', (route) => route.fulfill({ status: 404, json: { code: 'large_missing', error: '' } }));
    const phone = await openPage(browser, server.url, PHONE);
    await takeOver(phone.context, host, server.url);
    await phone.page.goto(`/manage/${event.code}/leinwand`);
    await phone.page.getByRole('switch', { name: 'Volle Auflösung auf 4K-Bildschirmen' }).click();
    await expect.poll(() => asked.length).toBe(1);
    await context.unroute('**/large');
    await press(page, 'Nächstes Foto');
    await photo(page, 2).waitFor();
    await press(page, 'Vorheriges Foto');

    await expect.poll(() => source(page, 1)).toBe('large');
    expect(await photo(page, 1).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3840);
    expect(await photo(page, 1).boundingBox()).toEqual(place);
    // The covered preview is removed.
    await expect.poll(() => photo(page, 1).locator('..').locator('img').count()).toBe(1);
    // A small photo has no large picture.
    await press(page, 'Nächstes Foto');
    await photo(page, 2).waitFor();
    expect(await source(page, 2)).toBe('preview');
    expect(new Set(asked).size).toBe(1);

    const television = await wallOf(TELEVISION);
    for (const [name, at] of [
      ['Nächstes Foto', 2],
      ['Vorheriges Foto', 1],
    ] as const) {
      await press(television.page, name);
      await photo(television.page, at).waitFor();
    }
    expect(await source(television.page, 1)).toMatch(/^preview/);
    expect(television.asked).toEqual([]);
    for (const each of [context, phone.context, television.context]) await each.close();
  });

  it('asks for its code in words that fill as much of it', async () => {
    const { page, context } = await openPage(browser, server.url, TELEVISION);
    await page.goto('/tv');
    const words = page.locator('main').locator('h1, p, label, input, button').filter({ visible: true });
    await words.last().waitFor();
    const sizes = () =>
      words.evaluateAll((all) =>
        all.map((each) => [getComputedStyle(each).fontSize, each.clientHeight].map((size) => parseFloat(`${size}`))),
      );
    const smaller = (await sizes()).flat();
    await page.setViewportSize(HALL);
    await expect.poll(async () => (await sizes())[0]![0]).toBeCloseTo(2 * smaller[0]!, 0);
    const larger = (await sizes()).flat();
    larger.forEach((size, n) => expect(size / smaller[n]!, String(n)).toBeGreaterThan(1.9));
    await context.close();
  });

  it('says what is missing with a sign and a brand that fill as much of it', async () => {
    const { page, context } = await openPage(browser, server.url, TELEVISION);
    await page.goto('/leinwand/ABCD2345');
    const drawn = page.locator('header svg, main svg, div:has(> svg)');
    await page.getByRole('heading', { name: 'Im Link fehlt ein Teil' }).waitFor();
    const widths = () => drawn.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
    const smaller = await widths();
    expect(smaller).toHaveLength(3);
    await page.setViewportSize(HALL);
    await expect.poll(async () => (await widths()).map((width, n) => Math.round((width / smaller[n]!) * 20) / 20)).toEqual([2, 2, 2]);
    await context.close();
  });
});
