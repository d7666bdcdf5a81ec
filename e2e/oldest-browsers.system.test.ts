import type { Browser, BrowserContext, Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEWER, NEWER_THAN_WALL, removeNewer } from '../tools/floor.ts';
import { createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { logInAsAdmin, takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { DONE, photos, stored } from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { useAdmin } from './support/use-server.ts';

/** Larger than the size above which the lightbox shows a photo's preview first. */
const LARGE = { width: 1600, height: 1200 };

describe('the pages in a browser without anything newer than the oldest that are promised', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let event: EventUnderTest;
  let page: Page;
  let context: BrowserContext;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    event = await createEvent(admin, { with_slideshow: true });
  });
  beforeEach(async () => {
    ({ page, context } = await openPage(browser, server.url, DESKTOP));
    await context.addInitScript(removeNewer, NEWER);
    // Workers have a global scope of their own.
    await context.route(/\.worker-.*\.js$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `(${removeNewer.toString()})(${JSON.stringify(NEWER)});${await response.text()}` });
    });
  });
  afterEach(() => context.close());

  it('have it taken away', async () => {
    await page.goto('/join');
    const left = await page.evaluate(() => [
      'union' in Set.prototype,
      'findLast' in Array.prototype,
      'OffscreenCanvas' in window,
      'at' in Array.prototype,
    ]);
    expect(left).toEqual([false, false, false, true]);
  });

  it('lead a guest from the code to the thanks', async () => {
    await page.goto('/join');
    await page.getByRole('textbox', { name: 'Event-Code' }).fill(event.code);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByRole('heading', { name: event.title }).waitFor();
    const large = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(9, LARGE.width, LARGE.height) };
    await page.locator('input[type=file]').setInputFiles([...(await photos(5)), large]);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (6)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    await page.getByText('6 Fotos sind angekommen.').waitFor();
    expect(await stored(server, event)).toBe(6);
  });

  it('show a host dashboard, gallery and slideshow', async () => {
    await takeOver(context, await hostOf(server.url, event), server.url);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('heading', { name: event.title }).waitFor();
    await page.getByRole('button', { name: 'Teilen' }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`/gallery/${event.code}`);
    await page.getByText('6 Fotos').first().waitFor();
    await page
      .getByRole('button', { name: /^Foto von/ })
      .first()
      .click();
    // The lightbox listens to keys once it has the focus.
    await page.locator('.yarl__portal :focus, .yarl__portal:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.yarl__portal').waitFor({ state: 'detached' });
    await page.goto(`/slideshow/${event.code}`);
    await page
      .getByRole('img', { name: /^Foto \d+ von 6$/ })
      .first()
      .waitFor();
  });

  it('show the slideshow also on a television of 2020, from the typed code to what a guest has just sent', async () => {
    await context.addInitScript(removeNewer, NEWER_THAN_WALL);
    // `removeNewer` cannot remove newer options of old methods, so addEventListener drops them here.
    await context.addInitScript(() => {
      const { addEventListener } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (type, listener, options) {
        const { capture = false, once = false } = typeof options === 'object' ? options : { capture: options === true };
        addEventListener.call(this, type, listener, { capture, once });
      };
      const there = ['globalThis' in self, 'replaceChildren' in Element.prototype, 'allSettled' in Promise];
      addEventListener.call(document, 'DOMContentLoaded', () => document.documentElement.setAttribute('data-there', there.join(' ')));
    });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    const own = await createEvent(admin, { title: 'Gartenfest' });
    const device = await deviceOf(server.url);
    const send = async (seed: number) => upload({ url: server.url, code: own.code, device, file: await drawPhoto(seed, 640, 480) });
    for (let seed = 0; seed < 6; seed++) await send(seed);
    const host = await hostOf(server.url, own);
    const { code } = await host.json<{ code: string }>('POST', `/api/events/${own.code}/wall/code`);
    await page.goto('/tv');
    // Playwright's own code in the page needs the removed names, so the script above noted in the document which are left.
    expect(await page.locator('html').getAttribute('data-there')).toBe('false false false');
    // Without this tag, Chromium 68 sends `Origin: null`.
    expect(await page.locator('meta[name=referrer]').getAttribute('content')).toBe('same-origin');
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    await page
      .getByRole('img', { name: /^Foto \d+ von 6$/ })
      .first()
      .waitFor();
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor();
    await page.getByRole('button', { name: 'Nächstes Foto' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByRole('button', { name: 'Vollbild' }).click();
    await Promise.all([page.getByText('Neu von Anna').waitFor(), send(77)]);
    await page
      .getByRole('img', { name: /von 7$/ })
      .first()
      .waitFor();
    const { version } = await host.json<{ version: number }>('GET', `/api/events/${own.code}/wall`);
    await host.json('PUT', `/api/events/${own.code}/wall`, { version, curtain: true, layout: 'collage', qr: false });
    await page.locator('[data-down=true]').waitFor({ state: 'attached' });
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor({ state: 'detached' });
    await host.json('POST', `/api/events/${own.code}/wall/link`, { value: false });
    await page.waitForURL('**/login**');
    expect(errors).toEqual([]);
  });

  it('let an operator choose events', async () => {
    await logInAsAdmin(page);
    const box = page.getByRole('checkbox', { name: `${event.title} auswählen` });
    await box.click();
    await page.getByText('1 ausgewählt').waitFor();
    await box.click();
    await page.getByText('1 ausgewählt').waitFor({ state: 'detached' });
    for (const path of ['/admin/heute', '/admin/einstellungen', '/admin/datenschutz', '/admin/protokoll', '/admin?monat=jetzt']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
  });
});
