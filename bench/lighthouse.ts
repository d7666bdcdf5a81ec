import type { BrowserContext } from 'playwright';
import lighthouse, { type Result } from 'lighthouse';
import { adminOf, createEvent, deviceOf, hostOf, OPEN_GALLERY, upload, type EventUnderTest } from '../e2e/support/api.ts';
import { launchOpenBrowser } from '../e2e/support/browser.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import { startServer } from '../e2e/support/server.ts';
import { freePort } from '../server/src/testing/system.ts';

import { median } from './support/median.ts';
import { note, promise } from './support/report.ts';

/** Limits for a page: Lighthouse's scores (0 to 100), the largest paint (ms), the sum of layout shifts. */
interface Limits {
  performance: number;
  accessibility: number;
  'best-practices': number;
  seo?: number;
  lcp?: number;
  cls: number;
}

const GUEST: Limits = { performance: 95, accessibility: 100, 'best-practices': 100, cls: 0.02 };
const EVENT: Limits = { ...GUEST, lcp: 1500 };
const GALLERY: Limits = { ...GUEST, lcp: 3000 };
const PUBLIC: Limits = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100, lcp: 1500, cls: 0 };
/** HTML, styles and scripts of the start page as transferred, bytes. */
const START_PAGE_WEIGHT = 120 * 1024;
const RUNS = 3;
const MY_PHOTOS = 6;

const pagesOf = (code: string): Record<string, Limits> => ({
  [`/event/${code}`]: EVENT,
  [`/galerie/${code}`]: GALLERY,
  '/join': GUEST,
  '/login': GUEST,
  '/': PUBLIC,
  '/create': PUBLIC,
  '/kontakt': PUBLIC,
  '/agb': PUBLIC,
  '/datenschutz': PUBLIC,
  '/impressum': PUBLIC,
});

/** Runs Lighthouse's phone profile (simulated slow 4G, CPU four times slower) on the pages that guests and strangers see; medians. */
export async function benchLighthouse(): Promise<void> {
  const port = await freePort();
  // Pages have the tags for search engines and shared links only if PUBLIC_URL is set.
  const [server, browser] = await Promise.all([startServer((url) => ({ PUBLIC_URL: url })), launchOpenBrowser(port)]);
  try {
    const event = await createEvent(await adminOf(server.url));
    const { code } = event;
    await uploadFromHere(browser, server.url, code);
    await openToGuests(browser, server.url, event);
    for (const [path, limits] of Object.entries(pagesOf(code))) await measure(server.url + path, path, limits, port);
  } finally {
    await browser.close();
    await server.dispose();
  }
}

/** Uploads photos of this browser's device, so that the guest's page shows them. */
async function uploadFromHere(browser: BrowserContext, url: string, code: string): Promise<void> {
  const device = await deviceOf(url);
  for (let n = 0; n < MY_PHOTOS; n++) await upload({ url, code, device, file: await drawPhoto(n) });
  const page = await browser.newPage();
  await page.goto(`${url}/impressum`);
  await page.evaluate((id) => localStorage.setItem('device_id', id), device);
  await page.close();
}

/** Opens the event's gallery, and lets this browser in. */
async function openToGuests(browser: BrowserContext, url: string, event: EventUnderTest): Promise<void> {
  const host = await hostOf(url, event);
  const link = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
  const page = await browser.newPage();
  await page.goto(new URL(link.url, url).href);
  await page.locator('[data-photo]').first().waitFor();
  await page.close();
}

async function measure(url: string, path: string, limits: Limits, port: number): Promise<void> {
  const runs: Result[] = [];
  for (let attempt = 0; runs.length < RUNS; attempt++) {
    const result = await lighthouse(url, { port, logLevel: 'error', output: 'json' });
    if (result && !result.lhr.runtimeError) runs.push(result.lhr);
    // Sometimes the recording misses the start of the page; then Lighthouse asks for another run.
    else if (attempt > 2 * RUNS) throw new Error(`${path}: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
  }
  const name = path.replace(/^\/(event|galerie)\/.*/, '/$1/{code}');
  for (const category of ['performance', 'accessibility', 'best-practices', 'seo'] as const) {
    const limit = limits[category];
    if (limit !== undefined)
      promise(`${name}: ${category}`, median(runs.map((lhr) => 100 * (lhr.categories[category]?.score ?? 0))), '>=', limit);
  }
  if (limits.lcp) promise(`${name}: largest paint`, median(runs.map(numeric('largest-contentful-paint'))), '<=', limits.lcp, ' ms');
  promise(`${name}: layout shift`, median(runs.map(numeric('cumulative-layout-shift'))), '<=', limits.cls);
  if (path === '/') promise(`${name}: HTML, styles and scripts`, weight(runs[0] as Result) / 1024, '<=', START_PAGE_WEIGHT / 1024, ' KB');
  for (const line of failures(runs[0] as Result)) note(line);
}

const numeric =
  (audit: string) =>
  ({ audits }: Result): number =>
    audits[audit]?.numericValue ?? Number.NaN;

function weight({ audits }: Result): number {
  const requests = audits['network-requests']?.details as { items: { resourceType: string; transferSize: number }[] } | object | undefined;
  if (!requests || !('items' in requests)) return Number.NaN;
  // Pages fetch code before they import it (web/src/start.ts).
  return requests.items
    .filter(({ resourceType }) => ['Document', 'Stylesheet', 'Script', 'Fetch'].includes(resourceType))
    .reduce((sum, { transferSize }) => sum + transferSize, 0);
}

/** Lists the audits that a page fails, except those about speed, which the numbers show. */
function failures({ audits, categories }: Result): string[] {
  const ids = ['accessibility', 'best-practices', 'seo'].flatMap((name) => categories[name]?.auditRefs ?? []).map(({ id }) => id);
  return ids.filter((id) => audits[id]?.score === 0).map((id) => `${audits[id]?.title}`);
}
