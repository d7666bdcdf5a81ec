import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Photo } from '@feierbild/contract/entities.ts';
import { drawVideo, hasFfmpeg } from '../server/src/images/testing/videos.ts';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, hostOf, projectorOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { startProxy } from './support/proxy.ts';
import { startServer, type TestServer } from './support/server.ts';

const CANNOT_PLAY = 'Dieses Gerät kann das Video nicht abspielen';
const LINE_BROKEN = 'Die Verbindung ist unterbrochen. Das Video geht von selbst weiter.';

declare global {
  interface Window {
    /** Addresses of the videos that the slideshow made visible. */
    moved: string[];
  }
}

describe.skipIf(!hasFfmpeg)('videos (ffmpeg draws them)', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let host: Client;
  /** A video that any Chromium plays. */
  let drawn: Buffer<ArrayBuffer>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const admin = await adminOf(server.url);
    event = await createEvent(admin, { with_videos: true });
    host = await hostOf(server.url, event);
    drawn = await drawVideo({ container: 'webm', picture: 'vp9', sound: 'opus', seconds: 3 });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  const send = async (file: Buffer<ArrayBuffer>, to = event, device?: string): Promise<Photo> => {
    const answer = await upload({ url: server.url, code: to.code, device: device ?? (await deviceOf(server.url)), file });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { photo: Photo }).photo;
  };
  /** Collects the scripts that the page loads from now on. */
  const scriptsOf = (page: Page): string[] => {
    const scripts: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    return scripts;
  };
  const isVideoCode = (url: string): boolean => /poster|video/.test(url);
  const seconds = (page: Page): Promise<number> => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);

  it('are offered by the picker, sent with a poster that the phone drew, and played under „Meine Fotos“', async () => {
    const { page, context } = await openPage(browser, server.url, PHONE);
    const scripts = scriptsOf(page);
    await page.goto(`/event/${event.code}`);
    expect(await page.locator('input[type=file]').getAttribute('accept')).toBe('image/*,video/*');
    const jpeg = await drawPhoto(1, 320, 240);
    await page.locator('input[type=file]').setInputFiles([
      { name: 'VID_1.webm', mimeType: 'video/webm', buffer: drawn },
      { name: 'a.jpg', mimeType: 'image/jpeg', buffer: jpeg },
    ]);
    await page.getByRole('checkbox', { name: /darf diese Fotos und Videos teilen/ }).check();
    const poster = page.waitForResponse((answer) => answer.url().endsWith('/poster'));
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByText('1 Foto und 1 Video sind angekommen.').waitFor();
    expect((await poster).status()).toBe(204);
    // The list shows the poster without a reload.
    const own = page.getByRole('button', { name: /VID_1\.webm, ansehen/ });
    const thumbnail = own.locator('img[src$="?poster"]');
    await thumbnail.waitFor();
    await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(320);
    expect(scripts.filter(isVideoCode)).not.toEqual([]);
    await own.getByText('0:03').waitFor();
    await own.click();
    const video = page.locator('video');
    await video.waitFor();
    expect(await video.evaluate((each: HTMLVideoElement) => [each.preload, each.playsInline, each.getAttribute('poster')])).toEqual([
      'none',
      true,
      expect.stringMatching(/\/preview(\?poster)?$/),
    ]);
    await video.evaluate((each: HTMLVideoElement) => each.play());
    await expect.poll(() => seconds(page)).toBeGreaterThan(0.3);
    // A page in the back-forward cache keeps none of the browser's six connections.
    const source = () =>
      page.locator('video').evaluate((video: HTMLVideoElement) => [video.getAttribute('src') !== null, video.networkState]);
    const leave = (name: string) => page.evaluate((type) => window.dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name);
    await leave('pagehide');
    expect(await source()).toEqual([false, 0]);
    await leave('pageshow');
    expect((await source())[0]).toBe(true);
    await context.close();

    const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos`);
    const preview = await host.request(photos[0]?.preview_url as string);
    expect(preview.headers.get('cache-control')).toContain('immutable');
  });

  it('of which this browser has the sound alone stay without a picture, instead of a black one', async () => {
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.goto(`/event/${event.code}`);
    const heard = await drawVideo({ picture: 'mpeg4' });
    await page.locator('input[type=file]').setInputFiles([
      { name: 'heard.mp4', mimeType: 'video/mp4', buffer: heard },
      { name: 'seen.webm', mimeType: 'video/webm', buffer: drawn },
    ]);
    // The page draws the files one after the other.
    await page
      .getByRole('button', { name: /seen\.webm/ })
      .locator('img')
      .waitFor();
    expect(
      await page
        .getByRole('button', { name: /heard\.mp4/ })
        .locator('img')
        .count(),
    ).toBe(0);
    await context.close();
  });

  it('are neither offered nor is any of their code loaded where the event takes photos only', async () => {
    const other = await createEvent(await adminOf(server.url));
    const { page, context } = await openPage(browser, server.url, PHONE);
    const scripts = scriptsOf(page);
    await page.goto(`/event/${other.code}`);
    expect(await page.locator('input[type=file]').getAttribute('accept')).toBe('image/*');
    await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(1, 320, 240) });
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: /Hochladen/ }).click();
    await page.getByRole('button', { name: /a\.jpg, ansehen/ }).click();
    await page.locator('img[alt^="Eigenes Foto"]').waitFor();
    expect(scripts.filter(isVideoCode)).toEqual([]);
    await context.close();
  });

  it('play in the gallery’s viewer by Range, seek, say their length on the tile, and get their still there where no phone sent one', async () => {
    const own = await createEvent(await adminOf(server.url), { with_videos: true });
    await send(await drawVideo({ container: 'webm', picture: 'vp9', sound: 'opus', seconds: 12 }), own);
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, await hostOf(server.url, own), server.url);
    await page.goto(`/gallery/${own.code}`);
    await page.getByText('0:12').waitFor();
    const stills: Request[] = [];
    page.on('request', (request) => request.url().endsWith('/poster') && stills.push(request));
    const taken = page.waitForResponse((answer) => answer.url().endsWith('/poster'));
    await page.locator('[data-photo]').click();
    const video = page.locator('video');
    await video.waitFor();
    await video.evaluate((each: HTMLVideoElement) => each.play());
    await expect.poll(() => seconds(page)).toBeGreaterThan(0.2);
    // No phone has sent a still, so this browser draws one, once, while it plays on.
    expect((await taken).status()).toBe(204);
    await page.locator('video[poster$="?poster"]').waitFor();
    await video.evaluate((each: HTMLVideoElement) => {
      each.currentTime = 10;
    });
    await expect.poll(() => seconds(page)).toBeGreaterThan(10.5);
    expect(stills).toHaveLength(1);
    await context.close();
  });

  it('go on in the viewer while guests send more, until another one is looked at', async () => {
    const own = await createEvent(await adminOf(server.url), { with_videos: true });
    await send(await drawVideo({ container: 'webm', picture: 'vp9', sound: 'opus', seconds: 12 }), own);
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, await hostOf(server.url, own), server.url);
    await page.goto(`/gallery/${own.code}`);
    await page.locator('[data-photo]').click();
    const video = page.locator('video');
    await video.evaluate((each: HTMLVideoElement) => {
      // A busy machine takes longer than the video lasts.
      each.playbackRate = 0.25;
      return each.play();
    });
    await expect.poll(() => seconds(page)).toBeGreaterThan(0.2);
    await video.evaluate((each: HTMLVideoElement) => (each.dataset.same = 'yes'));
    await send((await drawPhoto(1, 320, 240)) as Buffer<ArrayBuffer>, own);
    await page.locator('[data-photo]').nth(1).waitFor({ state: 'attached' });
    const before = await seconds(page);
    expect(await video.getAttribute('data-same')).toBe('yes');
    await expect.poll(() => seconds(page)).toBeGreaterThan(before);
    // A video that is over is paused, too.
    const paused = () => video.evaluate((each: HTMLVideoElement) => each.paused && !each.ended);
    expect(await paused()).toBe(false);
    await page.keyboard.press('ArrowRight');
    await expect.poll(paused).toBe(true);
    await context.close();
  });

  it('show the poster that their phone sends in a gallery that is open', async () => {
    const own = await createEvent(await adminOf(server.url), { with_videos: true });
    const device = await deviceOf(server.url);
    const photo = await send(drawn, own, device);
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, await hostOf(server.url, own), server.url);
    await page.goto(`/gallery/${own.code}`);
    const tile = page.locator(`[data-photo] img[src^="${photo.thumbnail_url}"]`);
    await tile.waitFor();
    const form = new FormData();
    form.append('file', new File([(await drawPhoto(1, 320, 180)) as Buffer<ArrayBuffer>], 'poster.jpg'));
    const headers = { 'device-id': device, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${server.url}/api/photos/${photo.id}/poster`, { method: 'PUT', body: form, headers });
    expect(answer.status).toBe(204);
    await expect.poll(() => tile.getAttribute('src')).toBe(`${photo.thumbnail_url}?poster`);
    await expect.poll(() => tile.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(320);
    await context.close();
  });

  it('wait where their line breaks, and go on at the same place once the server answers again', async () => {
    const own = await createEvent(await adminOf(server.url), { with_videos: true });
    // The video is larger than what the browser reads ahead.
    const noise = ['-vf', 'noise=alls=80:allf=t', '-b:v', '8M'];
    const photo = await send(await drawVideo({ container: 'webm', picture: 'vp8', sound: null, seconds: 40, more: noise }), own);
    const { download_url } = await (await hostOf(server.url, own)).json<{ download_url: string }>('POST', `/api/photos/${photo.id}/link`);
    const proxy = await startProxy(server.url);
    const { page, context } = await openPage(browser, proxy.url, DESKTOP);
    await takeOver(context, await hostOf(server.url, own), proxy.url);
    const video = page.locator('video');
    const goesOn = async (from: number): Promise<void> => {
      await expect.poll(() => seconds(page)).toBeGreaterThan(from + 0.2);
      await page.getByText(LINE_BROKEN).waitFor({ state: 'detached' });
    };

    await page.goto(`/gallery/${own.code}`);
    await page.locator('[data-photo]').click();
    await video.waitFor();
    // The line breaks before the first byte of the video.
    proxy.become('bad-gateway');
    await video.evaluate((each: HTMLVideoElement) => void each.play().catch(() => undefined));
    await page.getByText(LINE_BROKEN).waitFor();
    proxy.become('open');
    await goesOn(0);

    await page.goto(new URL(download_url, proxy.url).href);
    await video.evaluate((each: HTMLVideoElement) => each.play());
    await goesOn(0);
    proxy.become('bad-gateway');
    proxy.cut();
    await video.evaluate((each: HTMLVideoElement) => {
      each.currentTime = 35;
    });
    await page.getByText(LINE_BROKEN).waitFor();
    proxy.become('open');
    await goesOn(35);
    await context.close();
    await proxy.close();
  });

  it('that this browser cannot play show their poster, a sentence and the download', async () => {
    const own = await createEvent(await adminOf(server.url), { with_videos: true });
    await send(await drawVideo({ picture: 'hevc' }), own);
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, await hostOf(server.url, own), server.url);
    await page.goto(`/gallery/${own.code}`);
    await page.locator('[data-photo]').click();
    await page.getByText(CANNOT_PLAY).waitFor();
    await page.locator('img[src*="/preview"]').first().waitFor();
    expect(await page.getByRole('link', { name: 'Herunterladen' }).last().getAttribute('href')).toMatch(/\/download$/);
    await context.close();
  });

  it('are released once something of them was seen: their still, a frame that played, or the file', async () => {
    const own = await createEvent(await adminOf(server.url), { with_videos: true });
    const itsHost = await hostOf(server.url, own);
    await itsHost.json('PUT', `/api/events/${own.code}/release`, { value: true });
    await send(drawn, own);
    await send(await drawVideo({ picture: 'hevc' }), own);
    const { page, context } = await openPage(browser, server.url, PHONE);
    await takeOver(context, itsHost, server.url);
    const show = page.getByRole('button', { name: 'Zeigen', exact: true });
    const isOff = () => show.getAttribute('aria-disabled');
    const unseen = page.getByText('Von diesem Video ist noch kein Bild zu sehen.');
    const video = page.locator('video');
    await page.goto(`/freigabe/${own.code}`);
    // The server's substitute for a still shows nothing of the video.
    await unseen.waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await isOff()).toBe('true');
    expect(await page.getByText('2 Fotos warten').count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    const still = page.waitForResponse((answer) => answer.url().endsWith('/poster'));
    await video.evaluate((each: HTMLVideoElement) => each.play());
    await expect.poll(isOff).toBeNull();
    await unseen.waitFor({ state: 'detached' });
    expect((await still).status()).toBe(204);
    const previews = '**/api/photos/*/preview*';
    await page.route(previews, (route) => route.abort());
    await page.reload();
    await unseen.waitFor();
    expect(await isOff()).toBe('true');
    await page.unroute(previews);
    await page.reload();
    await expect.poll(isOff).toBeNull();
    await show.click();
    await page.getByText(CANNOT_PLAY).waitFor();
    await unseen.waitFor();
    expect(await isOff()).toBe('true');
    const error = 'Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.';
    const files = '**/api/photos/*/download';
    await page.route(files, (route) => route.fulfill({ status: 503, json: { error, code: 'unavailable' } }));
    await page.getByRole('link', { name: 'Herunterladen' }).click();
    await page.getByText(error, { exact: true }).waitFor();
    expect(await isOff()).toBe('true');
    await page.unroute(files);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Herunterladen' }).click();
    await saved;
    await expect.poll(isOff).toBeNull();
    expect(await page.getByText(error, { exact: true }).count()).toBe(0);
    await show.click();
    await page.getByRole('heading', { name: 'Alles entschieden' }).waitFor();
    await context.close();
  });

  it('play on a link’s page, and are saved by the browser itself', async () => {
    const photo = await send(await drawVideo({ container: 'webm', picture: 'vp8', sound: null }));
    const { download_url } = await host.json<{ download_url: string }>('POST', `/api/photos/${photo.id}/link`);
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.goto(download_url);
    await page.getByRole('heading', { name: 'Ihr Video' }).waitFor();
    await page.locator('video').evaluate((each: HTMLVideoElement) => each.play());
    await expect.poll(() => seconds(page)).toBeGreaterThan(0.3);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Herunterladen' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^video_\d+\.webm$/);
    await context.close();
  });

  it.each(['webm', 'mp4'] as const)(
    'are never asked for as a picture by a link’s page, as Safari shows them in one (%s)',
    async (container) => {
      const codecs = container === 'webm' ? ({ picture: 'vp9', sound: 'opus' } as const) : {};
      const photo = await send(await drawVideo({ container, seconds: 1, ...codecs }));
      const { download_url } = await host.json<{ download_url: string }>('POST', `/api/photos/${photo.id}/link`);
      const { page, context } = await openPage(browser, server.url, PHONE);
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/temp_download/') && asked.push(request.resourceType()));
      await page.goto(download_url);
      await page.getByRole('heading', { name: 'Ihr Video' }).waitFor();
      await page.getByRole('button', { name: 'Video melden' }).waitFor();
      expect(asked).toContain('fetch');
      expect(asked).not.toContain('image');
      await context.close();
    },
  );

  it('whose link ends while its page is open are said to be gone, and no refusal is saved in their place', async () => {
    const photo = await send(await drawVideo({ container: 'webm', picture: 'vp8', sound: null, seconds: 1 }));
    const { download_url } = await host.json<{ download_url: string }>('POST', `/api/photos/${photo.id}/link`);
    const { page, context } = await openPage(browser, server.url, PHONE);
    const saved: string[] = [];
    page.on('download', (download) => saved.push(download.suggestedFilename()));
    await page.goto(download_url);
    await page.getByRole('heading', { name: 'Ihr Video' }).waitFor();
    await host.json('DELETE', `/api/photos/${photo.id}`);
    await page.getByRole('link', { name: 'Herunterladen' }).click();
    await page.getByText('Der Download-Link ist abgelaufen. Bitte erstellen Sie ein neues Foto.').waitFor();
    expect(saved).toEqual([]);
    await context.close();
  });

  it('of which a link’s page could play the sound alone are said to be not playable there', async () => {
    const photo = await send(await drawVideo({ picture: 'hevc', sound: 'opus' }));
    const { download_url } = await host.json<{ download_url: string }>('POST', `/api/photos/${photo.id}/link`);
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.goto(download_url);
    await page.getByText(CANNOT_PLAY).waitFor();
    expect(await page.locator('video').count()).toBe(0);
    await page.getByRole('link', { name: 'Herunterladen' }).waitFor();
    await context.close();
  });

  it('play muted in the locked slideshow until their end, and one that does not start is passed over', async () => {
    const own = await createEvent(await adminOf(server.url), { with_videos: true });
    const device = await deviceOf(server.url);
    const hevc = await send(await drawVideo({ picture: 'hevc' }), own, device);
    const short = await send(drawn, own, device);
    for (let seed = 0; seed < 3; seed++) await send((await drawPhoto(seed, 320, 240)) as Buffer<ArrayBuffer>, own, device);
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await page.addInitScript(() => {
      window.moved = [];
      new MutationObserver((changes) => {
        for (const { target } of changes) window.moved.push((target as HTMLVideoElement).src);
      }).observe(document, { attributeFilter: ['data-moves'], subtree: true });
    });
    await takeOver(context, await projectorOf(server.url, own), server.url);
    await page.goto(`/slideshow/${own.code}`);
    // The first video is passed over after 5 s.
    await page.locator(`video[src*="${hevc.id}"]`).waitFor({ state: 'attached' });
    const playing = page.locator(`video[src*="${short.id}"][data-moves]`);
    await playing.waitFor();
    expect(await playing.evaluate((video: HTMLVideoElement) => [video.muted, video.controls])).toEqual([true, false]);
    // The first video, of which this browser has the sound alone, never shows.
    expect([...new Set(await page.evaluate(() => window.moved))]).toEqual([expect.stringContaining(short.id)]);
    // The video lasts 3 s: the next photo comes long before a photo's time is over.
    await page.locator('img[alt="Foto 3 von 5"]').waitFor();
    await expect.poll(() => page.locator('video').count()).toBe(0);
    await context.close();
  });
});
