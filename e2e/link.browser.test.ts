import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { boothToken } from '../server/src/features/dav/testing.ts';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, upload, type EventUnderTest } from './support/api.ts';
import { standStill } from './support/clock.ts';
import { passOnPhoto } from './support/passed-on.ts';
import { openPage } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { type TestServer } from './support/server.ts';

describe('a photo that is passed on', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let file: Buffer;
  let link: string;
  let context: BrowserContext | undefined;

  useServer(async (started) => {
    ({ server, browser } = started);
    ({ event, file, link } = await passOnPhoto(server.url));
  });
  afterEach(() => context?.close());
  const open = async (path: string) => {
    const opened = await openPage(browser, server.url);
    context = opened.context;
    await opened.page.goto(path);
    return opened.page;
  };

  it('gets a link with a QR code in the gallery’s full-screen view', async () => {
    const page = await open(`/login?username=${event.host.username}&password=${event.host.password}`);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.waitForURL(/manage/);
    await page.goto(`/gallery/${event.code}`);
    await page
      .getByRole('button', { name: /^Foto von/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Link zum Weitergeben' }).click();
    await page.getByText(/\/download\/[\w-]{43}$/).waitFor();
    await page.getByRole('img', { name: 'QR-Code zum Download des Fotos' }).waitFor();
  });

  it('is shown and saved by a visitor without login, byte for byte', async () => {
    const page = await open(link);
    const preview = page.getByRole('img', { name: 'Vorschau Ihres Fotos' });
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
    await page.getByText('Dieser Link ist 7 Tage gültig').waitFor();
    await page.getByText('Sicher und privat').waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Foto herunterladen' }).click()]);
    expect(saved.suggestedFilename()).toMatch(/^photo_\d+\.jpg$/);
    expect((await readFile(await saved.path())).equals(file)).toBe(true);
    await page.getByText('Download erfolgreich!').waitFor();
    await page.getByText('Ihr Foto wurde heruntergeladen.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it.each([
    ['appears by itself', false],
    ['appears at once for who comes back to the page', true],
  ])('is awaited where a Fotobox printed the link first, and %s', async (_, comesBack) => {
    const form = { is_active: true, with_fotobox: true, fotobox_upload_password: 'Knipsekasten' };
    const { code } = await createEvent(await adminOf(server.url), form);
    const headers = { 'event-password': 'Knipsekasten' };
    const key = await fetch(`${server.url}/api/events/${code}/booth-key`, { headers });
    const given = (await key.json()) as { key: string; event_id: string };
    const token = boothToken(given.key, given.event_id);
    const page = await open('/impressum');
    await page.clock.install();
    await page.goto(`/download/${token}`);
    await page.getByRole('heading', { name: 'Dein Foto ist noch unterwegs' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    if (comesBack) await standStill(page);
    const sent = { url: server.url, code, device: await deviceOf(server.url), file, password: 'Knipsekasten' };
    expect((await upload({ ...sent, linkToken: token })).status).toBe(201);
    if (comesBack) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const preview = page.getByRole('img', { name: 'Vorschau Ihres Fotos' });
    await preview.waitFor();
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
  });
});
