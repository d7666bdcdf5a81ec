import { contrast } from '@feierbild/contract/colours.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { deviceOf, upload } from './support/api.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { drawPhoto } from './support/photos.ts';
import { holdAtFirst, showsOf, type Show } from './support/show.ts';
import { useServer } from './support/use-server.ts';

describe('the screen of a slideshow', () => {
  let begin: () => Promise<Show>;
  let event: Show['event'];
  let stage: Show['stage'];
  let host: Show['host'];
  let server: Show['server'];
  let ids: Show['ids'];

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void ({ event, stage, host, server, ids } = await begin()));

  it('hides its controls after a click, not while the keyboard is used', async () => {
    const { page, context } = await stage();
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await holdAtFirst(page);
    // The use of keys makes the focus visible.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const controls = page.getByRole('button', { name: 'Weiter' }).locator('..');
    const opacity = () => controls.evaluate((bar) => getComputedStyle(bar).opacity);
    await standStill(page);
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
    await standStill(page);
    await tap();
    await expect.poll(opacity).toBe('1');
    expect(new URL(page.url()).pathname).toBe(`/slideshow/${event.code}`);
    await tap();
    await page.clock.resume();
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

  it('begins anew at five in the morning, where it stood, as long as the server answers', async () => {
    const { page, context } = await stage();
    // A night without a change of the clocks.
    const halfPastTwo = Date.parse('2026-06-14T02:30:00+02:00');
    // A television's clock may be a day ahead until the network corrects it.
    await page.clock.install({ time: halfPastTwo + 86_400_000 });
    await page.goto(`/slideshow/${event.code}`);
    await page.clock.setSystemTime(halfPastTwo);
    await holdAtFirst(page);
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
    // The page gives up an unanswered request, which would keep a connection, and asks again.
    await page.route('**/health', () => undefined);
    const given = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/health'));
    await page.clock.runFor(61_000);
    await given;
    await page.unroute('**/health');
    await page.clock.runFor(31_000);
    await expect.poll(() => loads).toBe(1);
    await page.getByRole('img', { name: 'Foto 3 von 6' }).waitFor();
    // The wall begins anew only once.
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
    const drift = () => page.locator('main').evaluate((main) => getComputedStyle(main).getPropertyValue('--drift-x'));
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

  it('begins anew after ever longer times where that brings no frames, and soon again once it draws some', async () => {
    const { page, context } = await stage();
    await page.clock.install();
    // A television that shows another source draws no frames, and tells the page nothing.
    await page.addInitScript(() => {
      if (sessionStorage.getItem('source') === 'other') window.requestAnimationFrame = () => 0;
    });
    await page.goto(`/slideshow/${event.code}`);
    const begins = () => page.getByRole('img', { name: /^Foto/ }).first().waitFor();
    await begins();
    let loads = 0;
    page.on('load', () => loads++);
    const begunAnew = async (times: number) => {
      // The page asks the server before it begins anew; the answer may come later than the page's clock allows, which runs fast.
      const goOn = async (): Promise<number> => {
        if (loads < times) await page.clock.runFor(1000).catch(() => undefined);
        return loads;
      };
      await expect.poll(goOn).toBe(times);
      await begins();
    };
    await page.evaluate(() => {
      sessionStorage.setItem('source', 'other');
      window.requestAnimationFrame = () => 0;
    });
    await page.clock.runFor(120_000);
    await begunAnew(1);
    for (const [n, minutes] of [2, 4].entries()) {
      await page.clock.runFor(minutes * 60_000);
      expect(loads).toBe(n + 1);
      if (minutes === 4) await page.evaluate(() => sessionStorage.removeItem('source'));
      await page.clock.runFor(60_000);
      await begunAnew(n + 2);
    }
    await page.clock.runFor(10 * 60_000);
    expect(loads).toBe(3);
    await page.evaluate(() => (window.requestAnimationFrame = () => 0));
    await page.clock.runFor(120_000);
    await begunAnew(4);
    await context.close();
  });

  it('plays to such browsers, and moves the code, while it waits for photos, too', async () => {
    const { page, context } = await stage();
    for (const id of ids.slice(2)) await host.json('PUT', `/api/photos/${id}/slideshow`, { value: false });
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'userAgent', { value: `${navigator.userAgent} Silk/120.4` });
    });
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByText('Fotos hinzufügen: 2/5').waitFor();
    // A dark palette has enough contrast, too.
    await host.json('PUT', `/api/events/${event.code}/look`, { palette: 'nacht', welcome: '' });
    await page.locator('[data-palette=nacht]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.waitForFunction(() => [...document.querySelectorAll('video')].some(({ loop, muted, paused }) => loop && muted && !paused));
    await page.evaluate(() => (Math.random = () => 0));
    const left = async () => (await page.getByRole('img', { name: 'QR-Code zum Event' }).boundingBox())!.x;
    const before = await left();
    await page.clock.fastForward(16 * 60_000);
    await expect.poll(left).toBeLessThan(before);
    await context.close();
  });

  it('shows which button has the focus, and no name under the buttons', async () => {
    const { page, context } = await stage();
    const name = 'Maximiliane-Friederike von Hohenstein-Schwarzenberg-Lindenau';
    await upload({
      url: server.url,
      code: event.code,
      device: await deviceOf(server.url),
      file: await drawPhoto(9, 640, 480),
      deviceName: name,
    });
    await page.goto(`/slideshow/${event.code}`);
    await holdAtFirst(page, 7);
    await page.keyboard.press('ArrowLeft');
    const names = page.locator('[class*=names]', { hasText: name });
    await names.waitFor();
    for (const width of [960, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 768 });
      const [said, bar] = await Promise.all([
        names.boundingBox(),
        page.getByRole('button', { name: 'Weiter' }).locator('..').boundingBox(),
      ]);
      expect(said!.x + said!.width, `${width} px`).toBeLessThanOrEqual(bar!.x);
    }
    await page.keyboard.press('Tab');
    const ring = await page.locator(':focus-visible').evaluate((button) => getComputedStyle(button).outlineColor);
    const hex = `#${(ring.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
    // Colours of the bar over a black photo and over a white one.
    for (const ground of ['#000000', '#595959']) expect(contrast(hex, ground), ring).toBeGreaterThanOrEqual(3);
    await context.close();
  });

  it('obeys the keys of presenters and of remote controls', async () => {
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Weiter' }).waitFor();
    let place = Number(/\d+/.exec((await page.getByRole('img', { name: /^Foto/ }).getAttribute('alt')) ?? '')?.[0]);
    for (const [key, by] of [
      ['PageDown', 1],
      ['MediaTrackNext', 1],
      ['PageUp', -1],
      ['MediaTrackPrevious', -1],
    ] as const) {
      await page.keyboard.press(key);
      place = ((place - 1 + by + 6) % 6) + 1;
      await page.getByRole('img', { name: `Foto ${place} von 6` }).waitFor();
    }
    await page.keyboard.press('MediaPlayPause');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
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
});
