import { SLIDESHOW_INTERVAL } from '@feierbild/contract/constants.ts';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import {
  adminOf,
  createClient,
  createEvent,
  deviceOf,
  hostOf,
  projectorOf,
  upload,
  type Client,
  type EventUnderTest,
} from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { type TestServer } from './support/server.ts';

describe('a running slideshow', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let host: Client;
  let add: (seed: number) => Promise<string>;
  let ids: string[];
  let admin: Client;
  let pictures: Buffer[];

  useServer(async (started) => {
    ({ server, browser } = started);
    admin = await adminOf(server.url);
    pictures = await Promise.all(Array.from({ length: 6 }, (_, seed) => drawPhoto(seed, 640, 480)));
  });
  beforeEach(async () => {
    event = await createEvent(admin);
    host = await hostOf(server.url, event);
    const device = await deviceOf(server.url);
    add = async (seed) => {
      const answer = await upload({ url: server.url, code: event.code, device, file: pictures[seed] ?? (await drawPhoto(seed, 640, 480)) });
      return ((await answer.json()) as { photo: { id: string } }).photo.id;
    };
    ids = [];
    for (let seed = 0; seed < 6; seed++) ids.push(await add(seed));
  });
  const wallOf = () => host.json<{ version: number; steps: number }>('GET', `/api/events/${event.code}/wall`);
  async function stage(viewport = DESKTOP) {
    const opened = await openPage(browser, server.url, viewport);
    await takeOver(opened.context, host, server.url);
    return opened;
  }

  it('takes new photos in and removed ones out without a reload, and stays at its photo', async () => {
    const { page, context, errors } = await stage();
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Nächstes Foto' }).click();
    const source = () => page.getByRole('img', { name: /^Foto \d/ }).getAttribute('src');
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    expect(await source()).toContain(ids[1]);

    // The one before it goes, two come: the photo on the wall is the same.
    await host.json('PUT', `/api/photos/${ids[0]}/slideshow`, { value: false });
    await Promise.all([add(10), add(11)]);
    await page.clock.fastForward(121_000);
    await page.getByRole('img', { name: 'Foto 1 von 7' }).waitFor();
    expect(await source()).toContain(ids[1]);

    // The photo on the wall is deleted: the next one takes its place.
    await host.json('DELETE', `/api/photos/${ids[1]}`);
    await page.clock.fastForward(121_000);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    expect(await source()).toContain(ids[2]);

    // What came while it was held comes now; then the order goes on.
    await page.getByRole('button', { name: 'Weiter' }).click();
    for (const place of [5, 6]) await page.getByRole('img', { name: `Foto ${place} von 6` }).waitFor();
    await page.clock.fastForward(10_000);
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    expect(await source()).toContain(ids[3]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('hides its controls after a click, not while the keyboard is used', async () => {
    const { page, context } = await stage();
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    // Make the focus of what has it visible.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const controls = page.getByRole('button', { name: 'Weiter' }).locator('..');
    const opacity = () => controls.evaluate((bar) => getComputedStyle(bar).opacity);
    // From here on its time passes as it is told to alone.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await page.mouse.move(300, 200);
    await page.clock.runFor(2500);
    expect(await opacity()).toBe('1');
    await page.clock.runFor(1000);
    await expect.poll(opacity).toBe('0');

    await page.keyboard.press('Shift+Tab');
    await expect.poll(opacity).toBe('1');
    await page.clock.runFor(4000);
    await page.evaluate(() => document.activeElement?.getAnimations({ subtree: true }).map((one) => one.finish()));
    expect(await opacity()).toBe('1');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Vorheriges Foto');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: /^Foto (\d+) von \1/ }).waitFor();
    await page.locator(':focus').evaluate((button: HTMLElement) => button.blur());
    await page.clock.runFor(4000);
    await expect.poll(opacity).toBe('0');
    await context.close();
  });

  it('a tap brings the hidden controls, and only the next one presses a button', async () => {
    const { page, context } = await stage(PHONE);
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    const leave = page.getByRole('button', { name: 'Slideshow beenden' });
    const { x, y, width, height } = (await leave.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const opacity = () => leave.locator('..').evaluate((bar) => getComputedStyle(bar).opacity);
    const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2);
    await page.clock.runFor(4000);
    await expect.poll(opacity).toBe('0');
    await tap();
    await expect.poll(opacity).toBe('1');
    expect(new URL(page.url()).pathname).toBe(`/slideshow/${event.code}`);
    await tap();
    await page.waitForURL(`**/manage/${event.code}`);
    await context.close();
  });

  it('shows the QR code for guests until it is switched off, and remembers it', async () => {
    const { page, context, errors } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    const code = page.getByRole('img', { name: 'QR-Code zum Event' });
    await code.waitFor();
    expect(await page.getByText(event.code).isVisible()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    for (const viewport of [DESKTOP, PHONE, { width: 360, height: 640 }]) {
      await page.setViewportSize(viewport);
      const [corner, controls] = await Promise.all([
        code.boundingBox(),
        page.getByRole('button', { name: 'Slideshow beenden' }).boundingBox(),
      ]);
      if (!corner || !controls) throw new Error('nothing to measure');
      expect(controls.x + controls.width).toBeLessThanOrEqual(viewport.width);
      expect(corner.x + corner.width).toBeLessThanOrEqual(viewport.width);
      expect(corner.x > controls.x + controls.width || corner.y + corner.height < controls.y).toBe(true);
    }
    await page.getByRole('button', { name: 'QR-Code ausblenden' }).click();
    await code.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'QR-Code einblenden' }).click();
    await code.waitFor();
    await page.reload();
    await code.waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('asks after ever longer pauses while no picture can be loaded, and goes on when they come again', async () => {
    const { page, context } = await stage();
    let refused = 0;
    await page.route('**/preview', (route) => {
      refused++;
      return route.abort();
    });
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    // Each once, then one at a time.
    const { photos } = await host.json<{ photos: unknown[] }>('GET', `/api/events/${event.code}/slideshow`);
    let expected = photos.length;
    await expect.poll(() => refused).toBe(expected);
    for (const pause of [1, 2, 4, 8, 12, 12].map((times) => times * SLIDESHOW_INTERVAL)) {
      // What was refused, or would have been asked for, came before this.
      const settled = () => page.evaluate(() => fetch('/api/site').then(() => undefined));
      await settled();
      await page.clock.fastForward(pause - 1000);
      await settled();
      expect(refused).toBe(expected);
      await page.clock.fastForward(1000);
      expected += 1;
      await expect.poll(() => refused).toBe(expected);
    }
    await page.unroute('**/preview');
    await page.clock.fastForward(12 * SLIDESHOW_INTERVAL);
    await expect
      .poll(() => page.getByRole('img', { name: /^Foto \d/ }).evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await context.close();
  });

  /** A wall whose time passes only in `until`, in small steps: a busy machine takes longer to what is awaited, and the wall stays where it is. */
  async function steppedWall(page: Page) {
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    return async (isThere: () => Promise<boolean>): Promise<void> => {
      const step = async (): Promise<boolean> => {
        await page.clock.runFor(20);
        return isThere();
      };
      await expect.poll(step).toBe(true);
    };
  }

  it('shows a new photo at once, with its name for four seconds, then goes on in its order; and keeps the screen awake', async () => {
    const { page, context } = await stage();
    await page.addInitScript(() => {
      const request = navigator.wakeLock.request.bind(navigator.wakeLock);
      navigator.wakeLock.request = async (type) => {
        document.documentElement.dataset.awake = type ?? 'screen';
        return request(type);
      };
    });
    const until = await steppedWall(page);
    expect(await page.locator('html').getAttribute('data-awake')).toBe('screen');
    const fresh = await add(20);
    await until(() => page.getByRole('img', { name: 'Foto 7 von 7' }).isVisible());
    expect(await page.getByRole('img', { name: /^Foto/ }).getAttribute('src')).toContain(fresh);
    await until(() => page.getByText('Neu von Anna').isVisible());
    await page.clock.runFor(4000);
    await until(() => page.getByText('Neu von Anna').isHidden());
    for (const place of [2, 3, 4, 5, 6, 1]) {
      await page.clock.runFor(SLIDESHOW_INTERVAL);
      await until(() => page.getByRole('img', { name: `Foto ${place} von 7` }).isVisible());
    }
    await context.close();
  });

  it('takes further new photos into the slide of new ones, as a collage whose photos stay, and shows none that went', async () => {
    const { page, context, errors } = await stage();
    const until = await steppedWall(page);
    const shown = () => page.getByRole('img', { name: /^Foto/ });
    const first = await add(20);
    await until(() => page.getByRole('img', { name: 'Foto 7 von 7' }).isVisible());
    const kept = await shown().elementHandle();
    const second = await add(21);
    await until(() => page.getByRole('img', { name: 'Foto 8 von 8' }).isVisible());
    const third = await add(22);
    await until(() => page.getByRole('img', { name: 'Foto 9 von 9' }).isVisible());
    const sources = () => shown().evaluateAll((all) => all.map((image) => image.getAttribute('src') ?? ''));
    expect(await sources()).toEqual([first, second, third].map((id) => expect.stringContaining(id)));
    // The element that was there has moved, and its photo was not loaded anew.
    expect(await kept?.evaluate((image) => image.isConnected)).toBe(true);
    await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
    const boxes = await Promise.all((await shown().all()).map((image) => image.boundingBox()));
    for (const box of boxes) expect((box?.width ?? 0) * (box?.height ?? 0)).toBeGreaterThan(DESKTOP.width * DESKTOP.height * 0.06);
    // It stays while it is looked at, which needs the time.
    await page.keyboard.press(' ');
    await page.clock.resume();
    expect(await violationsOf(page)).toEqual([]);
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await page.keyboard.press(' ');

    await host.json('DELETE', `/api/photos/${second}`, undefined, 204);
    const left = [first, third];
    await until(async () => (await sources()).length === left.length);
    expect(await sources()).toEqual(left.map((id) => expect.stringContaining(id)));
    await page.clock.runFor(SLIDESHOW_INTERVAL);
    await until(() => page.getByRole('img', { name: 'Foto 2 von 8' }).isVisible());
    expect(errors).toEqual([]);
    await context.close();
  });

  it('follows the host’s phone: pause, next, curtain, this picture, layout, code and brightness; of two phones the later one learns it', async () => {
    const { page, context, errors } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    const [phone, other] = [await stage(PHONE), await stage(PHONE)];
    for (const each of [phone, other]) await each.page.goto(`/manage/${event.code}/leinwand`);
    const key = (name: string, at = phone) => at.page.getByRole('button', { name, exact: true });
    await key('Pause').click();
    await page.getByRole('button', { name: 'Weiter' }).waitFor();
    await key('Weiter', other).waitFor();
    // On a busy machine it went on by itself before the phones were there.
    const shown = await page.getByRole('img', { name: /^Foto/ }).getAttribute('alt');
    for (let place = Number(/\d+/.exec(shown ?? '')?.[0]) - 1; place > 0; place--) {
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('img', { name: `Foto ${place} von 6` }).waitFor();
    }
    const ahead = (steps: number) => page.getByRole('img', { name: `Foto ${1 + steps} von 6` });
    await key('Nächstes').click();
    await ahead(1).waitFor();
    // Of two quick presses the wall learns by one answer.
    const known = Promise.withResolvers<void>();
    await page.route('**/wall', async (route) => (await known.promise, route.continue()));
    const { steps } = await wallOf();
    await key('Nächstes').click();
    await key('Nächstes').click();
    await expect.poll(async () => (await wallOf()).steps).toBe(steps + 2);
    known.resolve();
    await ahead(3).waitFor();
    await page.unroute('**/wall');
    for (const steps of [2, 1]) {
      await page.keyboard.press('ArrowLeft');
      await ahead(steps).waitFor();
    }
    await key('Foto 1 von Anna auf die Leinwand').click();
    await page.getByRole('img', { name: 'Foto 6 von 6' }).waitFor();
    const curtain = () => page.locator('[data-down]').evaluate((each) => getComputedStyle(each).opacity);
    await key('Vorhang zu').click();
    await expect.poll(curtain).toBe('1');
    await key('Vorhang auf', other).click();
    await expect.poll(curtain).toBe('0');
    await key('Vorhang zu').waitFor();
    await phone.page.getByRole('switch', { name: 'QR-Code für Gäste' }).click();
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor({ state: 'detached' });
    await phone.page.getByLabel(/^Helligkeit/).fill('40');
    await phone.page.getByLabel(/^Helligkeit/).blur();
    await expect.poll(() => page.locator('[style*="opacity: 0.4"]').count()).toBe(1);
    // The remote shows a press before its answer; presses that come meanwhile follow.
    const held = Promise.withResolvers<void>();
    await phone.page.route('**/wall', async (route) => {
      if (route.request().method() === 'PUT') await held.promise;
      await route.continue();
    });
    await phone.page.getByLabel('Mehrere auf einmal').check();
    await key('Nächstes').click();
    held.resolve();
    await expect.poll(() => page.getByRole('img', { name: /^Foto/ }).count()).toBeGreaterThan(2);
    expect(await violationsOf(phone.page)).toEqual([]);

    // What the other phone does not know yet, it does not undo.
    await other.page.route('**/wall', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
    await host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, curtain: true });
    await key('Vorhang zu', other).click();
    await other.page.getByText('Ein anderes Handy war schneller. So ist es jetzt.').waitFor();
    expect(await wallOf()).toMatchObject({ curtain: true, paused: true, layout: 'collage', brightness: 40 });
    expect(errors).toEqual([]);
    for (const each of [context, phone.context, other.context]) await each.close();
  });

  it('begins anew at five in the morning, where it stood, as long as the server answers', async () => {
    const { page, context } = await stage();
    const halfPastTwo = await page.evaluate(() => new Date().setHours(2, 30, 0, 0));
    await page.clock.install({ time: halfPastTwo });
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    for (const place of [2, 3]) {
      await page.keyboard.press('ArrowRight');
      await page.getByRole('img', { name: `Foto ${place} von 6` }).waitFor();
    }
    let loads = 0;
    page.on('load', () => loads++);
    const asked = () => page.waitForRequest('**/health');
    await page.route('**/health', (route) => route.abort());
    for (const minutes of [149, 2]) await page.clock.fastForward(minutes * 60_000);
    await Promise.all([asked(), page.clock.runFor(31_000)]);
    await page.getByRole('img', { name: 'Foto 3 von 6' }).waitFor();
    expect(loads).toBe(0);
    await page.unroute('**/health');
    await page.clock.runFor(31_000);
    await expect.poll(() => loads).toBe(1);
    await page.getByRole('img', { name: 'Foto 3 von 6' }).waitFor();
    // Once is enough.
    await page.clock.runFor(120_000);
    expect(loads).toBe(1);
    await context.close();
  });

  it('begins anew where no frame is drawn any more, moves what stands still, and plays to browsers that end what plays nothing', async () => {
    const { page, context, errors } = await stage();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'userAgent', { value: `${navigator.userAgent} Silk/120.4` });
    });
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll('video')].some(({ loop, muted, paused }) => loop && muted && !paused));
    const drift = () => page.locator('main').evaluate((main) => main.style.getPropertyValue('--drift-x'));
    expect(await drift()).toBe('');
    await page.clock.fastForward(16 * 60_000);
    expect(await drift()).toMatch(/^-?\d+px$/);
    let loads = 0;
    page.on('load', () => loads++);
    await page.clock.runFor(120_000);
    expect(loads).toBe(0);
    await page.evaluate(() => (window.requestAnimationFrame = () => 0));
    await page.clock.runFor(120_000);
    await expect.poll(() => loads).toBe(1);
    await page.getByRole('img', { name: /^Foto/ }).first().waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('is opened by the crew’s link, or by eight characters on a television, without a login, until the host ends it', async () => {
    const link = await host.json<{ url: string }>('POST', `/api/events/${event.code}/wall/link`);
    const crew = await openPage(browser, server.url, DESKTOP);
    await crew.page.goto(link.url);
    await crew.page.waitForURL(`**/slideshow/${event.code}`);
    await crew.page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    const television = await openPage(browser, server.url, DESKTOP);
    await television.page.goto('/tv');
    await television.page.getByLabel('Code').fill('AAAAAAAA');
    await television.page.keyboard.press('Enter');
    await television.page.getByText('Dieser Code gilt nicht oder nicht mehr.').waitFor();
    expect(await violationsOf(television.page)).toEqual([]);
    const { code } = await host.json<{ code: string }>('POST', `/api/events/${event.code}/wall/code`);
    await television.page.getByLabel('Code').fill(code.toLowerCase());
    await television.page.keyboard.press('Enter');
    await television.page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await host.json('POST', `/api/events/${event.code}/wall/link`, { value: false });
    for (const each of [crew, television]) await each.page.waitForURL('**/login**', { timeout: 20_000 });
    await crew.page.goto(link.url);
    await crew.page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor();
    for (const each of [crew, television]) await each.context.close();
  });

  it.each([
    ['offers full screen where the browser has it', true],
    ['leaves full screen out where the browser has none', false],
  ])('%s', async (_, fullscreenEnabled) => {
    const { page, context } = await stage(PHONE);
    await page.addInitScript((value) => {
      for (const name of ['fullscreenEnabled', 'webkitFullscreenEnabled']) Object.defineProperty(Document.prototype, name, { value });
    }, fullscreenEnabled);
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Nächstes Foto' }).waitFor();
    expect(await page.getByRole('button', { name: 'Vollbild' }).count()).toBe(fullscreenEnabled ? 1 : 0);
    await context.close();
  });

  it('names guests also where it is locked, and nobody once the host has switched that off', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    const projector = await projectorOf(server.url, event);
    await takeOver(context, projector, server.url);
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    await add(30);
    await page.getByText('Neu von Anna').waitFor();
    await host.json('PUT', `/api/events/${event.code}/slideshow_names`, { value: false });
    await page.clock.fastForward(121_000);
    await expect.poll(() => page.getByText('Anna').count()).toBe(0);
    await add(31);
    await page.getByText('Neu', { exact: true }).waitFor();
    await context.close();
  });

  it('shows the round of favourites where it is locked, from few hearts to many, and all photos again after it', async () => {
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, { mode: 'open' });
    const guests = [createClient(server.url), createClient(server.url)] as const;
    for (const guest of guests) await guest.json('POST', '/auth/gallery/login', { code: event.code, token: url.split('#')[1] });
    const love = (guest: Client, id: string | undefined) => guest.json('PUT', `/api/photos/${id}/heart`, { value: true });
    // The one that is first in the order has most.
    for (const guest of guests) await love(guest, ids[0]);
    await love(guests[0], ids[4]);
    const { page, context, errors } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, await projectorOf(server.url, event), server.url);
    // The host's alone: the address shows nothing more here.
    await page.goto(`/slideshow/${event.code}?lieblinge`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    // What is shown as the round begins, or ends, stays until its successor is there, also where that has no place in it.
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    await page.evaluate(() => {
      const look = (): void => {
        if (!document.querySelector('main img[alt^="Foto"]')) document.body.dataset.dark = 'true';
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    const phone = await stage(PHONE);
    await phone.page.goto(`/manage/${event.code}/leinwand`);
    const favourites = phone.page.getByRole('switch', { name: /^Nur Lieblinge/ });
    await favourites.click();
    const round = async () => {
      const shown: string[] = [];
      for (let n = 1; n <= 2; n++) {
        const one = page.getByRole('img', { name: `Foto ${n} von 2` });
        await one.waitFor();
        shown.push((await one.getAttribute('src')) ?? '');
        await page.keyboard.press('ArrowRight');
      }
      return shown;
    };
    await page.getByRole('img', { name: /^Foto \d von 2/ }).waitFor();
    if ((await page.getByRole('img', { name: 'Foto 1 von 2' }).count()) === 0) await page.keyboard.press('ArrowLeft');
    expect(await round()).toEqual([ids[4], ids[0]].map((id) => expect.stringContaining(id as string)));
    await favourites.click();
    await page.getByRole('img', { name: /^Foto \d von 6/ }).waitFor();
    expect(await page.evaluate(() => document.body.dataset.dark)).toBe(undefined);
    expect(errors).toEqual([]);
    for (const each of [context, phone.context]) await each.close();
  });

  it('names who sent a photo, until the host switches it off on the dashboard; then names are not even sent', async () => {
    const { page, context } = await stage();
    type Show = { names: boolean; photos: { device: { name: string } }[] };
    const told = async () => {
      const { names, photos } = await host.json<Show>('GET', `/api/events/${event.code}/slideshow`);
      return [names, ...new Set(photos.map(({ device }) => device.name))];
    };
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    expect(await told()).toEqual([true, 'Anna']);
    expect(await violationsOf(page)).toEqual([]);

    const dashboard = await context.newPage();
    await dashboard.goto(`/manage/${event.code}`);
    const names = dashboard.getByRole('switch', { name: 'Namen der Gäste in der Slideshow' });
    await names.click();
    await expect.poll(told).toEqual([false, '']);
    await page.clock.fastForward(121_000);
    // Two while one photo fades into the next.
    await expect.poll(() => page.getByText('Anna', { exact: true }).count()).toBe(0);
    await page.getByRole('img', { name: /^Foto \d von 6/ }).waitFor();

    const answered = dashboard.waitForResponse((answer) => answer.request().method() === 'PUT');
    await names.click();
    await expect.poll(told).toEqual([true, 'Anna']);
    await answered;
    await page.clock.fastForward(121_000);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    await context.close();
  });

  it('takes photos in while they come faster than the list is answered, and asks only for what came since', async () => {
    const { page, context } = await stage();
    const asked: string[] = [];
    let seed = 40;
    await page.route(/\/slideshow(\?|$)/, async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      asked.push(new URL(route.request().url()).search);
      const response = await route.fetch();
      // Live news of another photo come before each answer.
      if (asked.length > 1) await add(seed++);
      await route.fulfill({ response });
    });
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await add(seed++);
    await page
      .getByRole('img', { name: /^Foto \d von 9/ })
      .first()
      .waitFor();
    expect(asked.filter((query) => !query.includes('seq='))).toEqual(['?after=0']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  it('shows two portraits that follow each other side by side, and a landscape photo as large as 8 % of its height allow', async () => {
    const device = await deviceOf(server.url);
    for (const seed of [50, 51]) await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 480, 640) });
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    const box = async (place: number) => {
      const found = await page.getByRole('img', { name: `Foto ${place} von 8` }).boundingBox();
      if (!found) throw new Error('not on the wall');
      return found;
    };
    expect((await box(1)).height).toBeCloseTo(DESKTOP.height / 0.92, 0);
    await page.keyboard.press('ArrowLeft');
    const [left, right] = [await box(7), await box(8)];
    expect(right.x - left.x - left.width).toBeCloseTo(24, 0);
    expect(left.height).toBeCloseTo(right.height, 0);
    expect(left.height).toBeGreaterThan(DESKTOP.height * 0.9);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: 'Foto 1 von 8' }).waitFor();
    await context.close();
  });

  it('fills five frames before it begins, beside the QR code for guests', async () => {
    const { page, context } = await stage();
    for (const id of ids.slice(0, 3)) await host.json('PUT', `/api/photos/${id}/slideshow`, { value: false });
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('heading', { name: 'Fast geschafft!' }).waitFor();
    await page.getByText('Fotos hinzufügen: 3/5').waitFor();
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(5);
    expect(await page.getByRole('listitem').getByRole('img').count()).toBe(3);
    expect(await violationsOf(page)).toEqual([]);
    await Promise.all([add(60), add(61)]);
    await page.getByRole('img', { name: 'Foto 1 von 5' }).waitFor();
    await context.close();
  });

  it('never gets darker than its pictures while one fades into the next', async () => {
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.mouse.move(5, 5);
    const brightness = async (): Promise<number> => {
      const { channels } = await sharp(await page.screenshot({ type: 'jpeg', quality: 50 })).stats();
      return channels.slice(0, 3).reduce((sum, { mean }) => sum + mean, 0) / 3;
    };
    const settled = () => page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)).then(() => undefined));
    await settled();
    const before = await brightness();
    await page.keyboard.press('ArrowRight');
    const frames: number[] = [];
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    // Slower, so that several frames are seen.
    await page.evaluate(() => document.getAnimations().forEach((one) => one.updatePlaybackRate(0.2)));
    const fading = () => page.evaluate(() => document.getAnimations().some((one) => one instanceof CSSAnimation));
    while (await fading()) frames.push(await brightness());
    const after = await brightness();
    expect(frames.length).toBeGreaterThan(2);
    expect(Math.min(...frames)).toBeGreaterThan(0.6 * Math.min(before, after));
    await context.close();
  });

  it('goes on at its place when anything but the server answers, and ends by the server’s own word', async () => {
    const { page, context } = await stage();
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Nächstes Foto' }).click();
    const second = page.getByRole('img', { name: 'Foto 2 von 6' });
    await second.waitFor();
    const html = { contentType: 'text/html', body: '404 page not found' };
    let answered = 0;
    for (const answer of [
      { status: 404, ...html },
      { status: 401, ...html },
      { status: 403, json: { error: 'forbidden' } },
      { status: 200, ...html },
      { status: 408, json: { error: 'Zu spät', code: 'request_timeout' } },
      { status: 429, json: { error: 'Zu viele', code: 'too_many_attempts' } },
      { status: 403, json: { error: 'Event ist nicht aktiv', code: 'event_inactive' } },
    ]) {
      const own = answer.json?.code === 'event_inactive';
      const before = ++answered;
      await page.unroute('**/slideshow?*');
      await page.route('**/slideshow?*', async (route) => {
        await route.fulfill(answer);
        answered = before + 1;
      });
      await page.clock.runFor(130_000);
      await expect.poll(() => answered).toBe(before + 1);
      if (own) await page.getByRole('heading', { name: 'Hoppla!' }).waitFor();
      else {
        await page.evaluate(() => fetch('/api/site'));
        await second.waitFor();
        expect(new URL(page.url()).pathname).toBe(`/slideshow/${event.code}`);
      }
    }
    await context.close();
  });

  it('fills the screen also where only the older name of that is known', async () => {
    const { page, context } = await stage();
    await page.addInitScript(() => {
      Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: undefined });
      Object.defineProperty(Element.prototype, 'requestFullscreen', { value: undefined });
    });
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Vollbild' }).click();
    await page.waitForFunction(() => document.fullscreenElement !== null);
    await context.close();
  });

  it('shows nothing any more within seconds after its event was deleted', async () => {
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await admin.json('DELETE', `/admin/events/${event.id}`, undefined, 200);
    await page.waitForURL('**/login**', { timeout: 15_000 });
    await context.close();
  });
});
