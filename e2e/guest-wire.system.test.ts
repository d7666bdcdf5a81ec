import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawVideo, hasFfmpeg } from '../server/src/images/testing/videos.ts';
import { adminOf, createEvent, hostOf, type Client, type EventUnderTest } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { drawPhoto } from './support/photos.ts';
import { startProxy, type Proxy } from './support/proxy.ts';
import { areHashed, choose, loseCopies, stop } from './support/queue.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';

const DONE = '✓ Hochgeladen';
/** Size of a photo in several parts, of which the server keeps no plain copy. */
const LARGE_BYTES = 24_000_000;
/** A line slow enough for a busy server: bytes that it has not read when the line breaks are sent again. */
const LINE = { bytesPerSecond: 8_000_000 };
/** Most bytes that a photo may cost beyond its size when it goes on after a break. */
const AGAIN_BYTES = 256 * 1024;
/** Most bytes on the line until a busy machine's server hangs up on a browser that repeats a request by itself. */
const REPEAT_BYTES = 2_000_000;
/** Size of a video of which phones keep no copy; bytes of it that arrive before its page ends, and a line that is fast enough for it. */
const VIDEO_BYTES = 101 * 1024 * 1024;
const ARRIVED_BYTES = 40_000_000;
const FAST_LINE = { bytesPerSecond: 40_000_000 };
/** Most bytes of headers, and of the page's other calls. */
const HEADERS_BYTES = 64 * 1024;

describe('bytes on a line that breaks', () => {
  let server: TestServer;
  let browser: Browser;
  let proxy: Proxy;
  let event: EventUnderTest;
  let page: Page;
  let context: BrowserContext;
  let folder: string;
  let large: Buffer;

  beforeAll(async () => {
    [server, browser, folder] = await Promise.all([startServer(), launchBrowser(), mkdtemp(join(tmpdir(), 'feierbild-wire-'))]);
    // Cameras may append bytes to a photo.
    const picture = await drawPhoto(1);
    large = Buffer.concat([picture, Buffer.alloc(LARGE_BYTES - picture.length, 7)]);
    await writeFile(join(folder, 'large.jpg'), large);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    proxy = await startProxy(server.url, LINE);
    event = await createEvent(await adminOf(server.url));
    ({ page, context } = await openPage(browser, proxy.url));
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
  });
  afterEach(async () => {
    await context.close();
    await proxy.close();
  });

  const hashes = async (): Promise<string[]> => {
    const host: Client = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`);
    const originals = photos.map(async ({ id }) => (await host.request(`/api/photos/${id}/download`)).arrayBuffer());
    return Promise.all(originals.map(async (bytes) => sha256(Buffer.from(await bytes))));
  };

  async function send(count: number): Promise<void> {
    await page.getByRole('button', { name: `Hochladen (${count})` }).click();
  }

  /**
   * Sends a photo over a line that breaks after so many bytes, and opens the line again once the page has noticed. (Otherwise Chromium
   * might send the body again from its beginning, as it does if a used connection breaks and the next one works at once.)
   */
  async function sendOverBreak(bytes: number): Promise<void> {
    const broken = proxy.cutOnceAfter(bytes).then(() => proxy.become('bad-gateway'));
    await send(1);
    await broken;
    await page.getByText(/^Wartet auf /).waitFor();
    proxy.become('open');
  }

  it('are at most 256 KiB more than the file where a large one breaks off at 95 %', async () => {
    await page.locator('input[type=file]').setInputFiles(join(folder, 'large.jpg'));
    const before = proxy.sent();
    await sendOverBreak(LARGE_BYTES * 0.95);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(proxy.sent() - before).toBeLessThan(LARGE_BYTES + AGAIN_BYTES + HEADERS_BYTES);
    expect(await hashes()).toEqual([sha256(large)]);
  });

  it('go on where a photo of a single request broke off, with the file as it was', async () => {
    const photo = Buffer.concat([await drawPhoto(2), Buffer.alloc(8_000_000, 3)]);
    await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: photo });
    const before = proxy.sent();
    await sendOverBreak(photo.length * 0.6);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(proxy.sent() - before).toBeLessThan(photo.length + AGAIN_BYTES + HEADERS_BYTES);
    expect(await hashes()).toEqual([sha256(photo)]);
  });

  // Chromium repeats a request by itself, from its beginning, if its connection was used before and the next one works at once.
  it.each([
    ['small', 8_000_000, 0.6],
    ['large', LARGE_BYTES, 0.95],
  ])('are not sent again by the browser itself where a %s one breaks off for a moment', async (_, size, share) => {
    const photo = size === LARGE_BYTES ? large : Buffer.concat([await drawPhoto(2), Buffer.alloc(size, 3)]);
    await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: photo });
    const before = proxy.sent();
    const broken = proxy.cutOnceAfter(photo.length * share);
    await send(1);
    await broken;
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(proxy.sent() - before).toBeLessThan(photo.length + REPEAT_BYTES);
    expect(await hashes()).toEqual([sha256(photo)]);
  });

  it('are those of one file where another one of its name and size is chosen in its place', async () => {
    const first = Buffer.concat([await drawPhoto(11), Buffer.alloc(6_000_000, 3)]);
    const other = Buffer.concat([await drawPhoto(12), Buffer.alloc(6_000_000, 4)]);
    const size = Math.min(first.length, other.length);
    const choose = (on: Page, buffer: Buffer) =>
      on.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: buffer.subarray(0, size) });
    await choose(page, first);
    void proxy.cutOnceAfter(size * 0.6).then(() => proxy.become('bad-gateway'));
    await send(1);
    await page.getByText(/^Wartet auf /).waitFor();
    await page.getByText('geht es beim nächsten Öffnen weiter').waitFor();
    // The phone has lost its copy when the page is opened again.
    await loseCopies(page);
    proxy.become('open');
    await page.close();
    const next = await context.newPage();
    await next.goto(`/event/${event.code}`);
    await next.getByText('1 Foto bitte noch einmal auswählen.').waitFor();
    await choose(next, other);
    await next.getByRole('button', { name: 'Hochladen (1)' }).click();
    await next.getByRole('button', { name: DONE }).waitFor();
    expect(await hashes()).toEqual([sha256(other.subarray(0, size))]);
  });

  it.skipIf(!hasFfmpeg).each([
    ['go on where the same one is chosen again', 0],
    ['are those of one file where another one of its name and size is chosen in its place', 1],
  ])('of a video too large for a copy %s', async (_, lastByte) => {
    const picture = await drawVideo({ seconds: 1 });
    const video = Buffer.concat([picture, Buffer.alloc(VIDEO_BYTES - picture.length)]);
    // Players skip a box of this name.
    video.writeUInt32BE(VIDEO_BYTES - picture.length, picture.length);
    video.write('free', picture.length + 4);
    const path = join(folder, 'film.mp4');
    await writeFile(path, video);
    await proxy.close();
    proxy = await startProxy(server.url, FAST_LINE);
    event = await createEvent(await adminOf(server.url), { with_videos: true });
    await page.goto(`${proxy.url}/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('checkbox').check();
    void proxy.cutOnceAfter(ARRIVED_BYTES).then(() => proxy.become('bad-gateway'));
    await send(1);
    await page.getByText(/^Wartet auf /).waitFor();
    await expect.poll(() => areHashed(page)).toBe(true);
    await page.close();
    proxy.become('open');

    video.writeUInt8(lastByte, VIDEO_BYTES - 1);
    await writeFile(path, video);
    const next = await context.newPage();
    await next.goto(`${proxy.url}/event/${event.code}`);
    await next.getByText('1 Video bitte noch einmal auswählen.').waitFor();
    const before = proxy.sent();
    await next.locator('input[type=file]').setInputFiles(path);
    await next.getByRole('button', { name: 'Hochladen (1)' }).click();
    await next.getByRole('button', { name: DONE }).waitFor();
    expect(proxy.sent() - before < VIDEO_BYTES - ARRIVED_BYTES / 2).toBe(lastByte === 0);
    expect(await hashes()).toEqual([sha256(video)]);
  });

  it('arrive whole and once on a line that is cut again and again', async () => {
    const photos = await Promise.all([3, 4, 5, 6].map(async (n) => Buffer.concat([await drawPhoto(n), Buffer.alloc(2_000_000, n)])));
    await page.locator('input[type=file]').setInputFiles(photos.map((buffer, n) => ({ name: `${n}.jpg`, mimeType: 'image/jpeg', buffer })));
    let cuts = 0;
    const cutting = setInterval(() => {
      proxy.cut();
      cuts++;
    }, 700);
    await send(4);
    await expect.poll(() => cuts).toBeGreaterThan(3);
    clearInterval(cutting);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect((await hashes()).sort()).toEqual(photos.map(sha256).sort());
  });

  it('are not sent where the server has the photos already', async () => {
    const photos = await Promise.all(
      [7, 8, 9].map(async (n) => ({ name: `${n}.jpg`, mimeType: 'image/jpeg', buffer: await drawPhoto(n) })),
    );
    await page.locator('input[type=file]').setInputFiles(photos);
    await send(3);
    await page.getByRole('button', { name: DONE }).waitFor();
    const other = await context.newPage();
    await other.goto(`/event/${event.code}`);
    let uploads = 0;
    other.on('request', (request) => (uploads += Number(new URL(request.url()).pathname.startsWith('/upload'))));
    await other.locator('input[type=file]').setInputFiles(photos);
    const before = proxy.sent();
    await other.getByRole('button', { name: 'Hochladen (3)' }).click();
    await other.getByText('3 Fotos sind angekommen.').waitFor();
    expect(uploads).toBe(0);
    expect(proxy.sent() - before).toBeLessThan(HEADERS_BYTES);
  });

  it('are not sent again where the server has stored them and its answer was lost', async () => {
    let uploads = 0;
    page.on('request', (request) => (uploads += Number(new URL(request.url()).pathname.startsWith('/upload'))));
    await page.route(
      '**/upload',
      async (route) => {
        await route.fetch();
        await route.abort('connectionfailed');
      },
      { times: 1 },
    );
    await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(13) });
    await send(1);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(uploads).toBe(1);
  });

  it('are sent once where the server takes its time with the answers to all that are under way', async () => {
    const held: (() => void)[] = [];
    let busy = true;
    let uploads = 0;
    const slow = createServer((request, response) => {
      const onward = httpRequest(server.url + request.url, { method: request.method as string, headers: request.headers }, (answer) => {
        const pass = (): void => void answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
        if (!request.url?.startsWith('/upload')) return pass();
        uploads++;
        if (busy) held.push(pass);
        else pass();
      });
      request.pipe(onward.on('error', () => response.destroy()));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const opened = await openPage(browser, `http://127.0.0.1:${(slow.address() as AddressInfo).port}`);
    try {
      await choose(opened.page, event, 6);
      await opened.page.clock.install();
      await opened.page.getByRole('button', { name: 'Hochladen (6)' }).click();
      await expect.poll(() => held.length).toBe(6);
      // The page, too, counts all bytes as sent.
      await expect.poll(() => opened.page.locator('li [style="transform: scaleX(1);"]').count()).toBe(6);
      await opened.page.clock.fastForward(6000);
      // Uploads begun by now come before this call.
      await opened.page.evaluate(() => fetch('/api/site'));
      busy = false;
      for (const pass of held) pass();
      await opened.page.getByRole('button', { name: DONE }).waitFor();
      expect(uploads).toBe(6);
    } finally {
      await opened.context.close();
      slow.close();
    }
  });

  it('stay on their connections where a slow line takes more at once than it carries in a while', async () => {
    const slow = await startProxy(server.url, { bytesPerSecond: 2_000_000 });
    try {
      await page.goto(`${slow.url}/event/${event.code}`);
      await page.getByRole('checkbox').check();
      const photo = await drawPhoto(4);
      const files = Array.from({ length: 6 }, (_, n) => ({
        name: `${n}.jpg`,
        mimeType: 'image/jpeg',
        buffer: Buffer.concat([photo, Buffer.alloc(5_000_000, n)]),
      }));
      await page.locator('input[type=file]').setInputFiles(files);
      let givenUp = 0;
      page.on('requestfailed', () => givenUp++);
      await send(files.length);
      await page.getByRole('button', { name: DONE }).waitFor();
      // One upload tries whether another connection is better; the others go on.
      expect(givenUp).toBeLessThanOrEqual(2);
    } finally {
      await slow.close();
    }
  });

  it('do not wait for one file that cannot be read any further', async () => {
    // The worker hears nothing of a file that a cloud never sends.
    await page.route(/keep\.worker/, async (route) => {
      const response = await route.fetch();
      const mute =
        "self.addEventListener('message', (e) => e.data.kind === 'hash' && e.data.file.name === 'IMG_0.jpg' && e.stopImmediatePropagation());";
      await route.fulfill({ response, body: mute + (await response.text()) });
    });
    await page.clock.install();
    await choose(page, event, 8);
    await page.getByRole('button', { name: 'Hochladen (8)' }).click();
    await page.getByText('0 von 8 angekommen.').waitFor();
    await page.clock.fastForward(31_000);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await hashes()).toHaveLength(8);
  });

  it('are compared with what was stored: other bytes are sent once more, and then refused with a word', async () => {
    let sent = 0;
    await page.route('**/upload', async (route) => {
      sent++;
      const response = await route.fetch();
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'repr-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` },
      });
    });
    await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(10) });
    await send(1);
    await page.getByText('a.jpg: verändert angekommen.').waitFor();
    expect(sent).toBe(2);
  });

  it('are given up by the server where the guest ends the sending', async () => {
    // The line is so slow that the upload's end is far away, on a busy machine, too.
    const slow = await startProxy(server.url, { bytesPerSecond: 1_000_000 });
    try {
      await page.goto(`${slow.url}/event/${event.code}`);
      await page.getByRole('checkbox').check();
      await page.locator('input[type=file]').setInputFiles(join(folder, 'large.jpg'));
      // The first PATCH comes after the preview.
      const sending = page.waitForRequest((request) => request.method() === 'PATCH');
      await send(1);
      const path = new URL((await sending).url()).pathname;
      const device = await page.evaluate(() => localStorage.getItem('device_id') ?? '');
      const there = async () =>
        (await fetch(server.url + path, { method: 'HEAD', headers: { 'device-id': device, 'tus-resumable': '1.0.0' } })).status;
      expect(await there()).toBe(200);
      const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await stop(page);
      expect((await ended).status()).toBe(204);
      expect(await there()).toBe(404);
    } finally {
      await slow.close();
    }
  });
});
