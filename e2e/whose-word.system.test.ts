import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, expectLogged, openPage, PHONE } from './support/browser.ts';
import { inItsTime } from './support/clock.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { DONE, photos } from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';
import { startWrongAnswers, WRONG, type WrongAnswers } from './support/wrong-answers.ts';

/** Answers after which a photo may go another way, which asks for no offset (`refused-for-good.system.test.ts`). */
const MAY_BE_FOR_GOOD = new Set<string>(['403', '404', '401', '200 with HTML']);

describe('nothing is lost, and nothing stays dead, where somebody else answers', () => {
  let server: TestServer;
  let browser: Browser;
  let proxy: WrongAnswers;
  let event: EventUnderTest;
  let host: Client;
  let device: string;
  /** Number of photos of the event. */
  let total = 0;

  useServer(async (started) => {
    ({ server, browser } = started);
    proxy = await startWrongAnswers(server.url);
    event = await createEvent(await adminOf(server.url));
    host = await hostOf(server.url, event);
    device = await deviceOf(server.url);
  });
  afterAll(() => proxy?.close());

  const add = async (): Promise<void> => {
    const file = await drawPhoto(++total, 320, 240);
    expect((await upload({ url: server.url, code: event.code, device, file })).status).toBe(201);
  };
  /** Draws a photo too large for a form, a different one for each row. */
  const largePhoto = async (wrong: string): Promise<Buffer> =>
    Buffer.concat([await drawPhoto(99, 320, 240), Buffer.alloc(5_000_000, wrong)]);

  /** Lists the calls that were answered wrongly, by any method: after a refusal, pages send all changes as POST. */
  const wronged = (): string[] => proxy.wronged().map((call) => call.replace(/^POST as /, ''));

  it.each(WRONG)('each of a guest’s calls at first by %s', async (wrong) => {
    const { page, context } = await openPage(browser, proxy.url, PHONE);
    await page.clock.install();
    proxy.become(wrong, 1);
    await page.goto(`/event/${event.code}`);
    const picker = page.locator('input[type=file]');
    await inItsTime(page, async () => (await picker.count()) > 0 && (await picker.isEnabled()));
    // The first photo is sent as a form while nothing has broken off; the large one is resumable from its beginning.
    await picker.setInputFiles([...(await photos(1)), { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await largePhoto(wrong) }]);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await inItsTime(page, () => page.getByRole('button', { name: DONE }).isVisible());
    total += 2;
    expect((await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`)).total_photos).toBe(total);
    expect(wronged()).toEqual(
      expect.arrayContaining([
        'GET /api/events/:ref/my-photos',
        'GET /device_id',
        'GET /event/:code',
        'GET /event/:code/max',
        ...(MAY_BE_FOR_GOOD.has(wrong) ? [] : ['HEAD /uploads/:key']),
        'POST /api/events/:ref/known',
        'POST /uploads',
      ]),
    );
    await context.close();
  });

  describe('to a host and the wall', () => {
    let context: BrowserContext;
    /** Pages, each with a locator of its number of photos. */
    let shown: { page: Page; path: string; count: (n: number) => Locator }[];

    beforeAll(async () => {
      proxy.become(null);
      while (total < 6) await add();
      const { page: gallery, context: opened } = await openPage(browser, proxy.url, DESKTOP);
      context = opened;
      const [dashboard, wall] = [await context.newPage(), await context.newPage()];
      shown = [
        { page: gallery, path: `/gallery/${event.code}`, count: (n) => gallery.getByText(`${n} Fotos`).first() },
        { page: dashboard, path: `/manage/${event.code}`, count: (n) => dashboard.getByText(`${n} Fotos`).first() },
        {
          page: wall,
          path: `/slideshow/${event.code}`,
          count: (n) => wall.getByRole('img', { name: new RegExp(`^Foto \\d+ von ${n}$`) }).first(),
        },
      ];
      await context.clock.install();
      // These pages get a session of their own, because they log out in the end.
      await takeOver(context, await hostOf(server.url, event), proxy.url);
      for (const { page, path, count } of shown) {
        await page.goto(path);
        await count(total).waitFor();
      }
      // Pages log why a press failed.
      for (const words of [/^EventSource's response has a MIME type/, /^\w+(: .*)?\n +at /]) expectLogged(context, words);
    });
    afterAll(() => context?.close());

    /** Returns a host's presses in the gallery, where a photo is selected, and on the dashboard. */
    function pressesOf() {
      const [gallery, dashboard] = shown.map(({ page }) => page) as [Page, Page];
      const zip = gallery.getByRole('button', { name: /^(ZIP erstellen|Neu generieren)$/ });
      const random = dashboard.getByRole('switch', { name: 'Slideshow in zufälliger Reihenfolge' });
      const link = gallery.getByRole('dialog', { name: 'Foto weitergeben' });
      const selection = gallery.getByRole('region', { name: 'Auswahl' });
      return {
        zip,
        async select(): Promise<void> {
          await gallery.getByRole('button', { name: 'Auswählen', exact: true }).click();
          await gallery
            .getByRole('checkbox', { name: /^Foto von/ })
            .first()
            .click();
        },
        /**
         * Presses one after the other: a browser has six connections to a host, three of them are the pages' live channels, and a call that
         * waits for a connection until its limit reaches nobody.
         */
        async press(deleted: string, isOn: boolean): Promise<void> {
          await random.click();
          await inItsTime(dashboard, async () => (await random.getAttribute('aria-checked')) === String(isOn));
          await zip.click();
          await inItsTime(gallery, () => zip.isEnabled());
          await selection.getByRole('button', { name: 'Löschen' }).click();
          await gallery.getByRole('button', { name: 'Endgültig löschen' }).click();
          await inItsTime(gallery, () => gallery.getByText(deleted).first().isVisible());
          // The gallery hears the key a moment after the words are there.
          const left = async (): Promise<number> => {
            await gallery.keyboard.press('Escape');
            return selection.count();
          };
          await expect.poll(left).toBe(0);
        },
        async share(result: 'alert' | 'img'): Promise<void> {
          await gallery
            .getByRole('button', { name: /^Foto von/ })
            .first()
            .click();
          await gallery.getByRole('button', { name: 'Link zum Weitergeben' }).click();
          await inItsTime(gallery, () => link.getByRole(result).isVisible());
          await gallery.goBack();
          await gallery.locator('.yarl__portal').waitFor({ state: 'detached' });
        },
        logOut: () => dashboard.getByRole('button', { name: 'Abmelden' }).click(),
        refused: dashboard.getByRole('alert').first(),
      };
    }
    const stored = async (): Promise<unknown[]> => {
      const settings = await host.json<{ with_random_slideshow: boolean }>('GET', `/api/events/${event.code}`);
      const zip = await host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`);
      const { total_photos: photos } = await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`);
      return [settings.with_random_slideshow, zip.status, photos];
    };

    it.each(WRONG)('for two minutes by %s', async (wrong) => {
      const before = total;
      const { select, press, share, logOut, refused } = pressesOf();
      await select();
      proxy.become(wrong);
      await add();
      for (const { page } of shown) await page.evaluate(() => window.dispatchEvent(new Event('online')));
      // All pages of a browser share one clock.
      await context.clock.runFor(125_000);
      for (const { page, path, count } of shown) {
        await count(before).waitFor();
        expect(new URL(page.url()).pathname).toBe(path);
      }
      await logOut();
      await inItsTime(shown[1]!.page, () => refused.isVisible());
      await press('Bei einem Foto ging es nicht, es bleibt ausgewählt.', false);
      await share('alert');
      expect(await stored()).toEqual([false, 'idle', total]);
      expect(wronged()).toEqual(
        expect.arrayContaining([
          'DELETE /api/photos/:id',
          'GET /api/events/:ref',
          'GET /api/events/:ref/live',
          'GET /api/events/:ref/photos',
          'GET /api/events/:ref/slideshow',
          'POST /api/events/:ref/create-zip',
          'POST /api/photos/:id/link',
          'POST /auth/logout',
          'PUT /api/events/:ref/random_slideshow',
        ]),
      );
      proxy.become(null);
      for (const { page, count } of shown) await inItsTime(page, () => count(total).isVisible());
    });

    it('who then does what is pressed', async () => {
      const { zip, select, press, share, logOut } = pressesOf();
      await select();
      await press('1 Foto ist gelöscht.', true);
      await share('img');
      // A ZIP that was begun before the deletion is gone with the photo.
      await zip.click();
      await expect.poll(stored).toEqual([true, 'complete', total - 1]);
      await logOut();
      for (const { page } of shown) await page.waitForURL('**/login**');
    });
  });
});
