import type { Browser, BrowserContext, Route } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { deviceOf, hostOf, upload, type EventUnderTest } from './support/api.ts';
import { passOnPhoto } from './support/passed-on.ts';
import { openPage } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { logInAsAdmin } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { type TestServer } from './support/server.ts';

describe('the trouble with a photo that is passed on', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let link: string;
  let photoId: string;
  let context: BrowserContext | undefined;

  useServer(async (started) => {
    ({ server, browser } = started);
    ({ event, photoId, link } = await passOnPhoto(server.url));
  });
  afterEach(() => context?.close());
  const open = async (path: string) => {
    const opened = await openPage(browser, server.url);
    context = opened.context;
    await opened.page.goto(path);
    return opened.page;
  };

  it.each([
    ['was never one', 'Ungültiger Download-Link.', () => `/download/${'A'.repeat(43)}`],
    [
      'has ended',
      'Der Download-Link ist abgelaufen. Bitte erstellen Sie ein neues Foto.',
      async () => {
        const host = await hostOf(server.url, event);
        const stored = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(8) });
        const { id } = (await stored.json()).photo;
        const { download_url } = await host.json<{ download_url: string }>('POST', `/api/photos/${id}/link`, undefined, 201);
        await host.json('DELETE', `/api/photos/${id}`);
        return download_url;
      },
    ],
  ])('says at once that a link %s, and promises nothing', async (_, text, path) => {
    const page = await open(await path());
    await page.getByText(text, { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.getByText('Dieser Link ist 7 Tage gültig').count()).toBe(0);
    expect(await page.getByText('Vorschau').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Zur Startseite' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('can be reported by its number, by which the operator deletes it', async () => {
    const page = await open(link);
    await page.getByRole('button', { name: 'Foto melden' }).click();
    const dialog = page.getByRole('dialog', { name: 'Foto melden' });
    const named = await dialog.getByLabel('Welches Foto?').inputValue();
    expect(named).toBe(`Foto ${photoId}`);
    await dialog.getByLabel('Warum soll es entfernt werden?').fill('Ich möchte nicht gezeigt werden.');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Meldung absenden' }).click();
    await dialog.getByText('Die Meldung ist angekommen.').waitFor();
    // The focus moves to the answer, and later to just before the form that comes back.
    await expect.poll(() => page.locator('[role=status]:focus').innerText()).toContain('Die Meldung ist angekommen.');
    await dialog.getByRole('button', { name: 'Meldung schließen' }).click();
    await dialog.getByLabel('Welches Foto?').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => dialog.getByLabel('Welches Foto?').evaluate((field) => field === document.activeElement)).toBe(true);
    await context?.close();

    const admin = await openPage(browser, server.url);
    ({ context } = admin);
    await logInAsAdmin(admin.page);
    await admin.page.waitForURL('**/admin');
    await admin.page.goto('/admin/meldungen');
    await admin.page.getByText(`npm run cli -- photo delete ${photoId}`).waitFor();
  });

  it('can be reported by its number, also where a proxy refuses HEAD', async () => {
    const page = await open(link);
    await page.getByRole('img', { name: 'Vorschau Ihres Fotos' }).waitFor();
    await page.route('**/temp_download/**', (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ status: 405, contentType: 'text/html', body: '' }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Foto melden' }).click();
    const named = page.getByRole('dialog', { name: 'Foto melden' }).getByLabel('Welches Foto?');
    expect(await named.inputValue()).toBe(`Foto ${photoId}`);
  });

  it('says that a link ended while its page was open', async () => {
    const page = await open(link);
    await page.getByRole('img', { name: 'Vorschau Ihres Fotos' }).waitFor();
    await page.route('**/temp_download/**', (route) => route.fulfill({ status: 410, json: { error: 'x', code: 'link_expired' } }));
    await page.getByRole('button', { name: 'Foto herunterladen' }).click();
    await page.getByText('Der Download-Link ist abgelaufen. Bitte erstellen Sie ein neues Foto.').waitFor();
  });

  it('is not said to have ended by anybody but the server', async () => {
    const page = await open(link);
    await page.getByRole('img', { name: 'Vorschau Ihres Fotos' }).waitFor();
    await page.route('**/temp_download/**', (route) => route.fulfill({ status: 410, contentType: 'text/html', body: 'Gone' }));
    await page.evaluate(() => (window.open = () => null));
    await page.getByRole('button', { name: 'Foto herunterladen' }).click();
    await page.getByText('Fehler beim Herunterladen des Fotos: Status 410.', { exact: false }).waitFor();
    await page.reload();
    await page.getByText('Vorschau konnte nicht geladen werden').waitFor();
    await page.getByRole('button', { name: 'Foto herunterladen' }).waitFor();
  });

  it('says why where it is a video of which strangers get no copy', async () => {
    const page = await open(link);
    const error = 'Von diesem Video gibt es keine Fassung.';
    await page.route('**/temp_download/**', (route) => route.fulfill({ status: 409, json: { error, code: 'video_not_shared' } }));
    await page.reload();
    await page.getByText(error, { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });

  it('opens in a new tab where the server has trouble, and says so where that is blocked, too', async () => {
    const page = await open(link);
    await page.route('**/temp_download/**', (route) => route.fulfill({ status: 503, json: { error: 'x', code: 'unavailable' } }));
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Foto herunterladen' }).click(),
    ]);
    await tab.close();
    await page.getByText('Download erfolgreich!').waitFor();
    await page.evaluate(() => (window.open = () => null));
    await page.getByRole('button', { name: 'Foto herunterladen' }).click();
    await page.getByText('Fehler beim Herunterladen des Fotos: x. Bitte versuchen Sie es erneut.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Meldung schließen' }).click();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it.each([
    ['no answer comes', (route: Route) => route.abort('connectionfailed')],
    [
      'a strange network answers with its sign-in page',
      (route: Route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>WLAN</h1>' }),
    ],
  ])('says that there is no connection where %s and a new tab is blocked', async (_, answer) => {
    const page = await open(link);
    await page.route('**/temp_download/**', answer);
    await page.evaluate(() => (window.open = () => null));
    await page.getByRole('button', { name: 'Foto herunterladen' }).click();
    await page
      .getByText('Fehler beim Herunterladen des Fotos: Keine Verbindung. Bitte versuchen Sie es erneut.', { exact: true })
      .waitFor();
    expect(await page.getByText('Download erfolgreich!').count()).toBe(0);
  });

  it('needs its token', async () => {
    const page = await open('/download');
    await page.getByRole('heading', { name: 'Fehler' }).waitFor();
    await page.getByText('Ungültiger Download-Link', { exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Zur Startseite' }).click();
    await page.waitForURL(`${server.url}/`);
  });
});
