import type { Browser, Page, Request } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, hostOf, type Client, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';
import { REFUSALS, startWrongAnswers, STRIPPED, type Wrong } from './support/wrong-answers.ts';

/** Limit of a visit, in the page's time. */
const LIMIT_MS = 45_000;
const STEP_MS = 1_000;
/** Real time after which a request counts as hanging; the page's own limits have to end it. */
const HANGS_MS = 30_000;
const PASSWORD = 'Größe 100%';
/** Visits at once, each with a page and a proxy of its own. */
const AT_ONCE = 7;

/** Refused requests of each row: calls of a visit, or methods of any call. Few are together, because each silence lasts for its limit. */
const ROWS: Record<string, RegExp> = {
  'GET of the device': /^GET \/device_id$/,
  'GET of what is good to know': /^GET \/(health|event\/:code\/max|api\/events\/:ref\/my-photos)$/,
  POST: /^POST /,
  'POST of what is known, and PUT': /^(POST \/api\/events\/:ref\/known$|PUT )/,
  'POST of forms': /^POST \/upload$/,
  'POST of beginnings': /^POST \/uploads$/,
  'every call': /^/,
  'all but GET and POST': /^(PUT|PATCH|HEAD|DELETE) /,
  'all but GET and POST, also in the place of others': /^(PUT|PATCH|HEAD|DELETE|POST as) /,
};
/** Refusals that look like a server in trouble: a page cannot know that both ways are refused for good. */
const LIKE_TROUBLE: ReadonlySet<Wrong> = new Set(['502', 'silence', 'a cut in the middle']);
/** Rows without which nothing can be sent: the page names the missing one, and a remedy. */
const NEEDED = new Set(['GET of the device', 'POST']);
const TOLD = /Ein anderes Netz hilft|Gerätefehler|lässt sich gerade nicht öffnen|Wartet auf (den Server|Netz)/;

const AS = (request: Request): string => {
  const named = request.headers()['x-http-method-override'];
  return named === undefined ? '' : ` as ${named}`;
};
/** Names a call as the contract does, as far as calls in `ROWS` have parameters. */
const callOf = (request: Request): string =>
  `${request.method()}${AS(request)} ${new URL(request.url()).pathname}`
    .replace(/\/event\/\w+/, '/event/:code')
    .replace(/\/events\/\w+/, '/events/:ref')
    .replace(/\/uploads\/[\w-]+/, '/uploads/:key');

interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Returns a wait for the end of all requests but hanging ones, so that the page's time passes only while the server is idle. */
function watch(page: Page, isEndless: (request: Request) => boolean): () => Promise<void> {
  const open = new Map<Request, number>();
  page.on('request', (request) => isEndless(request) || open.set(request, performance.now()));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  // The page reads no body of the answer to a DELETE, so the browser reports no end of that request.
  page.on('response', (answer) => /DELETE/.test(callOf(answer.request())) && open.delete(answer.request()));
  const isBusy = (): boolean => [...open.values()].some((began) => performance.now() - began < HANGS_MS);
  return async () => {
    // After two frames, the requests that an answer leads to have begun.
    const settle = () => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await settle();
    while (isBusy()) await settle();
  };
}

/** Takes a minute or two, since each row is a visit of a page. */
describe('photos arrive although a stranger on the way refuses for good', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  /** An event with a password for guests. */
  let locked: EventUnderTest;
  let host: Client;
  let files: Chosen[];
  /** A file like a HEIC in most browsers: the page draws no preview, so no other file tells the run how much gets through. */
  let undrawn: Chosen[];

  useServer(async (started) => {
    ({ server, browser } = started);
    const admin = await adminOf(server.url);
    event = await createEvent(admin);
    locked = await createEvent(admin, { with_upload_password: true, user_upload_password: PASSWORD });
    host = await hostOf(server.url, event);
    const padded = async (seed: number, bytes: number) => Buffer.concat([await drawPhoto(seed, 640, 480), Buffer.alloc(bytes, seed)]);
    files = [
      { name: 'small.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(1, 320, 240) },
      { name: 'previewed.jpg', mimeType: 'image/jpeg', buffer: await padded(2, 1_500_000) },
      // The page does not take this file for a picture, so it draws no preview.
      { name: 'large', mimeType: '', buffer: await padded(3, 4_500_000) },
    ];
    undrawn = [{ name: 'IMG_0001', mimeType: '', buffer: await padded(4, 2_500_000) }];
  });

  /** Runs one guest's visit; returns a description of its failure, or null. */
  async function visit(refused: string, how: Wrong, { chosen = files, path = `/event/${event.code}` } = {}): Promise<string | null> {
    const proxy = await startWrongAnswers(server.url);
    const name = `${refused} ${how}`;
    const { page, context } = await openPage(browser, proxy.url);
    try {
      await page.clock.install();
      const isOver = watch(page, (request) => how === 'silence' && ROWS[refused]!.test(callOf(request)));
      proxy.become(how, Infinity, (call) => ROWS[refused]!.test(call));
      await page.goto(path);
      await page.getByLabel('Dein Name').fill(name);
      await page.locator('input[type=file]').setInputFiles(chosen);
      await page.getByRole('checkbox').check();
      const button = page.getByRole('button', { name: `Hochladen (${chosen.length})` });
      const said = page.getByText(TOLD).first();
      let isPressed = false;
      for (let passedMs = 0; passedMs <= LIMIT_MS; passedMs += STEP_MS) {
        if (!isPressed && (await button.isVisible()) && (await button.isEnabled())) {
          await button.click();
          isPressed = true;
        }
        if (await page.getByText(/^(1 Foto ist|3 Fotos sind) angekommen\.$/).isVisible()) return null;
        if (NEEDED.has(refused) && !how.endsWith('above 1 MB') && (await said.isVisible())) return null;
        await isOver();
        await page.clock.runFor(STEP_MS);
      }
      return `${name}: ${(await page.locator('main').innerText()).replaceAll('\n', ' | ').slice(0, 400)}`;
    } catch (error) {
      return `${name}: ${String(error).slice(0, 300)}`;
    } finally {
      await context.close().catch(() => undefined);
      proxy.close();
    }
  }

  it.each(REFUSALS)('by %s', async (how) => {
    const rows = Object.keys(ROWS).filter((row) => row !== 'every call' && !(row.includes('in the place of') && LIKE_TROUBLE.has(how)));
    const wrong: string[] = [];
    const next = async (): Promise<void> => {
      for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
        const trouble = await visit(row, how);
        if (trouble !== null) wrong.push(trouble);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    expect(wrong).toEqual([]);
  });

  it('by a cut above 1 MB, where no preview has begun them', async () => {
    expect(await visit('POST', 'a cut above 1 MB', { chosen: undrawn })).toBeNull();
  });

  it.each(STRIPPED)('by %s', async (how) => {
    expect(await visit('every call', how)).toBeNull();
  });

  it.each(STRIPPED)('by %s, where guests need a password', async (how) => {
    expect(await visit('every call', how, { path: `/event/${locked.code}?password=${encodeURIComponent(PASSWORD)}` })).toBeNull();
  });

  it('each once', async () => {
    const { photos } = await host.json<{ photos: { device: { name: string }; filename: string }[] }>(
      'GET',
      `/api/events/${event.code}/photos`,
    );
    const twice = photos.map(({ device, filename }) => `${device.name}: ${filename}`);
    expect(twice.filter((one, n) => twice.indexOf(one) !== n)).toEqual([]);
  });
});
