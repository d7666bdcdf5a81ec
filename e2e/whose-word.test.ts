import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, expectLogged, openPage, PHONE } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { DONE, photos } from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';
import { startWrongAnswers, WRONG, type WrongAnswers } from './support/wrong-answers.ts';

describe('nothing is lost, and nothing stays dead, where somebody else answers', () => {
  let server: TestServer;
  let browser: Browser;
  let proxy: WrongAnswers;
  let event: EventUnderTest;
  let host: Client;
  let device: string;
  /** Photos of the event. */
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
  /** Above the size up to which photos are sent as forms; another one for each row. */
  const largePhoto = async (wrong: string): Promise<Buffer> =>
    Buffer.concat([await drawPhoto(99, 320, 240), Buffer.alloc(5_000_000, wrong)]);
  /** Lets the page's time pass, faster than the clock, until something is so. */
  const inItsTime = (page: Page, isSo: () => Promise<unknown>): Promise<void> =>
    expect
      .poll(
        async () => {
          await page.clock.runFor(4000);
          return isSo();
        },
        { timeout: 55_000, interval: 50 },
      )
      .toBeTruthy();

  it.each(WRONG)('each of a guest’s calls at first by %s', { timeout: 180_000 }, async (wrong) => {
    const { page, context } = await openPage(browser, proxy.url, PHONE);
    await page.clock.install();
    proxy.become(wrong, 1);
    await page.goto(`/event/${event.code}`);
    const picker = page.locator('input[type=file]');
    await inItsTime(page, async () => (await picker.count()) > 0 && (await picker.isEnabled()));
    // The first is sent as a form while nothing has broken off, the large one is resumable from its beginning.
    await picker.setInputFiles([...(await photos(1)), { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await largePhoto(wrong) }]);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await inItsTime(page, () => page.getByRole('button', { name: DONE }).isVisible());
    total += 2;
    expect((await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`)).total_photos).toBe(total);
    expect(proxy.wronged()).toEqual(
      expect.arrayContaining([
        'GET /api/events/:ref/my-photos',
        'GET /device_id',
        'GET /event/:code',
        'GET /event/:code/max',
        'HEAD /uploads/:key',
        'POST /api/events/:ref/known',
        'POST /uploads',
      ]),
    );
    await context.close();
  });

  describe('to a host and the wall', () => {
    let context: BrowserContext;
    /** Pages, and where each shows how many photos there are. */
    let shown: { page: Page; path: string; count: (n: number) => Locator }[];

    beforeAll(async () => {
      proxy.become(null);
      while (total < 6) await add();
      const { page: gallery, context: opened } = await openPage(browser, proxy.url, DESKTOP);
      context = opened;
      await takeOver(context, host, proxy.url);
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
      for (const { page, path, count } of shown) {
        await page.clock.install();
        await page.goto(path);
        await count(total).waitFor();
      }
      expectLogged(context, /^EventSource's response has a MIME type/);
    });
    afterAll(() => context?.close());

    it.each(WRONG)('for two minutes by %s', { timeout: 180_000 }, async (wrong) => {
      const before = total;
      proxy.become(wrong);
      await add();
      for (const { page, path, count } of shown) {
        await page.evaluate(() => window.dispatchEvent(new Event('online')));
        await page.clock.runFor(125_000);
        await count(before).waitFor();
        expect(new URL(page.url()).pathname).toBe(path);
      }
      expect(proxy.wronged()).toEqual(
        expect.arrayContaining([
          'GET /api/events/:ref',
          'GET /api/events/:ref/live',
          'GET /api/events/:ref/photos',
          'GET /api/events/:ref/slideshow',
        ]),
      );
      proxy.become(null);
      for (const { page, count } of shown) await inItsTime(page, () => count(total).isVisible());
    });
  });
});
