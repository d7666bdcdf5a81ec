import { HOUR, SLIDESHOW_CACHE, SLIDESHOW_INTERVAL, SLIDESHOW_PRELOAD } from '@feierbild/contract/constants.ts';
import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, projectorOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { installFastClock } from './support/fast-clock.ts';
import { useServer } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { pageMemory, type PageMemory } from './support/page-memory.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

const PICTURES_AN_HOUR = HOUR / SLIDESHOW_INTERVAL;
/** Hours of the same changes before the measured ones; else the engine's compiled code would count as growth. */
const WARM_UP = 2;
/** Hour whose whole length is an outage of the network. */
const OUTAGE = 12;

describe('a locked slideshow over a night and a day', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let host: Client;
  let device: string;
  const ids: string[] = [];

  useServer(async (started) => {
    ({ server, browser } = started);
    event = await createEvent(await adminOf(server.url));
    host = await hostOf(server.url, event);
    device = await deviceOf(server.url);
    for (let seed = 0; seed < 40; seed++) await add(seed);
  });

  async function add(seed: number): Promise<void> {
    const answer = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 160, 120) });
    ids.push(((await answer.json()) as { photo: { id: string } }).photo.id);
  }

  // Several new photos that come together are shown together.
  const picture = (page: Page) => page.getByRole('img', { name: /^Foto \d/ }).first();
  const onTheWall = (page: Page) => picture(page).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
  const count = async (page: Page) => Number(/von (\d+)/.exec((await picture(page).getAttribute('alt')) ?? '')?.[1]);
  const run = (page: Page, ms: number) =>
    page.evaluate(([time, interval]) => window.fastClock.run(time, interval), [ms, SLIDESHOW_INTERVAL] as const);

  it(
    'needs no more memory after 24 hours than after 2, survives an hour without network, and shows what came',
    { timeout: 900_000 },
    async () => {
      const { page, context } = await openPage(browser, server.url, { width: 320, height: 240 });
      const projector = await projectorOf(server.url, event);
      await takeOver(context, projector, server.url);
      const cdp = await context.newCDPSession(page);
      await cdp.send('Performance.enable');
      await installFastClock(page);
      const asked = new Set<string>();
      page.on('request', (request) => request.url().endsWith('/preview') && asked.add(request.url()));
      await page.goto(`/slideshow/${event.code}`);
      await picture(page).waitFor();
      await expect.poll(() => asked.size).toBe(1 + SLIDESHOW_PRELOAD);

      let early: PageMemory | undefined;
      let shown = 0;
      /** Waits until the wall counts all photos: the page asks again for a list for which the fast clock left too little time. */
      const upToDate = async (): Promise<void> => {
        const now = await host.json<{ photos: unknown[] }>('GET', `/api/events/${event.code}/slideshow`);
        const counted = async (): Promise<number> => {
          shown += await run(page, 1000);
          return count(page);
        };
        await expect.poll(counted).toBe(now.photos.length);
      };
      const outage = async (ms: number) => {
        await upToDate();
        await cdp.send('Network.clearBrowserCache');
        await context.setOffline(true);
        await add(1000 + ms / HOUR);
        const before = await count(page);
        await run(page, ms);
        expect(await onTheWall(page)).toBe(true);
        expect(await count(page)).toBe(before);
        await context.setOffline(false);
      };
      // An outage before the first measurement; else the code that it runs for the first time would count as growth.
      await outage(HOUR / 4);
      for (let hour = 1 - WARM_UP; hour <= 24; hour++) {
        if (hour === 1) shown = 0;
        if (hour === OUTAGE) {
          await outage(HOUR);
          continue;
        }
        // Each hour one photo comes and one goes; every other hour, one is taken out of the slideshow.
        await add(100 + hour);
        await host.json('DELETE', `/api/photos/${ids.shift()}`);
        await host.json('PUT', `/api/photos/${ids[20]}/slideshow`, { value: hour % 2 === 0 });
        shown += await run(page, HOUR);
        expect(await onTheWall(page)).toBe(true);
        // Memory that was freed a moment ago may need a second collection.
        const kept = async (): Promise<number> => {
          await cdp.send('HeapProfiler.collectGarbage');
          return page.evaluate(() => window.fastClock.pictures());
        };
        await expect.poll(kept).toBeLessThanOrEqual(SLIDESHOW_CACHE);
        if (hour === 2) early = await pageMemory(cdp);
      }
      // Pictures that are in flight during a measurement would count as growth, so it is repeated.
      const late = async (): Promise<PageMemory> => {
        shown += await run(page, SLIDESHOW_INTERVAL);
        return pageMemory(cdp);
      };
      console.log(`${shown} pictures; after 2 hours ${JSON.stringify(early)}, after 24 ${JSON.stringify(await late())}`);
      for (const key of ['heap', 'nodes', 'listeners'] as const) {
        await expect.poll(async () => (await late())[key]).toBeLessThan(1.1 * (early?.[key] ?? 0));
      }
      await upToDate();
      expect(shown).toBeGreaterThan(0.95 * 23 * PICTURES_AN_HOUR);
      await context.close();
    },
  );
});
