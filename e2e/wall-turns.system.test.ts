import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DAY, SLIDESHOW_INTERVAL } from '@feierbild/contract/constants.ts';
import type { Browser, Request } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { insertPhotos } from './support/rows.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

const PHOTOS = 10_000;
/** Page's time between two looks, shorter than any photo is shown. A photo may have been there for as long when a look finds it. */
const STEP_MS = 2_500;
const EVENING_MS = 600_000;
/** Interval at which each device sends, and its photos at once: 250, 40 and 10 photos in all. */
const DEVICES = {
  Zeynep: { everyMs: 120_000, afterMs: 0, photos: 50 },
  Anna: { everyMs: 15_000, afterMs: 5_000, photos: 1 },
  Jörg: { everyMs: 60_000, afterMs: 30_000, photos: 1 },
};
/** Limit for the first photo of each device. */
const FIRST_MS = SLIDESHOW_INTERVAL + STEP_MS;
/** Limit for each photo of devices that send few: the longest slide of newcomers, and a look. */
const EACH_MS = 20_000 + STEP_MS;

describe('a wall of 10,000 photos', () => {
  let server: TestServer;
  let browser: Browser;
  useServer((started) => void ({ server, browser } = started));

  it(
    'shows 300 new ones of three devices within ten minutes, each device in turn, and none that was deleted',
    { timeout: 400_000 },
    async () => {
      const event = await createEvent(await adminOf(server.url));
      const host = await hostOf(server.url, event);
      insertPhotos(join(server.dataDir, 'feierbild.sqlite'), event.id, PHOTOS, { start: Date.now() - 5 * DAY });
      const picture = await drawPhoto(0, 160, 120);
      const senders = await Promise.all(
        Object.entries(DEVICES).map(async ([deviceName, habit]) => ({ ...habit, deviceName, device: await deviceOf(server.url) })),
      );
      const { page, context, errors } = await openPage(browser, server.url, { width: 320, height: 180 });
      await takeOver(context, host, server.url);
      const open = new Set<Request>();
      page.on('request', (request) => request.resourceType() !== 'eventsource' && open.add(request));
      page.on('requestfinished', (request) => open.delete(request));
      // The wall aborts the request of a picture whose photo is deleted.
      page.on('requestfailed', (request) => open.delete(request));
      await page.route('**/preview*', (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }));
      await page.clock.install();
      await standStill(page);
      await page.goto(`/slideshow/${event.code}`);
      const counted = async (): Promise<number> => {
        await page.clock.runFor(20);
        return page.evaluate(() =>
          Number(/von (\d+)/.exec(document.querySelector<HTMLImageElement>('main img[alt^="Foto"]')?.alt ?? '')?.[1]),
        );
      };
      await expect.poll(counted, { timeout: 60_000 }).toBe(PHOTOS);

      const began = await page.evaluate(() => performance.now());
      /** Each photo's sender by its id, and the time at which the wall could know it. */
      const sent = new Map<string, { name: string; at: number }>();
      const shownAt = new Map<string, number>();
      const deleted = new Set<string>();
      const order: string[] = [];
      let together = 0;
      let now = 0;
      const look = async (): Promise<void> => {
        const { at, ids } = await page.evaluate(() => ({
          at: performance.now(),
          ids: [...document.querySelectorAll<HTMLImageElement>('main img[alt^="Foto"]')].map(({ src }) => src.split('/').at(-2) ?? ''),
        }));
        now = at - began;
        for (const id of ids) {
          if (shownAt.has(id)) continue;
          shownAt.set(id, now);
          if (!sent.has(id)) order.push(id);
        }
        together = Math.max(together, ids.length);
      };
      const due = (at: number) =>
        senders.flatMap((sender) => {
          const isDue = at >= sender.afterMs && (at - sender.afterMs) % sender.everyMs < STEP_MS;
          return isDue ? Array.from({ length: sender.photos }, () => sender) : [];
        });
      for (let at = 0; at < EVENING_MS; at += STEP_MS) {
        const ids: string[] = [];
        for (const { device, deviceName } of due(at)) {
          const file = Buffer.concat([picture, randomBytes(8)]);
          const answer = await upload({ url: server.url, code: event.code, device, deviceName, file });
          const { id } = ((await answer.json()) as { photo: { id: string } }).photo;
          sent.set(id, { name: deviceName, at: now });
          ids.push(id);
        }
        if (ids.length > 0) {
          await expect.poll(counted, { timeout: 30_000 }).toBe(PHOTOS + sent.size - deleted.size);
          await look();
        }
        // One photo of each large batch is deleted before its turn.
        const last = ids.at(-1);
        if (last !== undefined && ids.length > 10 && !shownAt.has(last)) {
          await host.json('DELETE', `/api/photos/${last}`, undefined, 204);
          deleted.add(last);
          await expect.poll(counted).toBe(PHOTOS + sent.size - deleted.size);
        }
        await expect.poll(() => open.size).toBe(0);
        await page.clock.runFor(STEP_MS);
        await look();
      }
      // Only photos of the last moment still wait.
      for (let passed = 0; passed < 2 * EACH_MS; passed += STEP_MS) {
        await page.clock.runFor(STEP_MS);
        await look();
      }

      const waited = [...sent].map(([id, { name, at }]) => ({ id, name, ms: (shownAt.get(id) ?? Infinity) - at }));
      const of = (name: string) => waited.filter((one) => one.name === name && !deleted.has(one.id)).map(({ ms }) => ms);
      expect(sent.size).toBe(300);
      expect(deleted.size).toBeGreaterThan(2);
      for (const id of deleted) expect(shownAt.has(id)).toBe(false);
      for (const name of Object.keys(DEVICES)) expect(of(name)[0], name).toBeLessThanOrEqual(FIRST_MS);
      for (const name of ['Anna', 'Jörg']) expect(Math.max(...of(name)), name).toBeLessThanOrEqual(EACH_MS);
      // A batch is through before the next one comes.
      expect(Math.max(...of('Zeynep'))).toBeLessThan(DEVICES.Zeynep.everyMs);
      // The evening's other photos have their turn, too, each once.
      expect(order.length).toBeGreaterThan(10);
      expect(new Set(order).size).toBe(order.length);
      expect(together).toBe(6);
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});
