// This file takes longer than 10 s, because each condition is a browser of its own.
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import type { EventUnderTest } from './support/api.ts';
import { PHONE } from './support/browser.ts';
import { askToDelete, gatesOf, PASSWORD, sendPhotos, smallPhotos } from './support/guests.ts';
import { stored } from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';
import { startWrongAnswers, type WrongAnswers } from './support/wrong-answers.ts';

type Options = BrowserContextOptions & { args?: string[] };
/** The media feature of a phone that saves data, for which Playwright has no option. */
const SAVES_DATA = [{ name: 'prefers-reduced-data', value: 'reduce' }];

const CONDITIONS: [name: string, options: Options][] = [
  ['answers without our headers', {}],
  ['a phone held sideways', { viewport: { width: 844, height: 390 } }],
  ['a dark phone', { colorScheme: 'dark' }],
  ['a phone that saves data, without motion', { reducedMotion: 'reduce', extraHTTPHeaders: { 'save-data': 'on' } }],
  ['forced colours', { forcedColors: 'active', colorScheme: 'dark' }],
  ['letters twice as large', { viewport: { width: 320, height: 640 }, args: ['--blink-settings=defaultFontSize=32'] }],
];
const PHOTOS = 6;

describe("a guest's way from the code to a photo deleted, with", () => {
  let server: TestServer;
  let browser: Browser;
  let locked: EventUnderTest;
  let proxy: WrongAnswers;
  let inAll = 0;

  useServer(async (started) => {
    ({ server, browser } = started);
    ({ locked } = await gatesOf(server.url));
    proxy = await startWrongAnswers(server.url);
    proxy.become('answers without our headers');
  });
  afterAll(() => proxy.close());

  it.each(CONDITIONS)('%s', async (name, options) => {
    const baseURL = name === 'answers without our headers' ? proxy.url : server.url;
    const context = await browser.newContext({ baseURL, viewport: PHONE, locale: 'de-DE', hasTouch: true, ...options });
    const page = await context.newPage();
    if (options.extraHTTPHeaders) {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setEmulatedMedia', { features: SAVES_DATA });
    }
    await page.goto('/join');
    await page.getByRole('textbox', { name: 'Event-Code' }).fill(locked.code);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByRole('link', { name: 'Freischalten' }).click();
    await page.getByLabel('Event Passwort').fill(PASSWORD);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByLabel('Dein Name').fill('Bärbel');
    expect.soft(await beyond(page)).toEqual([]);
    await sendPhotos(page, await smallPhotos(PHOTOS, 100 * inAll));
    await page.getByRole('heading', { name: 'Danke, Bärbel!' }).waitFor();
    await page.getByText(`${PHOTOS} Fotos sind angekommen.`).waitFor();
    expect.soft(await beyond(page)).toEqual([]);
    // In forced colours, axe still takes the backgrounds of the style sheets.
    if (!options.forcedColors) expect.soft(await violationsOf(page)).toEqual([]);
    await page.reload();
    await askToDelete(page, 'IMG_0.jpg');
    expect.soft(await beyond(page)).toEqual([]);
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor({ state: 'detached' });
    expect(await stored(server, locked)).toBe((inAll += PHOTOS - 1));
    await context.close();
  });

  it('forced colours, in which a tile without a picture has an edge', async () => {
    const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, locale: 'de-DE', forcedColors: 'active' });
    const page = await context.newPage();
    await page.goto(`/event/${locked.code}?password=${encodeURIComponent(PASSWORD)}`);
    await page.locator('input[type=file]').setInputFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('a photo') });
    const edge = await page.getByRole('button', { name: /^IMG_1/ }).evaluate((tile) => getComputedStyle(tile).border);
    expect(edge).toMatch(/^1px solid rgb/);
    await context.close();
  });
});

/** Finds links, buttons, fields and texts that reach beyond a side of the window, with their left and right edges. */
function beyond(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const sides = (element: Element) => element.getBoundingClientRect();
    return [...document.querySelectorAll('a, button, input, label, h1, h2, p')]
      .filter((element) => sides(element).width > 1 && (sides(element).left < 0 || sides(element).right > window.innerWidth + 1))
      .map((element) => `${element.tagName} ${element.textContent} ${sides(element).left}–${sides(element).right}`);
  });
}
