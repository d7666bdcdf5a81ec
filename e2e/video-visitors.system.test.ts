import { PHOTOS_PER_PAGE } from '@feierbild/contract/constants.ts';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { drawVideo, hasFfmpeg, type TestVideo } from '../server/src/images/testing/videos.ts';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, hostOf, OPEN_GALLERY, upload, type Client, type EventUnderTest } from './support/api.ts';
import { openPage, PHONE } from './support/browser.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

const CANNOT_PLAY = 'Dieses Gerät kann das Video nicht abspielen';
/** Pieces of which no copy without the place can be made: they end in bytes that are no box. */
const PIECES: TestVideo = { picture: 'vp9', sound: 'opus', more: ['-movflags', '+frag_keyframe+empty_moov'] };

describe.skipIf(!hasFfmpeg)('videos for visitors other than their host (ffmpeg draws them)', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let host: Client;
  let context: BrowserContext;
  let page: Page;

  useServer(async (started) => {
    ({ server, browser } = started);
  });
  afterEach(() => context.close());

  const begin = async (): Promise<void> => {
    event = await createEvent(await adminOf(server.url), { with_videos: true });
    host = await hostOf(server.url, event);
  };
  const send = async (file: Buffer): Promise<void> => {
    const sent = { url: server.url, code: event.code, device: await deviceOf(server.url), file };
    expect((await upload(sent)).status).toBe(201);
  };
  const set = (settings: object) => host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, settings);
  const visit = async (path: string): Promise<void> => {
    ({ page, context } = await openPage(browser, server.url, PHONE));
    await page.goto(path);
  };
  const downloads = () => page.getByRole('link', { name: 'Herunterladen' });

  it('are left to the host by a helper’s phone that cannot play them, without a download that would count as seen', async () => {
    await begin();
    await host.json('PUT', `/api/events/${event.code}/release`, { value: true });
    await send(await drawVideo({ picture: 'hevc' }));
    const { url } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    await visit(url);
    await page.getByText(CANNOT_PLAY).waitFor();
    await page.getByText('Der Gastgeber kann es ansehen; „Nicht zeigen“ überlässt es ihm.').waitFor();
    expect(await downloads().count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Zeigen', exact: true }).getAttribute('aria-disabled')).toBe('true');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Nicht zeigen' }).click();
    await page.getByRole('heading', { name: 'Alles entschieden' }).waitFor();
  });

  it('that a guest’s phone cannot play are offered as a file only where the host gives originals away', async () => {
    await begin();
    await send(await drawVideo({ picture: 'hevc' }));
    const { url } = await set({ ...OPEN_GALLERY, originals: false });
    await visit(url);
    await page.locator('[data-photo]').click();
    await page.getByText(CANNOT_PLAY).waitFor();
    expect(await downloads().count()).toBe(0);
    await set(OPEN_GALLERY);
    await page.reload();
    await page.getByText(CANNOT_PLAY).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByText(CANNOT_PLAY).locator('..').getByRole('link', { name: 'Herunterladen' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^video_\d+\.mp4$/);
  });

  it('of which guests get no copy say so, instead of blaming the guest’s phone', async () => {
    await begin();
    await send(Buffer.concat([await drawVideo(PIECES), Buffer.from('52.5163, 13.3777')]));
    const { url } = await set(OPEN_GALLERY);
    await visit(url);
    await page.locator('[data-photo]').click();
    await page.locator('video').evaluate((video: HTMLVideoElement) => void video.play().catch(() => undefined));
    const reason = page.getByText('Von diesem Video lässt sich keine Fassung ohne Aufnahmeort machen.');
    await reason.waitFor();
    expect(await page.getByText(CANNOT_PLAY).count()).toBe(0);
    expect(await reason.locator('..').getByRole('link').count()).toBe(0);
  });

  it('are not read into the memory of a browser without cookies that cannot play them', async () => {
    await begin();
    ({ page, context } = await openPage(browser, server.url, PHONE));
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/video') && asked.push(request.url()));
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'cookieEnabled', { value: false }));
    await page.goto(`/event/${event.code}`);
    const file = { name: 'film.mp4', mimeType: 'video/mp4', buffer: await drawVideo({ picture: 'hevc' }) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: /film\.mp4, ansehen/ }).click();
    await page.getByText(CANNOT_PLAY).waitFor();
    await page.getByRole('button', { name: 'Herunterladen' }).waitFor();
    expect(asked).toEqual([]);
  });

  it('are not counted as photos by a gallery that has not read its whole list', async () => {
    await begin();
    await send(await drawVideo({ seconds: 1 }));
    for (let seed = 0; seed < PHOTOS_PER_PAGE; seed++) await send(await drawPhoto(seed, 32, 24));
    const { url } = await set(OPEN_GALLERY);
    ({ page, context } = await openPage(browser, server.url, PHONE));
    let go = (): void => undefined;
    const isLetOn = new Promise<void>((resolve) => (go = resolve));
    await page.route(/\/photos\?.*after=[1-9]/, async (route) => {
      await isLetOn;
      await route.continue();
    });
    await page.goto(url);
    await page.locator('[data-photo]').first().waitFor();
    await page.getByText('Fotos aller Gäste', { exact: true }).waitFor();
    expect(await page.getByText(`${PHOTOS_PER_PAGE + 1} Fotos`, { exact: true }).count()).toBe(0);
    go();
    await page.locator('p').getByText(`${PHOTOS_PER_PAGE} Fotos und 1 Video`, { exact: true }).waitFor();
  });
});
