import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { PICKER_THUMBNAIL_SIZE, PICKER_THUMBNAIL_WORKERS } from '@feierbild/contract/constants.ts';
import { adminOf, createEvent } from '../e2e/support/api.ts';
import { launchBrowser, openPage } from '../e2e/support/browser.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { median } from './support/median.ts';
import { note, promise, round } from './support/report.ts';

const PHOTOS = 100;
/** Number of different photos; the rest are copies, which are decoded as well. */
const DIFFERENT = 10;
const ROUNDS = 4;

/** The minimum work of six workers on the same files: decode and scale, without encoding or display. */
const BARE_WORKER = `self.onmessage = async ({ data }) => {
  (await createImageBitmap(data, { resizeWidth: ${2 * PICKER_THUMBNAIL_SIZE}, resizeQuality: 'low' })).close();
  self.postMessage(null);
};`;
const BARE_PAGE = '<!doctype html><input type="file" multiple>';

interface Timing {
  /** Time from the choice to the last picture, ms. */
  all: number;
  /** Longest task of the page meanwhile, ms. */
  longest: number;
}

/** Measures a hundred photos chosen on the guest's page until every tile shows its picture, in turn with bare workers. */
export async function benchTiles(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-tiles-'));
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  try {
    const files = await writePhotos(folder);
    const { code } = await createEvent(await adminOf(server.url));
    const { page, context } = await openPage(browser, server.url);
    await serveBarePage(context);
    const tiles: Timing[] = [];
    const bare: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      // The order alternates, because the second run finds the files cached and the processor warm.
      if (n % 2 === 0) bare.push(await bareWorkers(page, files));
      tiles.push(await guestPage(page, code, files));
      if (n % 2 === 1) bare.push(await bareWorkers(page, files));
    }
    const shown = tiles.map(({ all }) => all);
    note(`bare workers ${bare.map((ms) => `${round(ms)} ms`).join(', ')}; tiles ${shown.map((ms) => `${round(ms)} ms`).join(', ')}`);
    promise(`${PHOTOS} tiles of 12 MP photos / bare workers`, median(shown) / median(bare), '<=', 1.3);
    promise('longest task meanwhile', median(tiles.map(({ longest }) => longest)), '<=', 100, ' ms');
  } finally {
    await browser.close();
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

async function writePhotos(folder: string): Promise<string[]> {
  const photos = await benchPhotos(DIFFERENT);
  const paths = Array.from({ length: PHOTOS }, (_, n) => join(folder, `IMG_${n}.jpg`));
  await Promise.all(paths.map((path, n) => writeFile(path, photos[n % photos.length] as Buffer)));
  return paths;
}

async function serveBarePage(context: BrowserContext): Promise<void> {
  await context.route('**/bare', (route) => route.fulfill({ body: BARE_PAGE, contentType: 'text/html' }));
  await context.route('**/bare.js', (route) => route.fulfill({ body: BARE_WORKER, contentType: 'text/javascript' }));
}

/** Measures the time from the choice of the files to the last answer, ms. */
async function bareWorkers(page: Page, files: string[]): Promise<number> {
  await page.goto('/bare');
  const done = page.evaluate(
    (count) =>
      new Promise<number>((resolve) => {
        const input = document.querySelector('input') as HTMLInputElement;
        input.addEventListener('change', () => {
          const started = performance.now();
          const queue = [...(input.files ?? [])];
          let left = queue.length;
          for (let n = 0; n < count; n++) {
            const worker = new Worker('/bare.js');
            const next = (): void => {
              const file = queue.shift();
              if (file) worker.postMessage(file);
            };
            worker.addEventListener('message', () => {
              if (--left === 0) resolve(performance.now() - started);
              next();
            });
            next();
          }
        });
      }),
    PICKER_THUMBNAIL_WORKERS,
  );
  await page.locator('input').setInputFiles(files);
  return done;
}

async function guestPage(page: Page, code: string, files: string[]): Promise<Timing> {
  await page.goto(`/event/${code}`);
  await page.locator('input[type=file]').waitFor({ state: 'attached' });
  const done = page.evaluate(
    (count) =>
      new Promise<Timing>((resolve) => {
        document.addEventListener(
          'change',
          () => {
            const started = performance.now();
            let longest = 0;
            const observer = new PerformanceObserver((list) => {
              for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
            });
            observer.observe({ type: 'longtask' });
            const look = (): void => {
              const pictures = [...document.querySelectorAll<HTMLImageElement>('main li img')];
              if (pictures.length < count || !pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)) {
                requestAnimationFrame(look);
                return;
              }
              observer.disconnect();
              resolve({ all: performance.now() - started, longest });
            };
            look();
          },
          { capture: true, once: true },
        );
      }),
    files.length,
  );
  await page.locator('input[type=file]').setInputFiles(files);
  return done;
}
