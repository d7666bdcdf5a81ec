import { DAY } from '@feierbild/contract/constants.ts';
import { mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Route } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RUN_FOLDER } from '../server/src/testing/run-folder.ts';
import { adminOf, createEvent, hostOf, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { drawGrainy } from './support/photos.ts';
import { startProxy, type Proxy } from './support/proxy.ts';
import { DONE, NOTHING, STOP, choose, photo, photos, remains, stored } from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';
import { useServer } from './support/use-server.ts';

/** Changes of a phone's file after its choice, made by clouds, galleries, iOS, and the phone's owner. */
const MANNERS: Record<string, (path: string) => Promise<void>> = {
  touched: (path) => utimes(path, new Date(), new Date()),
  truncated: (path) => truncate(path, 20_000),
  deleted: (path) => rm(path),
  renamed: (path) => rename(path, `${path}.moved`),
};
/** Stops originals; their previews come before. */
const stopOriginals = (route: Route): Promise<void> =>
  /HEAD|DELETE/.test(route.request().method()) ? route.continue() : route.abort('connectionfailed');
/** A line so slow that files change while they are sent. */
const LINE = { bytesPerSecond: 500_000 };

describe('files after their choice', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let proxy: Proxy;
  let page: Page;
  let context: BrowserContext;
  let folder: string;

  useServer((started) => ({ server, browser } = started));
  beforeEach(async () => {
    proxy = await startProxy(server.url, LINE);
    event = await createEvent(await adminOf(server.url));
    folder = await mkdtemp(join(RUN_FOLDER, 'card-'));
    ({ page, context } = await openPage(browser, proxy.url));
  });
  afterEach(async () => {
    await context.close();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function onDisk(files: readonly { name: string; buffer: Buffer }[]): Promise<string[]> {
    await Promise.all(files.map(({ name, buffer }) => writeFile(join(folder, name), buffer)));
    return files.map(({ name }) => join(folder, name));
  }

  const listed = async () => {
    const host = await hostOf(server.url, event);
    return (await host.json<{ photos: { id: string; state: string }[] }>('GET', `/api/events/${event.code}/photos?per_page=100`)).photos;
  };

  it.each([
    ['before the press', 'choice'],
    ['while they are read for their hashes', 'hash'],
    ['while they are sent', 'send'],
  ])('are stored as they were chosen where they are touched, truncated, deleted and renamed %s', async (_, moment) => {
    const files = await Promise.all(Object.keys(MANNERS).map((manner, n) => photo(n).then((one) => ({ ...one, name: `${manner}.jpg` }))));
    const paths = await onDisk(files);
    if (moment === 'hash') {
      const held = `
        const digest = crypto.subtle.digest.bind(crypto.subtle);
        const go = new Promise((resolve) => (new BroadcastChannel('hash').onmessage = resolve));
        crypto.subtle.digest = async (...given) => (await go, digest(...given));`;
      await page.route(/keep\.worker/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${held}\n${await response.text()}` });
      });
    }
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(paths);
    // The page has copied the files at their choice.
    await expect.poll(async () => (await remains(page)).files).toBe(4);
    await page.getByRole('checkbox').check();
    const press = () => page.getByRole('button', { name: 'Hochladen (4)' }).click();
    const sent = proxy.sent();
    if (moment !== 'choice') await press();
    if (moment === 'hash') await page.getByRole('button', { name: 'Hochladen... (4 verbleibend)' }).waitFor();
    if (moment === 'send') await expect.poll(() => proxy.sent() - sent).toBeGreaterThan(400_000);
    await Promise.all(paths.map((path, n) => Object.values(MANNERS)[n]!(path)));
    if (moment === 'hash') await page.evaluate(() => new BroadcastChannel('hash').postMessage(null));
    if (moment === 'choice') await press();
    await page.getByRole('button', { name: DONE }).waitFor();
    const host = await hostOf(server.url, event);
    const there = (await listed()).map(async ({ id }) =>
      sha256(Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer())),
    );
    expect((await Promise.all(there)).toSorted()).toEqual(files.map(({ buffer }) => sha256(buffer)).toSorted());
    await expect.poll(() => remains(page)).toEqual(NOTHING);
  });

  it('leave the device where they are taken out, and wait for the press beside those that the next visit chooses', async () => {
    await choose(page, event, 3);
    await expect.poll(async () => (await remains(page)).files).toBe(3);
    await page.getByRole('button', { name: 'IMG_1.jpg, ausgewählt, entfernen' }).click();
    await expect.poll(() => remains(page)).toMatchObject({ rows: 2, released: 0, files: 2 });
    await page.close();
    const next = await context.newPage();
    await next.goto(`/event/${event.code}`);
    await next.getByText('2 Fotos sind noch nicht hochgeladen.').waitFor();
    await next.locator('input[type=file]').setInputFiles([await photo(7)]);
    await next.getByRole('button', { name: 'Hochladen (3)' }).waitFor();
    await next.getByText('2 Fotos sind noch nicht hochgeladen.').waitFor();
    expect(await next.getByText('0 von 2 angekommen.').count()).toBe(1);
    await expect.poll(() => remains(next)).toMatchObject({ rows: 3, released: 0, files: 3 });
    // One of them is chosen again, at another time of its file, as phones give it.
    await next.locator('input[type=file]').setInputFiles(await photos(1));
    await next.getByRole('button', { name: 'IMG_0.jpg, ausgewählt, entfernen' }).waitFor();
    await next.getByText('1 Foto ist noch nicht hochgeladen.').waitFor();
    await next.getByRole('button', { name: 'Hochladen (3)' }).click();
    await next.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(3);
    await expect.poll(() => remains(next)).toEqual(NOTHING);
  });

  it('wait for the press in another tab, too, where the one that first found them had not chosen them either', async () => {
    await choose(page, event, 2);
    await expect.poll(async () => (await remains(page)).files).toBe(2);
    await page.close();
    const next = await context.newPage();
    await next.goto(`/event/${event.code}`);
    await next.getByText('2 Fotos sind noch nicht hochgeladen.').waitFor();
    const other = await context.newPage();
    await other.goto(`/event/${event.code}`);
    await other.locator('input[type=file]').setInputFiles([await photo(7)]);
    await other.getByRole('button', { name: 'Hochladen (1)' }).click();
    await other.getByText('2 Fotos sind noch nicht hochgeladen.').waitFor();
    await next.getByText('2 Fotos sind noch nicht hochgeladen.').waitFor({ state: 'detached' });
    await other.getByRole('button', { name: 'Hochladen (2)' }).click();
    await other.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(3);
  });

  it('can be sent by the next visit where the page ended before the press, and are forgotten after a day', async () => {
    await choose(page, event, 2);
    await expect.poll(async () => (await remains(page)).files).toBe(2);
    await page.close();
    const next = await context.newPage();
    await next.goto(`/event/${event.code}`);
    await next.getByRole('button', { name: 'Hochladen (2)' }).click();
    await next.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(2);

    await next.locator('input[type=file]').setInputFiles([await photo(7)]);
    await expect.poll(async () => (await remains(next)).files).toBe(1);
    await next.close();
    const tomorrow = await context.newPage();
    await tomorrow.clock.install({ time: Date.now() + DAY + 60_000 });
    await tomorrow.goto(`/event/${event.code}`);
    await expect.poll(() => remains(tomorrow)).toEqual(NOTHING);
    await tomorrow.getByRole('button', { name: 'Bereit' }).waitFor();
  });

  /** Sends three photos whose previews arrive, while their originals wait for the line; returns the files. */
  async function announce(): Promise<{ name: string; buffer: Buffer }[]> {
    const files = await Promise.all([1, 2, 3].map(async (n) => ({ name: `IMG_${n}.jpg`, buffer: await drawGrainy(n, 1200, 900) })));
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await onDisk(files));
    await page.getByRole('checkbox').check();
    await page.locator('ul img').nth(2).waitFor();
    await page.route(/\/uploads\/[^/]+$/, stopOriginals);
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await expect.poll(async () => (await listed()).map(({ state }) => state)).toEqual(['announced', 'announced', 'announced']);
    return files;
  }

  it('that can no longer be read leave no preview, and are there once when they are chosen again', async () => {
    await page.addInitScript(() => (StorageManager.prototype.estimate = () => Promise.resolve({ quota: 10, usage: 0 })));
    const files = await announce();
    await Promise.all(files.map(({ name }) => rm(join(folder, name))));
    await page.getByText('3 Dateien: nicht mehr lesbar.').waitFor();
    await expect.poll(async () => (await listed()).length).toBe(0);
    await page.unrouteAll();
    await page.locator('input[type=file]').setInputFiles(await onDisk(files));
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    await expect.poll(async () => (await listed()).map(({ state }) => state)).toEqual(['stored', 'stored', 'stored']);
  });

  it.each<[string, (route: Route, count: number) => Promise<void>]>([
    [
      'the server is in trouble at first, and says so by itself',
      async (route, count) => {
        const trouble = { status: 503, headers: { 'tus-resumable': '1.0.0' }, json: { code: 'unavailable', error: 'Gerade nicht.' } };
        await (route.request().method() === 'DELETE' && count <= 3 ? route.fulfill(trouble) : route.fallback());
      },
    ],
    [
      'somebody takes the name of the protocol from the answers',
      async (route) => {
        const response = await route.fetch().catch(() => null);
        // The server closes the connection of a sender whose upload was ended.
        if (!response) return route.abort();
        const { 'tus-resumable': _, ...headers } = response.headers();
        await route.fulfill({ response, headers });
      },
    ],
  ])('are nowhere to be seen any more once the consent is taken back, also where %s', async (_, answer) => {
    await announce();
    let count = 0;
    await page.route(/\/uploads\/[^/]+$/, (route) => answer(route, ++count));
    await page.getByRole('checkbox').uncheck();
    await page.getByText('Was nicht angekommen war, ist nirgends zu sehen.').waitFor();
    expect([count > 3, await listed()]).toEqual([true, []]);
    await expect.poll(() => remains(page)).toEqual(NOTHING);
    await page.unrouteAll();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(3);
  });

  it('of an earlier page leave „Meine Fotos“, too, once the guest ends the sending', async () => {
    await announce();
    await context.route(/\/uploads\/[^/]+$/, stopOriginals);
    await page.close();
    const next = await context.newPage();
    await next.goto(`/event/${event.code}`);
    const followed = next.getByRole('button', { name: /, ansehen, Original folgt$/ });
    await expect.poll(() => followed.count()).toBe(3);
    await next.getByRole('button', { name: STOP }).click();
    await next.getByText('Was nicht angekommen war, ist nirgends zu sehen.').waitFor();
    await expect.poll(() => followed.count()).toBe(0);
    expect(await listed()).toEqual([]);
  });

  it('are noted by few writes, however many they are', async () => {
    await page.addInitScript(() => {
      const { transaction } = IDBDatabase.prototype;
      let writes = 0;
      IDBDatabase.prototype.transaction = function (stores, mode, options) {
        if (mode === 'readwrite') Object.assign(window, { writes: ++writes });
        return transaction.call(this, stores, mode, options);
      };
    });
    await page.goto(`/event/${event.code}`);
    const files = await photos(43);
    const began = performance.now();
    await page.locator('input[type=file]').setInputFiles(files.filter(({ buffer }) => buffer.length < 200_000));
    await expect.poll(async () => (await remains(page)).files, { timeout: 60_000 }).toBe(40);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (40)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    await expect.poll(() => remains(page)).toEqual(NOTHING);
    // Expected are one write every 250 ms, one before each copy, and some at the end; it once took 200 in ten seconds.
    const most = 50 + (performance.now() - began) / 250;
    expect(await page.evaluate(() => (window as unknown as { writes: number }).writes)).toBeLessThan(most);
  });
});
