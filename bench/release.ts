import type { Page } from 'playwright';
import { adminOf, createEvent, deviceOf, hostOf, type Client } from '../e2e/support/api.ts';
import { launchBrowser, openPage } from '../e2e/support/browser.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import { startServer } from '../e2e/support/server.ts';
import { manyOf, runLoad } from './support/load.ts';
import { note, promise, round } from './support/report.ts';

/** Photos of a long day; the last COME_LATER arrive during the decisions. */
const PHOTOS = 2000;
const COME_LATER = 200;
const PICTURES = 20;
const WIDTH = 1200;
const HEIGHT = 900;
const DEVICES = 10;
/** Decisions after which one is taken back and made again. */
const UNDO_EVERY = 50;
const SLOWER_PHONE = 4;
const PER_PAGE = 100;

/**
 * Measures the release of a day's 2,000 photos by a helper's thumb: on a slow phone at 390 px, „Zeigen“ or „Nicht zeigen“ is tapped as soon
 * as a photo is drawn. At the end the host's list is compared with the taps.
 */
export async function benchRelease(): Promise<void> {
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  try {
    const { url } = server;
    const event = await createEvent(await adminOf(url));
    const host = await hostOf(url, event);
    await host.json('PUT', `/api/events/${event.code}/release`, { value: true });
    const helper = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    const devices = await Promise.all(Array.from({ length: DEVICES }, () => deviceOf(url)));
    const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, n) => drawPhoto(n, WIDTH, HEIGHT)));
    const files = manyOf(pictures, PHOTOS, 'release');
    const later = files.splice(PHOTOS - COME_LATER);
    const { statuses } = await runLoad({ url, code: event.code, devices, connections: 6, files });
    note(`${PHOTOS - COME_LATER} photos stored: ${JSON.stringify(statuses)}`);

    const { page, context } = await openPage(browser, url);
    const cpu = await context.newCDPSession(page);
    await cpu.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PHONE });
    await page.goto(helper.url);
    const wanted = new Map<string, boolean>();
    const waits: number[] = [];
    const began = performance.now();
    let coming: Promise<unknown> = Promise.resolve();
    for (let last = ''; wanted.size < PHOTOS;) {
      const asked = performance.now();
      const id = await nextDrawn(page, (drawn) => drawn !== last);
      waits.push(performance.now() - asked);
      const shown = wanted.size % 3 !== 0;
      if (wanted.size % UNDO_EVERY === 0) {
        await tap(page, shown ? 'Nicht zeigen' : 'Zeigen');
        await tap(page, 'Zurück');
        await nextDrawn(page, (drawn) => drawn === id);
      }
      await tap(page, shown ? 'Zeigen' : 'Nicht zeigen');
      wanted.set(id, shown);
      last = id;
      const file = wanted.size % Math.floor((PHOTOS - COME_LATER) / COME_LATER) === 0 ? later.pop() : undefined;
      if (file) coming = Promise.all([coming, runLoad({ url, code: event.code, devices, connections: 1, files: [file] })]);
    }
    const minutes = (performance.now() - began) / 60_000;
    await page.getByRole('heading', { name: 'Alles entschieden' }).waitFor();
    await coming;
    await page.waitForLoadState('networkidle');
    const slowest = waits.toSorted((one, other) => one - other);
    note(`${round(minutes)} minutes; a photo is drawn after p50 ${round(at(slowest, 0.5))}, p95 ${round(at(slowest, 0.95))} ms`);
    promise('photos decided in a minute', PHOTOS / minutes, '>=', 60);

    const stored = await allPhotos(host, event.code);
    const wrong = stored.filter(({ id, slideshow, waiting }) => waiting === true || slideshow !== wanted.get(id));
    promise('photos of the event', stored.length, '>=', PHOTOS);
    promise('photos that are not as they were decided', wrong.length, '<=', 0);
    await context.close();
  } finally {
    await browser.close();
    await server.dispose();
  }
}

/** Waits until a wanted photo is drawn. Returns its id. */
async function nextDrawn(page: Page, isMeant: (id: string) => boolean): Promise<string> {
  for (;;) {
    const id = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const look = (): void => {
            const image = document.querySelector<HTMLImageElement>('figure img');
            const id = image?.complete && image.naturalWidth > 0 ? /photos\/([^/]+)\//.exec(image.src)?.[1] : undefined;
            if (id === undefined) requestAnimationFrame(look);
            else resolve(id);
          };
          look();
        }),
    );
    if (isMeant(id)) return id;
  }
}

interface Decided {
  id: string;
  slideshow: boolean;
  waiting?: true;
}

async function allPhotos(host: Client, code: string): Promise<Decided[]> {
  const all: Decided[] = [];
  for (let after = 0; ;) {
    const path = `/api/events/${code}/photos?after=${after}&per_page=${PER_PAGE}`;
    const { photos, next } = await host.json<{ photos: Decided[]; next: number }>('GET', path);
    all.push(...photos);
    after = next;
    if (photos.length < PER_PAGE) return all;
  }
}

function tap(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).tap();
}

function at(sorted: number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] as number;
}
