import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { adminOf, createEvent, hostOf, type EventUnderTest } from '../e2e/support/api.ts';
import { DESKTOP, launchBrowser, openPage } from '../e2e/support/browser.ts';
import { takeOver } from '../e2e/support/login.ts';
import { startProxy } from '../e2e/support/proxy.ts';
import { startServer, type TestServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, type BenchFile } from './support/load.ts';
import { note, promise, round } from './support/report.ts';

/** 1 Mbit/s and 150 ms there and back. */
const LINE = { bytesPerSecond: 125_000, delayMs: 75 };
/** One after the other, of each size. */
const CHOICES = 10;
const SHOWN_MS = 30_000;
/** Whoever chooses takes some seconds for it. */
const PICK_MS = 2_000;
/** Chosen at once for the film, and how long that is at most. */
const FILMED = 10;
const FILM_MS = 60_000;
const FRAME_MS = 200;
const FILM = join(import.meta.dirname, '../e2e/out/first-light-film');

/** From the press, with the tick given, until the slideshow's list has the photo: its picture comes over a line of its own. */
export async function choiceToWall(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-first-light-'));
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  try {
    const small = (await benchPhotos(1))[0] as Buffer;
    const large = await sharp(small).resize(5656, 4242).jpeg({ quality: 88 }).toBuffer();
    for (const [name, photo] of Object.entries({ '12 MP': small, '24 MP': large })) {
      const seconds: number[] = [];
      for (let n = 0; n < CHOICES; n++) {
        const event = await createEvent(await adminOf(server.url));
        const proxy = await startProxy(server.url, LINE);
        const path = join(folder, `IMG_${name}_${n}.jpg`);
        await writeFile(path, Buffer.concat([photo, randomBytes(16)]));
        seconds.push(await untilShown(browser, server, proxy.url, event, path));
        await proxy.close();
      }
      const ordered = seconds.toSorted((a, b) => a - b);
      note(`${name}, ${round(photo.length / 1e6)} MB: ${ordered.map(round).join(', ')} s`);
      promise(
        `the choice to the wall, ${name} at 1 Mbit/s and 150 ms, p95`,
        ordered[Math.ceil(0.95 * CHOICES) - 1] as number,
        '<=',
        2,
        ' s',
      );
    }
  } finally {
    await browser.close();
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

async function untilShown(
  browser: Awaited<ReturnType<typeof launchBrowser>>,
  server: TestServer,
  line: string,
  event: EventUnderTest,
  path: string,
): Promise<number> {
  const host = await hostOf(server.url, event);
  const { page, context } = await openPage(browser, line);
  try {
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
    await page.waitForFunction(() => localStorage.getItem('device_id') !== null);
    // Whoever chooses takes some seconds for it.
    await page.locator('input[type=file]').dispatchEvent('click');
    await pause(PICK_MS);
    const began = performance.now();
    await page.locator('input[type=file]').setInputFiles([path]);
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    while (performance.now() - began < SHOWN_MS) {
      const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/slideshow`);
      if (photos.length > 0) return (performance.now() - began) / 1000;
      await pause(20);
    }
    return Infinity;
  } finally {
    await context.close();
  }
}

/** The wall of an event without photos, in frames that are named by their ms, while a phone on the same line sends ten at once. */
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
    /** When the wall's page has drawn one photo more, by how many it has. */
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
      const path = join(folder, `IMG_${n}.jpg`);
      await writeFile(path, photo);
      return path;
    }),
  );
}
