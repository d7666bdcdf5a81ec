import type { Browser, Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { useServer } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import { DONE, readyToSend, stop, stored, UPLOADS } from './support/queue.ts';
import { startProxy, type Proxy } from './support/proxy.ts';
import type { TestServer } from './support/server.ts';

const WAITS = 'Wartet auf Netz – geht von selbst weiter.';
const WAITS_FOR_SERVER = 'Wartet auf den Server – geht von selbst weiter.';

describe("a guest's selection during an outage", () => {
  let server: TestServer;
  let browser: Browser;
  let proxy: Proxy;
  let event: EventUnderTest;
  let page: Page;
  let close: () => Promise<void>;

  useServer((started) => ({ server, browser } = started));
  beforeEach(async () => {
    proxy = await startProxy(server.url);
    event = await createEvent(await adminOf(server.url));
    const opened = await openPage(browser, proxy.url);
    page = opened.page;
    close = () => opened.context.close();
  });
  afterEach(async () => {
    await close();
    await proxy.close();
  });

  const photo = async (n: number) => ({ name: `IMG_${n}.jpg`, mimeType: 'image/jpeg', buffer: await drawPhoto(n, 320, 240) });

  async function select(count: number): Promise<void> {
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await Promise.all(Array.from({ length: count }, (_, n) => photo(n))));
    await page.getByRole('checkbox').check();
  }

  async function arrived(count: number): Promise<void> {
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(count);
  }
  /** Selects photos, and then installs a clock that the test can move. */
  async function selectStill(count: number): Promise<void> {
    const worker = page.waitForResponse(/keep\.worker/);
    await select(count);
    await (await worker).finished();
    await page.clock.install();
  }

  /** Tries to close the tab, and returns whether the page asks; the tab stays open. */
  async function asksBeforeClosing(): Promise<boolean> {
    const asked = new Promise<boolean>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type() === 'beforeunload');
        void dialog.dismiss();
      });
      page.once('close', () => resolve(false));
    });
    await page.close({ runBeforeUnload: true });
    return asked;
  }

  it('waits through a kill and a restart of the server, with one number for what is left, and is stored once without a tap', async () => {
    await select(12);
    await readyToSend(page, 12);
    await server.kill();
    await page.getByRole('button', { name: 'Hochladen (12)' }).click();
    await page.getByText(WAITS).waitFor();
    await page.getByText('0 von 12 angekommen.').waitFor();
    // Three failed files are enough for the page to begin no others.
    expect(await page.getByRole('button', { name: /wartet: Kein Netz/ }).count()).toBeLessThanOrEqual(8);
    // The button shows the number, also while the page tries.
    await page
      .getByRole('button', { name: 'Hochladen (12)' })
      .or(page.getByRole('button', { name: 'Hochladen... (12 verbleibend)' }))
      .waitFor();
    expect(await page.title()).toMatch(/^\(12\) /);
    await server.restart();
    await arrived(12);
  });

  it('goes on by itself after a proxy without its server, and says what it waits for', async () => {
    await select(4);
    await readyToSend(page, 4);
    proxy.become('bad-gateway');
    await page.getByRole('button', { name: 'Hochladen (4)' }).click();
    await page.getByText(WAITS_FOR_SERVER).waitFor();
    proxy.become('open');
    await arrived(4);
  });

  it('shows the pictures under „Meine Fotos“ that did not come while the server was away', async () => {
    await select(12);
    const first = page.waitForResponse((response) => response.url().endsWith('/upload'));
    await page.getByRole('button', { name: 'Hochladen (12)' }).click();
    await first;
    proxy.become('bad-gateway');
    proxy.cut();
    const pictures = page.getByRole('region', { name: 'Meine Fotos' }).locator('img');
    const areThere = () => pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0));
    await expect.poll(areThere).toContain(false);
    proxy.become('open');
    await expect.poll(areThere).toEqual(Array(12).fill(true));
  });

  it('goes on soon after a long outage, although it tries the photos once a minute only', async () => {
    await selectStill(2);
    proxy.become('bad-gateway');
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    for (let n = 0; n < 6; n++) {
      await page.getByText(WAITS_FOR_SERVER).waitFor();
      await page.getByRole('button', { name: 'Hochladen (2)' }).waitFor();
      const tried = page.waitForRequest(/\/(known|upload)/);
      await page.clock.fastForward(61_000);
      await tried;
    }
    await page.getByRole('button', { name: 'Hochladen (2)' }).waitFor();
    proxy.become('open');
    const opened = Date.now();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    expect(Date.now() - opened).toBeLessThan(50_000);
  });

  it('says within seconds that a silent line is lost, and goes on as soon as there is another', async () => {
    const worker = page.waitForResponse(/keep\.worker/);
    // These are more photos than a browser has connections.
    await select(9);
    await (await worker).finished();
    proxy.become('silent');
    const silentSince = Date.now();
    await page.getByRole('button', { name: 'Hochladen (9)' }).click();
    await page.getByText(WAITS).waitFor();
    expect(Date.now() - silentSince).toBeLessThan(25_000);
    proxy.become('open');
    const back = Date.now();
    await page.getByText(WAITS).waitFor({ state: 'detached' });
    expect(Date.now() - back).toBeLessThan(20_000);
    await arrived(9);
  });

  it('begins although the first questions of the page were never answered', async () => {
    await page.clock.install();
    let unanswered = 0;
    await page.route(/\/(device_id|max)$/, () => void unanswered++);
    await select(2);
    await expect.poll(() => unanswered).toBeGreaterThanOrEqual(2);
    const send = page.getByRole('button', { name: 'Hochladen (2)' });
    expect(await send.isDisabled()).toBe(true);
    await page.unroute(/\/(device_id|max)$/);
    await page.clock.fastForward(16_000);
    await page.clock.fastForward(3000);
    await expect.poll(() => send.isEnabled()).toBe(true);
    await send.click();
    await arrived(2);
  });

  it('is sent, or ended by the guest, although the server never said what it takes', async () => {
    await page.clock.install();
    await page.route(/\/max$/, () => undefined);
    const worker = page.waitForResponse(/keep\.worker/);
    await select(2);
    await (await worker).finished();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await stop(page);
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByRole('button', { name: 'Hochladen... (2 verbleibend)' }).waitFor();
    await page.clock.fastForward(16_000);
    await arrived(2);
  });

  it('asks a busy server again when the time is over that it named', async () => {
    await selectStill(3);
    proxy.become('unavailable');
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await page.getByText(WAITS_FOR_SERVER).waitFor();
    await standStill(page);
    proxy.become('open');
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith('/upload'))));
    await page.clock.fastForward(12_000);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    // An upload begun by now would come before this call.
    await page.evaluate(() => fetch('/api/site'));
    expect(sent).toBe(0);
    await page.clock.fastForward(9000);
    await page.clock.resume();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    expect(sent).toBe(3);
  });

  it.each([
    ['set back by an hour', (clock: Page['clock']) => clock.setSystemTime(Date.now() - 3_600_000)],
    ['set forward by an hour', (clock: Page['clock']) => clock.setSystemTime(Date.now() + 3_600_000)],
    ['asleep for ten minutes', (clock: Page['clock']) => clock.fastForward(600_000)],
  ])('goes on as soon as the server answers where the clock of the device is %s', async (_, leap) => {
    await selectStill(3);
    proxy.become('unavailable');
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await page.getByText(WAITS_FOR_SERVER).waitFor();
    await leap(page.clock);
    proxy.become('open');
    await page.clock.runFor(21_000);
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
  });

  it('asks again after minutes where somebody on the way names a day', async () => {
    await select(1);
    await page.clock.install();
    const headers = { 'retry-after': '86400' };
    await page.route(UPLOADS, (route) => route.fulfill({ status: 503, headers, body: 'Wartung' }), { times: 1 });
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText(WAITS_FOR_SERVER).waitFor();
    await page.clock.fastForward(301_000);
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
  });

  it('names the request that the server had trouble with', async () => {
    await select(1);
    const body = { error: 'Es ist ein Fehler aufgetreten.', code: 'internal' };
    await page.route(UPLOADS, (route) => route.fulfill({ status: 500, json: body, headers: { 'x-request-id': '0b1c-77aa-9f3c01ab' } }));
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText('Wartet auf den Server – geht von selbst weiter. (Kennung 9f3c01ab)').waitFor();
  });

  it('asks before a page with unsent photos is closed, and no more once they are sent', async () => {
    await select(1);
    expect(await asksBeforeClosing()).toBe(true);
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
  });

  it('keeps a file that is no photo red, with its reason, and never sends it again by itself', async () => {
    await page.goto(`/event/${event.code}`);
    const text = { name: 'Text.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('kein Foto') };
    await page.locator('input[type=file]').setInputFiles([text, await photo(1)]);
    await page.getByRole('checkbox').check();
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith('/upload'))));
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByText('Text.jpg: kein lesbares Bild.').waitFor();
    expect(await page.getByText('Kein Bild', { exact: true }).isVisible()).toBe(true);
    // The other file arrived, and the page says that first.
    await page.getByRole('heading', { name: 'Danke!' }).waitFor();
    await page.getByText('1 von 2 Fotos ist angekommen.').waitFor();
    // The main button does not offer to send the refused file again.
    await page.getByRole('button', { name: 'Bereit' }).waitFor();
    await page.evaluate(() => {
      window.dispatchEvent(new Event('online'));
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.evaluate(() => fetch('/api/site'));
    expect(sent).toBe(2);
    await page.getByText('Text.jpg: kein lesbares Bild.').waitFor();
  });
});
