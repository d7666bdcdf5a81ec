import type { Browser, Page } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, hostOf, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { startProxy } from './support/proxy.ts';
import { DONE, photo } from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

/** Limit from the last press until all photos are stored. */
const LIMIT_MS = 90_000;
/** A line on which one tab's photos take some seconds. */
const LINE = { bytesPerSecond: 1_000_000 };

// A guest who scans the code at the table again opens another tab, with a process of its own.
describe('an event that is opened in two tabs', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;

  useServer((started) => ({ server, browser } = started));
  beforeEach(async () => void (event = await createEvent(await adminOf(server.url))));

  async function press(page: Page, from: number, count: number): Promise<void> {
    const files = await Promise.all(Array.from({ length: count }, (_, n) => photo(from + n)));
    await page.locator('input[type=file]').setInputFiles(files);
    await page.getByRole('button', { name: `Hochladen (${count})` }).click();
  }

  /** Waits until a tab's photos are on their way; most of them have not arrived then. */
  const running = (page: Page): Promise<void> =>
    page
      .getByRole('button', { name: /, wird hochgeladen/ })
      .first()
      .waitFor();

  const names = async (): Promise<string[]> => {
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: { filename: string; state: string }[] }>(
      'GET',
      `/api/events/${event.code}/photos?per_page=100`,
    );
    return photos.filter(({ state }) => state !== 'announced').map(({ filename }) => filename);
  };

  it('has all photos of both stored once, although each takes over in the middle from the other', async () => {
    await using owned = new AsyncDisposableStack();
    const proxy = owned.adopt(await startProxy(server.url, LINE), (one) => one.close());
    const { page: first, context } = await openPage(browser, proxy.url);
    owned.defer(() => context.close());
    await first.goto(`/event/${event.code}`);
    await first.getByRole('checkbox').check();
    const second = await context.newPage();
    await second.goto(`/event/${event.code}`);
    // Six photos begin at once; the server has no bytes of the others yet.
    await press(first, 0, 10);
    await running(first);
    await press(second, 10, 3);
    await running(second);
    // The first tab takes over again, with the second tab's photos.
    await press(first, 13, 3);
    await first.getByRole('button', { name: DONE }).waitFor({ timeout: LIMIT_MS });
    expect((await names()).toSorted()).toEqual(Array.from({ length: 16 }, (_, n) => `IMG_${n}.jpg`).toSorted());
  });
});
