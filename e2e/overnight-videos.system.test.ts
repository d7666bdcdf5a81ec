import type { Browser, CDPSession, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { drawVideo, hasFfmpeg } from '../server/src/images/testing/videos.ts';
import { adminOf, createEvent, deviceOf, projectorOf, upload, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { installFastClock } from './support/fast-clock.ts';
import { useServer } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { pageMemory, type PageMemory } from './support/page-memory.ts';
import type { TestServer } from './support/server.ts';

const HOUR_MS = 3_600_000;
const HOURS = 5;
/** Hours after which the engine has compiled what the wall runs: in the second one it keeps 110 kB of machine code, then next to none. */
const COMPILED_HOURS = 2;
/** Longest time that a video is shown (layer.tsx). */
const SHOWN_MS = 15_000;
/** Time after which a video that does not move is passed over. */
const PASSED_OVER_MS = 5_000;
const VIDEOS = 5;
/** Readings in a row, a second apart, without a lower one, after which a page counts as settled. */
const SAME_READINGS = 4;

describe.skipIf(!hasFfmpeg)('a locked slideshow of videos over a night (ffmpeg draws them)', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;

  useServer(async (started) => {
    ({ server, browser } = started);
    event = await createEvent(await adminOf(server.url), { with_videos: true });
    const device = await deviceOf(server.url);
    // Each video is longer than it is shown, and next to no real time passes for it. The browser cannot play the last one.
    for (let n = 1; n <= VIDEOS; n++) {
      const video = await drawVideo({ container: 'webm', picture: 'vp8', sound: null, seconds: 30 + n, width: 160, height: 90 });
      await upload({ url: server.url, code: event.code, device, file: video });
    }
    await upload({ url: server.url, code: event.code, device, file: await drawVideo({ picture: 'hevc', width: 160, height: 90 }) });
  });

  const run = (page: Page, ms: number) => page.evaluate(([time, shown]) => window.fastClock.run(time, shown), [ms, SHOWN_MS] as const);

  /** Reads the page's memory once its slides have faded. Fading takes seconds of real time, and a night here has next to none. */
  async function settledMemory(cdp: CDPSession): Promise<PageMemory> {
    let least = await pageMemory(cdp);
    let same = 0;
    const settles = async () => {
      const memory = await pageMemory(cdp);
      same = memory.nodes < least.nodes ? 0 : same + 1;
      if (same === 0) least = memory;
      return same;
    };
    await expect.poll(settles, { interval: 1_000, timeout: 90_000 }).toBe(SAME_READINGS);
    return least;
  }

  it(
    'needs no more memory at its end than once it is compiled, and passes the one over that does not start',
    { timeout: 900_000 },
    async () => {
      const { page, context } = await openPage(browser, server.url, { width: 320, height: 240 });
      await takeOver(context, await projectorOf(server.url, event), server.url);
      const cdp = await context.newCDPSession(page);
      await cdp.send('Performance.enable');
      await installFastClock(page);
      await page.goto(`/slideshow/${event.code}`);
      await page.locator('video').first().waitFor({ state: 'attached' });
      let shown = await run(page, COMPILED_HOURS * HOUR_MS);
      const early = await settledMemory(cdp);
      for (let hour = COMPILED_HOURS + 1; hour <= HOURS; hour++) shown += await run(page, HOUR_MS);
      const late = await settledMemory(cdp);
      console.log(`${shown} videos; after ${COMPILED_HOURS} hours ${JSON.stringify(early)}, after ${HOURS} ${JSON.stringify(late)}`);
      // A round's length is the time of its videos, plus the time of the one that is passed over.
      const rounds = (HOURS * HOUR_MS) / (VIDEOS * SHOWN_MS + PASSED_OVER_MS);
      expect(shown).toBeGreaterThan(0.9 * rounds * VIDEOS);
      for (const key of ['heap', 'nodes', 'listeners'] as const) expect(late[key]).toBeLessThan(1.1 * early[key]);
      await context.close();
    },
  );
});
