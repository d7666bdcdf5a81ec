import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { adminOf, createEvent, hostOf, upload, type EventUnderTest } from '../e2e/support/api.ts';
import { launchBrowser, openPage } from '../e2e/support/browser.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import { startProxy, type Proxy } from '../e2e/support/proxy.ts';
import { startServer, type TestServer } from '../e2e/support/server.ts';
import { median } from './support/median.ts';
import { note, promise, round } from './support/report.ts';

const PHOTOS = 60;
/**
 * Bytes of a photo as phones take them: the bench takes some nine minutes. With BENCH_PHOTO_MB=1.5 it takes four, but each cut weighs three
 * times as much.
 */
const PHOTO_BYTES = Number(process.env.BENCH_PHOTO_MB ?? 5) * 1_000_000;
/** 8 Mbit/s and a round trip of 150 ms. */
const LINE = { bytesPerSecond: 1_000_000, delayMs: 75 };
const CUTS = 20;
const SILENCES = 3;
const SILENCE_MS = 20_000;
const KILLED_TABS = 2;
const KNOWN = 200;
const DONE_MS = 15 * 60_000;

/** BENCH_PARTS=known runs that part alone. */
const PARTS = (process.env.BENCH_PARTS ?? 'line,known').split(',');

type Fault = 'cut' | 'silence' | 'tab' | 'kill' | 'node';

/** Sends a phone's photos over a bad line, and photos that the server already has, through the real page and server. */
export async function benchBadNetwork(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-bad-network-'));
  const data = await mkdtemp(join(tmpdir(), 'feierbild-bad-network-data-'));
  const browser = await launchBrowser();
  try {
    if (PARTS.includes('line')) await badLine(browser, folder, data);
    if (PARTS.includes('known')) await knownAgain(browser, folder);
  } finally {
    await browser.close();
    await Promise.all([folder, data].map((path) => rm(path, { recursive: true, force: true })));
  }
}

async function badLine(browser: Browser, folder: string, data: string): Promise<void> {
  let server = await startServer({ DATA_DIR: data });
  const proxy = await startProxy(server.url, LINE);
  const event = await createEvent(await adminOf(server.url));
  const { context, page: first } = await openPage(browser, proxy.url);
  let page = first;
  const returns: number[] = [];
  try {
    const paths = await photos(folder, PHOTOS, PHOTO_BYTES);
    await choose(page, event, paths);
    const before = proxy.sent();
    const started = Date.now();
    await page.getByRole('button', { name: `Hochladen (${PHOTOS})` }).click();
    const total = PHOTOS * PHOTO_BYTES;
    for (const [n, fault] of order().entries()) {
      // The faults are spread over the first nine tenths of the bytes.
      const at = (0.9 * (n + 0.5 + Math.random() * 0.5) * total) / order().length;
      if (!(await reached(proxy, before + at))) break;
      if (fault === 'tab') page = await killTab(page, context, event);
      else if (fault === 'cut') proxy.cut();
      else if (fault === 'silence') {
        proxy.become('paused');
        await pause(SILENCE_MS);
        proxy.become('open');
      } else if (fault === 'kill') await server.restart();
      else server = await changeNode(server, proxy, data);
      if (fault !== 'tab') returns.push(await nextByte(proxy));
    }
    const again = page.getByText('bitte noch einmal auswählen');
    const done = page.getByRole('button', { name: '✓ Hochgeladen' });
    await done.or(again).first().waitFor({ timeout: DONE_MS });
    if (await again.isVisible()) {
      // The device had no room for a copy of all; its guest follows the page's request.
      note(`chosen again after a killed tab: ${await again.innerText()}`);
      await page.locator('input[type=file]').setInputFiles(paths);
      await page.getByRole('button', { name: /^Hochladen/ }).click();
    }
    await done.waitFor({ timeout: DONE_MS });
    const sent = proxy.sent() - before;
    const host = await hostOf(server.url, event);
    const stats = await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`);
    note(
      `${PHOTOS} photos of ${round(PHOTO_BYTES / 1e6)} MB in ${round((Date.now() - started) / 1000)} s; bare line: ${round(total / LINE.bytesPerSecond)} s`,
    );
    promise('photos lost', Math.max(0, PHOTOS - stats.total_photos), '<=', 0);
    promise('photos twice', Math.max(0, stats.total_photos - PHOTOS), '<=', 0);
    promise('bytes sent / bytes of the photos', sent / total, '<=', 1.05);
    promise('from the return of the line to the next byte, median', median(returns), '<=', 2, ' s');
    promise('the same, worst', Math.max(...returns), '<=', 5, ' s');
  } finally {
    await context.close();
    await proxy.close();
    await server.dispose();
  }
}

/** Returns the faults in a fixed order. */
function order(): Fault[] {
  const cuts: Fault[] = Array.from({ length: CUTS }, () => 'cut');
  const others: Fault[] = ['kill', 'node', ...Array<Fault>(SILENCES).fill('silence'), ...Array<Fault>(KILLED_TABS).fill('tab')];
  others.forEach((fault, n) => cuts.splice(2 + n * 4, 0, fault));
  return cuts;
}

async function choose(page: Page, event: EventUnderTest, paths: string[]): Promise<void> {
  await page.goto(`/event/${event.code}`);
  await page.locator('input[type=file]').setInputFiles(paths);
  await page.getByRole('checkbox').check();
}

/** Waits until this many bytes were sent; false: everything was done before. */
async function reached(proxy: Proxy, bytes: number): Promise<boolean> {
  const giveUp = Date.now() + DONE_MS;
  while (proxy.sent() < bytes) {
    if (Date.now() > giveUp || Date.now() - proxy.lastSent() > 90_000) return false;
    await pause(20);
  }
  return true;
}

async function killTab(page: Page, context: BrowserContext, event: EventUnderTest): Promise<Page> {
  const crashed = page.waitForEvent('crash');
  const session = await context.newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
  const next = await context.newPage();
  await next.goto(`/event/${event.code}`);
  return next;
}

/** Replaces the node by another process at another address, on the same data. */
async function changeNode(server: TestServer, proxy: Proxy, data: string): Promise<TestServer> {
  await server.stop();
  const next = await startServer({ DATA_DIR: data });
  proxy.lead(next.url);
  return next;
}

/** Returns the seconds until the next byte leaves. */
async function nextByte(proxy: Proxy): Promise<number> {
  const from = Date.now();
  while (proxy.lastSent() <= from && Date.now() - from < 120_000) await pause(5);
  return (Date.now() - from) / 1000;
}

async function knownAgain(browser: Browser, folder: string): Promise<void> {
  const server = await startServer();
  const proxy = await startProxy(server.url, LINE);
  const { context, page } = await openPage(browser, proxy.url);
  try {
    const event = await createEvent(await adminOf(server.url));
    const paths = await photos(folder, KNOWN, 100_000);
    await choose(page, event, paths);
    await page.waitForFunction(() => localStorage.getItem('device_id') !== null);
    const device = await page.evaluate(() => localStorage.getItem('device_id') ?? '');
    for (let n = 0; n < KNOWN; n++) {
      const file = await picture(n, 100_000);
      const answer = await upload({ url: server.url, code: event.code, device, file });
      if (answer.status !== 201) throw new Error(`photo ${n}: ${answer.status}`);
    }
    const before = proxy.sent();
    const started = Date.now();
    await page.getByRole('button', { name: `Hochladen (${KNOWN})` }).click();
    await page.getByText(`${KNOWN} Fotos sind angekommen.`).waitFor({ timeout: DONE_MS });
    promise(`${KNOWN} known photos chosen again: bytes sent`, (proxy.sent() - before) / 1000, '<=', 100, ' KB');
    promise('the same: time, with their hashing', (Date.now() - started) / 1000, '<=', 5, ' s');
  } finally {
    await context.close();
    await proxy.close();
    await server.dispose();
  }
}

const drawn = new Map<string, Buffer>();

/** Draws a picture that is different for each number, but the same each time; bytes behind its end fill it up, as with cameras. */
async function picture(n: number, bytes: number): Promise<Buffer> {
  const before = drawn.get(`${n} ${bytes}`);
  if (before) return before;
  const start = await drawPhoto(n, 320, 240);
  const made = Buffer.concat([start, Buffer.alloc(Math.max(0, bytes - start.length), n)]);
  drawn.set(`${n} ${bytes}`, made);
  return made;
}

async function photos(folder: string, count: number, bytes: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, n) => join(folder, `IMG_${bytes}_${n}.jpg`));
  for (const [n, path] of paths.entries()) await writeFile(path, await picture(n, bytes));
  return paths;
}
