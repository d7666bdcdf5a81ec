import { join } from 'node:path';
import type { Page } from 'playwright';
import { adminOf, createEvent, deviceOf, upload, type EventUnderTest } from '../e2e/support/api.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from '../e2e/support/browser.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import { insertPhotos } from '../e2e/support/rows.ts';
import { scrollThrough } from '../e2e/support/scroll.ts';
import { startServer } from '../e2e/support/server.ts';
import { note, promise, round } from './support/report.ts';

const PHOTOS = 10_000;
/** Real photos at the start, so that the first pictures come from the vault. */
const REAL = 60;
const RUNS = 3;

/** Measures the gallery of an event of 10,000 photos in the browser: the first pictures, and scrolling through everything. */
export async function benchGalleryPage(): Promise<void> {
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  try {
    const event = await createEvent(await adminOf(server.url));
    const [device, tiny] = [await deviceOf(server.url), await drawPhoto(1, 400, 300)];
    for (let n = 0; n < REAL; n++) await upload({ url: server.url, code: event.code, device, file: await drawPhoto(n, 400, 300) });
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), event.id, PHOTOS - REAL);

    for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      const { page, context } = await openPage(browser, server.url, viewport);
      await logIn(page, event);
      const waits: number[] = [];
      for (let run = 0; run < RUNS; run++) waits.push(await firstPictures(page, event.code));
      note(`${name}: first pictures after ${waits.map((wait) => `${round(wait)} ms`).join(', ')}`);
      promise(`${name}: first photos visible after the first answer`, Math.max(...waits), '<=', 1000, ' ms');

      await context.route('**/thumbnail', (route) => route.fulfill({ body: tiny, contentType: 'image/jpeg' }));
      const { nodes, shift, longTasks } = await scrollThrough(page);
      note(`${name}: ${longTasks.length} tasks over 50 ms while scrolling`);
      promise(`${name}: elements in the document while scrolling through ${PHOTOS} photos`, nodes, '<=', 2000);
      promise(`${name}: longest task meanwhile`, Math.max(0, ...longTasks), '<=', 100, ' ms');
      promise(`${name}: layout shift meanwhile`, shift, '<=', 0.01);
      await context.close();
    }
  } finally {
    await browser.close();
    await server.dispose();
  }
}

async function logIn(page: Page, { host, code }: EventUnderTest): Promise<void> {
  await page.goto(`/login?username=${host.username}&password=${host.password}`);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.waitForURL(`**/manage/${code}`);
}

/** Measures the time from the list's first answer until the pictures within the window are drawn, ms. */
async function firstPictures(page: Page, code: string): Promise<number> {
  await page.goto(`/gallery/${code}`);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const images = [...document.querySelectorAll<HTMLImageElement>('main img[src*="/thumbnail"]')];
          const seen = images.filter((img) => img.getBoundingClientRect().top < window.innerHeight);
          const answers = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
          const answer = answers.find(({ name }) => /\/photos\?/.test(name));
          if (answer && seen.length > 0 && seen.every((img) => img.complete && img.naturalWidth > 0))
            resolve(performance.now() - answer.responseEnd);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}
