import { MINUTE } from '@feierbild/contract/constants.ts';
import type { BrowserContext, Page, Request } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { OPEN_GALLERY, deviceOf, hostOf, upload } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { inItsTime, standStill } from './support/clock.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { showsOf, type Show } from './support/show.ts';
import { useServer } from './support/use-server.ts';

/** Limit for a page to notice that its access has ended, on a busy machine. */
const NOTICED_MS = 60_000;
/** A step of the pages' time, shorter than any of their pauses, ms. */
const STEP_MS = 2000;
/** Most requests of a page in the minute after it has said so. */
const CALM = 2;

describe('pages that stay open while their access goes', () => {
  let begin: () => Promise<Show>;
  let show: Show;

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void (show = await begin()));

  const json = (method: string, path: string, body?: object) =>
    show.host.json<{ url: string }>(method, `/api/events/${show.event.code}${path}`, body);
  const picturesOf = (page: Page) => page.locator('img[src*="/api/photos/"]');
  /** Lets one photo wait for its release. */
  async function letOneWait(): Promise<string> {
    await json('PUT', '/release', { value: true });
    return show.add(70);
  }
  async function open(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(path);
    await picturesOf(page).first().waitFor();
    return page;
  }
  /** Expects that a page shows no photo any more, and that it rests. */
  async function expectGone(context: BrowserContext, pages: readonly Page[]): Promise<void> {
    for (const page of pages) await expect.poll(() => picturesOf(page).count(), { timeout: NOTICED_MS }).toBe(0);
    const asked: string[] = [];
    const note = (request: Request): void => {
      const { pathname } = new URL(request.url());
      if (pathname !== '/health') asked.push(`${request.method()} ${pathname}`);
    };
    context.on('request', note);
    for (let passed = 0; passed < MINUTE; passed += STEP_MS) {
      await context.clock.runFor(STEP_MS);
      // A page has one request for its photos in flight: this answer follows that one's.
      for (const page of pages) await page.evaluate(() => fetch('/health').then(() => undefined));
    }
    context.off('request', note);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(CALM * pages.length);
  }

  const endings: [string, (context: BrowserContext) => Promise<unknown>][] = [
    ['the operator resets the password', () => show.admin.json('PUT', `/admin/events/${show.event.id}/user/password`, {}, 200)],
    ['the event is deleted', () => show.admin.json('DELETE', `/admin/events/${show.event.id}`, undefined, 200)],
    [
      'the host logs out in another tab',
      async (context) => {
        const page = await context.newPage();
        await page.goto(`/manage/${show.event.code}/karten`);
        const body = JSON.stringify({ role: 'user' });
        await page.evaluate(
          (sent) => fetch('/auth/logout', { method: 'POST', body: sent, headers: { 'content-type': 'application/json' } }),
          body,
        );
        await page.close();
      },
    ],
  ];

  it.each(endings)('show the host nothing any more when %s', async (_, end) => {
    await letOneWait();
    const { page: gallery, context } = await openPage(show.browser, show.server.url, DESKTOP);
    await context.clock.install();
    await takeOver(context, await hostOf(show.server.url, show.event), show.server.url);
    const { code } = show.event;
    await gallery.goto(`/gallery/${code}?foto=${show.ids[0]}`);
    await gallery.locator('.yarl__slide_current img').waitFor();
    // A browser has six connections to a server, and each of these pages but the last keeps one.
    const [dashboard, remote] = [await open(context, `/manage/${code}`), await open(context, `/manage/${code}/leinwand`)];
    const release = await open(context, `/freigabe/${code}`);
    await end(context);
    for (const page of [gallery, dashboard, remote]) await page.waitForURL('**/login?redirect=**', { timeout: NOTICED_MS });
    await release.getByRole('heading', { name: 'Für diese Seite fehlt der Link' }).waitFor({ timeout: NOTICED_MS });
    await expectGone(context, [gallery, dashboard, remote, release]);
    await context.close();
  });

  it.each([
    ['a helper', 'ended', { value: false }],
    ['a helper who is a guest of the gallery, too,', 'ended', { value: false }],
    ['a helper', 'replaced', {}],
  ])('show %s nothing that waits any more when the link is %s', async (who, how, body) => {
    const { url: guests } = await json('PUT', '/gallery', OPEN_GALLERY);
    await letOneWait();
    const { url } = await json('POST', '/helper');
    const { page, context } = await openPage(show.browser, show.server.url, PHONE);
    await context.clock.install();
    if (who !== 'a helper') {
      await page.goto(guests);
      await picturesOf(page).first().waitFor();
    }
    await page.goto(url);
    await page.getByText('Ein Foto wartet').waitFor();
    const { url: next } = await json('POST', '/helper', body);
    await page.getByRole('heading', { name: 'Für diese Seite fehlt der Link' }).waitFor({ timeout: NOTICED_MS });
    await expectGone(context, [page]);
    if (how === 'replaced') {
      await page.getByLabel('Link oder Code').fill(show.server.url + next);
      await page.getByRole('button', { name: 'Weiter' }).click();
      await page.getByText('Ein Foto wartet').waitFor();
    } else {
      await page.reload();
      await page.getByRole('heading', { name: 'Für diese Seite fehlt der Link' }).waitFor();
    }
    await context.close();
  });

  it.each([
    ['the link is replaced', /ein älterer gilt vielleicht nicht mehr/, () => json('POST', '/gallery/link')],
    ['the gallery ends', /ein älterer gilt vielleicht nicht mehr/, () => json('PUT', '/gallery', { ...OPEN_GALLERY, mode: 'drop' })],
    ['the event is deleted', 'Event nicht gefunden', () => show.admin.json('DELETE', `/admin/events/${show.event.id}`, undefined, 200)],
  ])('show a guest no photo any more when %s, also not full-screen', async (_, why, end) => {
    const { url } = await json('PUT', '/gallery', OPEN_GALLERY);
    const { page, context } = await openPage(show.browser, show.server.url, PHONE);
    await context.clock.install();
    await page.goto(url);
    await page.locator('[data-photo]').first().click();
    await page.locator('.yarl__slide_current img').waitFor();
    await end();
    await inItsTime(page, () => page.getByRole('heading', { name: 'Für diese Galerie fehlt der Link' }).isVisible());
    await page.getByText(why).waitFor();
    expect(await page.locator('.yarl__portal').count()).toBe(0);
    await expectGone(context, [page]);
    await context.close();
  });

  it('let a phone that sent photos go on where it was, though the link by which it came is replaced', async () => {
    const { url } = await json('PUT', '/gallery', OPEN_GALLERY);
    const device = await deviceOf(show.server.url);
    await upload({ url: show.server.url, code: show.event.code, device, file: await drawPhoto(80, 320, 240) });
    // The host's read gives phones that have sent photos their access.
    await json('GET', '/gallery');
    const { page, context } = await openPage(show.browser, show.server.url, PHONE);
    await context.addCookies([{ name: 'feierbild_device', value: device, url: show.server.url }]);
    await page.clock.install();
    await page.goto(url);
    await page.locator('[data-photo]').first().click();
    await page.locator('.yarl__slide_current img').waitFor();
    const at = page.url();
    // The page tries the link by which it came once more.
    let opened = false;
    page.on('response', (answer) => (opened ||= answer.url().endsWith('/auth/gallery/login') && answer.status() === 200));
    await json('POST', '/gallery/link');
    await inItsTime(page, async () => opened);
    await page.locator('.yarl__slide_current img').waitFor();
    expect(page.url()).toBe(at);
    await context.close();
  });

  describe('at a photo that somebody else deletes', () => {
    const current = (page: Page) => page.locator('.yarl__slide_current img');
    const isAt = (page: Page, id: string) => expect.poll(() => current(page).getAttribute('src'), { timeout: NOTICED_MS }).toContain(id);

    it.each(['the host', 'a guest'])('show %s the next one, and the grid after the last', async (who) => {
      const [first = '', second = '', ...others] = show.ids;
      for (const id of others) await show.host.json('DELETE', `/api/photos/${id}`);
      const { url } = await json('PUT', '/gallery', OPEN_GALLERY);
      const { page, context } = await openPage(show.browser, show.server.url, PHONE);
      if (who === 'the host') await takeOver(context, show.host, show.server.url);
      await page.clock.install();
      await page.goto(who === 'the host' ? `/gallery/${show.event.code}` : url);
      await page.locator(`[data-photo="${first}"]`).click();
      await isAt(page, first);
      await show.host.json('DELETE', `/api/photos/${first}`);
      await inItsTime(page, async () => (await current(page).getAttribute('src'))?.includes(second));
      expect(await page.locator(`img[src*="${first}"]`).count()).toBe(0);
      await show.host.json('DELETE', `/api/photos/${second}`);
      await inItsTime(page, async () => (await page.locator('.yarl__portal').count()) === 0);
      expect(await page.locator('[data-photo]').count()).toBe(0);
      await context.close();
    });

    it('do nothing with the one that took its place before the finger can mean it', async () => {
      const [first, second] = show.ids as [string, string];
      const { page, context } = await openPage(show.browser, show.server.url, DESKTOP);
      await takeOver(context, show.host, show.server.url);
      await page.clock.install();
      await page.goto(`/gallery/${show.event.code}`);
      await page.locator(`[data-photo="${first}"]`).click();
      await isAt(page, first);
      await standStill(page);
      await show.host.json('DELETE', `/api/photos/${first}`);
      await isAt(page, second);
      const tools = page.locator('.yarl__toolbar');
      const shown = tools.getByRole('button', { name: 'In der Slideshow' });
      await shown.click();
      await tools.getByRole('button', { name: 'Löschen' }).click();
      expect([await shown.getAttribute('aria-pressed'), await page.getByRole('dialog', { name: 'Foto löschen?' }).count()]).toEqual([
        'true',
        0,
      ]);
      await page.clock.runFor(300);
      await shown.click();
      await expect.poll(() => shown.getAttribute('aria-pressed')).toBe('false');
      await context.close();
    });
  });

  it('show the host no link that another phone has ended', async () => {
    await letOneWait();
    const [{ url: helpers }, { url: walls }] = [await json('POST', '/helper'), await json('POST', '/wall/link')];
    const { page, context } = await openPage(show.browser, show.server.url, PHONE);
    await takeOver(context, show.host, show.server.url);
    await page.goto(`/manage/${show.event.code}`);
    await page.getByRole('button', { name: 'Link für eine Hilfe …' }).click();
    await page.getByText(helpers).waitFor();
    await json('POST', '/helper', { value: false });
    await page.getByRole('dialog').getByRole('button', { name: 'Link machen' }).waitFor({ timeout: NOTICED_MS });
    await page.goto(`/manage/${show.event.code}/leinwand`);
    await page.getByText(walls).waitFor();
    await json('POST', '/wall/link', { value: false });
    await page.getByRole('button', { name: 'Link machen' }).waitFor({ timeout: NOTICED_MS });
    await context.close();
  });
});
