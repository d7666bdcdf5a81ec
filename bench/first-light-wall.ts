import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import type { Browser } from 'playwright';
import { adminOf, createEvent, deviceOf, hostOf, upload } from '../e2e/support/api.ts';
import { DESKTOP, launchBrowser, openPage } from '../e2e/support/browser.ts';
import { takeOver } from '../e2e/support/login.ts';
import { startProxy } from '../e2e/support/proxy.ts';
import { startServer, type TestServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, type BenchFile } from './support/load.ts';
import { note, promise, round } from './support/report.ts';

/** 1 Mbit/s and a round trip of 150 ms. */
const LINE = { bytesPerSecond: 125_000, delayMs: 75 };
/** Photos of each size, in sequence, and rounds of three at once. */
const CHOICES = 10;
const TRIPLES = 4;
const TABLE = 30;
/** Photos that the wall already shows; its show goes on. */
const OLDER = 12;
/** Time after which a photo counts as not seen, ms. */
const SEEN_MS = 120_000;
/** Interval between two looks at the wall, ms. */
const LOOK_MS = 25;
/** A guest's time to choose a photo, ms. */
const PICK_MS = 2_000;
/** Photos chosen at once for the film, and its longest duration. */
const FILMED = 10;
const FILM_MS = 60_000;
const FRAME_MS = 200;
const FILM = join(import.meta.dirname, '../e2e/out/first-light-film');

/** Measures the time from the press until the photo is seen on a wall with a running show: half faded in, on a line of its own. */
export async function choiceToWall(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-first-light-'));
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  try {
    const small = (await benchPhotos(1))[0] as Buffer;
    const large = await sharp(small).resize(5656, 4242).jpeg({ quality: 88 }).toBuffer();
    const wall = await openWall(browser, server, small);
    const press = async (photo: Buffer, count: number): Promise<number[]> => {
      const paths = await writtenTo(
        folder,
        Array.from({ length: count }, () => [photo, randomBytes(16)]),
      );
      return wall.press(paths);
    };
    for (const [name, photo] of Object.entries({ '12 MP': small, '24 MP': large })) {
      const seconds: number[] = [];
      while (seconds.length < CHOICES) seconds.push(...(await press(photo, 1)));
      const ordered = seconds.toSorted((a, b) => a - b);
      note(`${name}, ${round(photo.length / 1e6)} MB: ${ordered.map(round).join(', ')} s`);
      const p95 = ordered[Math.ceil(0.95 * CHOICES) - 1] as number;
      promise(`the press to the wall, ${name} at 1 Mbit/s and 150 ms beside a running show, p95`, p95, '<=', 2, ' s');
    }
    const triples: number[] = [];
    for (let n = 0; n < TRIPLES; n++) {
      const seen = await press(small, 3);
      note(`three at once: ${seen.map(round).join(', ')} s`);
      triples.push(...seen);
    }
    promise('the last of three that are chosen at once, on the wall', Math.max(...triples), '<=', 6, ' s');
    const seen = await press(small, TABLE);
    note(`${TABLE} at once: ${seen.map(round).join(', ')} s`);
    promise(`the last of ${TABLE} that are chosen at once, on the wall`, Math.max(...seen), '<=', 60, ' s');
    await wall.close();
  } finally {
    await browser.close();
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a running show, and phones that send to it. */
async function openWall(browser: Browser, server: TestServer, photo: Buffer) {
  const event = await createEvent(await adminOf(server.url));
  const device = await deviceOf(server.url);
  for (let n = 0; n < OLDER; n++) {
    const file = Buffer.concat([await sharp(photo).resize(1600).jpeg().toBuffer(), randomBytes(16)]);
    await upload({ url: server.url, code: event.code, device, file });
  }
  const wall = await openPage(browser, server.url, DESKTOP);
  await takeOver(wall.context, await hostOf(server.url, event), server.url);
  await wall.page.goto(`/slideshow/${event.code}`);
  await wall.page.getByRole('img', { name: /^Foto/ }).first().waitFor();
  const before = new Set<string>();
  const host = await hostOf(server.url, event);
  const listed = async (): Promise<string[]> =>
    (await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/slideshow`)).photos.map(({ id }) => id);
  for (const id of await listed()) before.add(id);
  const older = new Set(before);

  return {
    /** Sends photos from a phone of its own; returns the seconds after which each is seen. */
    async press(paths: string[]): Promise<number[]> {
      const proxy = await startProxy(server.url, LINE);
      const { page, context } = await openPage(browser, proxy.url);
      try {
        await page.goto(`/event/${event.code}`);
        await page.getByRole('checkbox').check();
        await page.waitForFunction(() => localStorage.getItem('device_id') !== null);
        await page.locator('input[type=file]').dispatchEvent('click');
        await pause(PICK_MS);
        const began = performance.now();
        await page.locator('input[type=file]').setInputFiles(paths);
        await page.getByRole('button', { name: `Hochladen (${paths.length})` }).click();
        const seen: number[] = [];
        while (seen.length < paths.length && performance.now() - began < SEEN_MS) {
          for (const id of await wall.page.evaluate(idsInSight)) {
            if (before.has(id)) continue;
            before.add(id);
            seen.push((performance.now() - began) / 1000);
          }
          await pause(LOOK_MS);
        }
        while (seen.length < paths.length) seen.push(Infinity);
        return seen;
      } finally {
        await context.close();
        await proxy.close();
        // A phone that leaves this early leaves uploads open, and a network may have only a few of them.
        for (const id of await listed()) if (!older.has(id)) await host.json('DELETE', `/api/photos/${id}`, undefined, 204);
      }
    },
    close: () => wall.context.close(),
  };
}

/** Lists the photos that are at least half faded in on the top slide of the wall. Runs in its page. */
function idsInSight(): string[] {
  return [...document.images].flatMap((image) => {
    const id = image.alt.startsWith('Foto') && image.naturalWidth > 0 && /photos\/([\w-]+)\//.exec(image.src)?.[1];
    let opacity = 1;
    for (let element: Element | null = image; element; element = element.parentElement)
      opacity *= Number(getComputedStyle(element).opacity);
    return id && opacity >= 0.5 ? [id] : [];
  });
}

/** Films the wall of an event without photos, in frames named by their ms, while a phone on the same line sends ten photos at once. */
export async function film(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-first-light-'));
  await rm(FILM, { recursive: true, force: true });
  await mkdir(FILM, { recursive: true });
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const proxy = await startProxy(server.url, LINE);
  try {
    const event = await createEvent(await adminOf(server.url));
    const paths = await writtenTo(folder, manyOf(await benchPhotos(2), FILMED));
    const wall = await openPage(browser, server.url, DESKTOP);
    await takeOver(wall.context, await hostOf(server.url, event), server.url);
    await wall.page.goto(`/slideshow/${event.code}`);
    await wall.page.getByRole('listitem').first().waitFor();
    const { page } = await openPage(browser, proxy.url);
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
    await page.locator('input[type=file]').dispatchEvent('click');
    await pause(PICK_MS);
    const began = performance.now();
    const ms = (): number => Math.round(performance.now() - began);
    const pressed = page
      .locator('input[type=file]')
      .setInputFiles(paths)
      .then(() => page.getByRole('button', { name: `Hochladen (${FILMED})` }).click());
    /** Seconds at which the wall's page has drawn one more photo. */
    const drawn: number[] = [];
    const counted = () =>
      wall.page.evaluate(() => {
        const pictures = [...document.querySelectorAll('img')].filter(
          ({ src, naturalWidth }) => src.includes('/api/photos/') && naturalWidth > 0,
        );
        return Math.max(pictures.length, ...pictures.map(({ alt }) => Number(/von (\d+)/.exec(alt)?.[1] ?? 0)));
      });
    while (drawn.length < FILMED && ms() < FILM_MS) {
      const at = ms();
      await wall.page.screenshot({ path: join(FILM, `${String(at).padStart(6, '0')}.jpg`), type: 'jpeg', quality: 70 });
      const now = await counted();
      while (drawn.length < now) drawn.push(ms() / 1000);
      await pause(Math.max(0, FRAME_MS - (ms() - at)));
    }
    await pressed;
    const { photos: there } = await (
      await hostOf(server.url, event)
    ).json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/slideshow`);
    note(
      `on the wall after ${drawn.map(round).join(', ')} s, of which ${there.filter(({ state }) => state === 'announced').length} still by their previews; ${FILM}`,
    );
    promise(
      `the first of ${FILMED} that are chosen at once, drawn on the wall at 1 Mbit/s and 150 ms`,
      drawn[0] ?? Infinity,
      '<=',
      2,
      ' s',
    );
    promise('those that the wall has drawn or counts at its end', drawn.length, '>=', FILMED);
  } finally {
    await browser.close();
    await proxy.close();
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

function writtenTo(folder: string, photos: BenchFile[]): Promise<string[]> {
  return Promise.all(
    photos.map(async (photo, n) => {
      const path = join(folder, `IMG_${randomBytes(4).toString('hex')}_${n}.jpg`);
      await writeFile(path, photo);
      return path;
    }),
  );
}
