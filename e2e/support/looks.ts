import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { compare, type Comparison } from './picture.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOOKS = join(ROOT, 'e2e/looks');
const FAILED = join(ROOT, 'e2e/out/looks');
const UPDATE = process.env.UPDATE_LOOKS === '1';

export interface View {
  width: number;
  height: number;
  scale: number;
}

const KEPT = '.webp';

/** The windows in which pages are compared. A kept picture has `scale` of the page's size; its blocks are 8 CSS pixels. */
export const VIEWS: readonly View[] = [
  { width: 390, height: 844, scale: 1 },
  { width: 768, height: 1024, scale: 0.5 },
  { width: 1440, height: 900, scale: 0.5 },
];
const BLOCK = 8;
/** Limit for a page to load everything; it is shorter once pictures have differed. */
const WAIT_MS = 40_000;
/** The browser's time, the same as in `fixed-day.ts`. */
const NOW = new Date('2026-05-16T14:30:10+02:00');
/**
 * Hides elements that blink or are drawn by the system, and paints over QR codes, which contain addresses of this run. Parts below the
 * window are rendered at once, because a slow machine would take the picture without them.
 */
const STILL = `
  * { content-visibility: visible !important; }
  svg:has(path[shape-rendering]) { background: #999 !important; }
  svg:has(path[shape-rendering]) * { visibility: hidden !important; }
  * { caret-color: transparent !important; scrollbar-width: none !important; }
  ::-webkit-scrollbar { display: none !important; }
  ::-webkit-datetime-edit { visibility: hidden; }`;

export interface Look {
  /** Height of the compared part in CSS pixels from the top; without it, the visible part. */
  height?: number;
  /** Gives the window the page's height: lengths of paper follow the window's width, which Chromium changes for a larger picture. */
  isPaper?: boolean;
  /** Texts that differ in each run, and their replacements. */
  words?: Record<string, string>;
}

export interface Looks {
  /** Compares the page at each width to its stored picture; `differences` returns the result. */
  look(page: Page, name: string, options?: Look): Promise<void>;
  /** Differences found since the last call. */
  differences(): string[];
  /** Kept pictures that no page was compared to. */
  unused(): Promise<string[]>;
}

/** Opens a page of a new person, in which nothing moves and it is always the same day. */
export async function stillPage(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'de-DE', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
  await context.clock.setFixedTime(NOW);
  return context.newPage();
}

/** Compares pages to the pictures in a folder of `e2e/looks`; with UPDATE_LOOKS=1 replaces different ones. */
export function createLooks({ folder, views = VIEWS }: { folder: string; views?: readonly View[] }): Looks {
  const keptIn = join(LOOKS, folder);
  const failedIn = join(FAILED, folder);
  const seen = new Set<string>();
  let found: string[] = [];

  async function lookAt(page: Page, name: string, view: View, { height, isPaper = false, words = {} }: Look): Promise<void> {
    const file = join(keptIn, name + KEPT);
    const kept = existsSync(file) ? await readFile(file) : null;
    const take = async (): Promise<Buffer> => {
      if (!isPaper || height === undefined) {
        await settle(page, words);
        return shoot(page, view, height);
      }
      await page.setViewportSize({ width: view.width, height: view.height });
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      const window = { width: view.width, height: Math.min(whole, height) };
      await page.setViewportSize(window);
      await settle(page, words);
      return shoot(page, { ...view, ...window });
    };
    const until = performance.now() + (UPDATE || found.length > 0 ? WAIT_MS / 4 : WAIT_MS);
    let actual = await take();
    let result: Comparison | null = null;
    while (kept) {
      result = await compareLooks(kept, actual, view);
      if (result.alike) return;
      if (performance.now() > until) break;
      await wait(100);
      actual = await take();
    }
    if (UPDATE) {
      // Only its looks tell that a page has become quiet.
      for (let before = actual, tries = 0; tries < 8; before = actual, tries++) {
        await wait(400);
        actual = await take();
        if (actual.equals(before)) break;
      }
      await mkdir(keptIn, { recursive: true });
      await writeFile(file, await pack(actual));
      return;
    }
    await mkdir(failedIn, { recursive: true });
    const path = (kind: string): string => join(failedIn, `${name}.${kind}.png`);
    await writeFile(path('actual'), actual);
    if (kept) await sharp(kept).png().toFile(path('expected'));
    if (result) await writeFile(path('difference'), await result.draw());
    const paths = relative(ROOT, path('{actual,expected,difference}'));
    found.push(kept ? `${name}: ${result?.text}; see ${paths}` : `${name}: no picture is kept; see ${relative(ROOT, path('actual'))}`);
  }

  return {
    async look(page, name, options = {}) {
      // The pointer must be over no element.
      await page.mouse.move(0, 0);
      for (const view of views) {
        seen.add(`${name}-${view.width}${KEPT}`);
        await page.setViewportSize({ width: view.width, height: view.height });
        await lookAt(page, `${name}-${view.width}`, view, options);
      }
    },
    differences() {
      const all = found;
      found = [];
      return all;
    },
    async unused() {
      return (await readdir(keptIn)).filter((file) => !seen.has(file));
    },
  };
}

/** Encodes a picture for keeping. */
export function pack(picture: Buffer): Promise<Buffer> {
  return sharp(picture).webp({ quality: 68, effort: 6 }).toBuffer();
}

/** Compares two pictures of a page, the kept one first. */
export function compareLooks(kept: Buffer, actual: Buffer, { scale }: View): Promise<Comparison> {
  return compare(kept, actual, BLOCK * scale);
}

/** Waits for fonts and pictures, and hides everything that differs in each run. */
export async function settle(page: Page, words: Record<string, string> = {}): Promise<void> {
  const { origin, host } = new URL(page.url());
  await page.evaluate(
    async ([style, given]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      document.adoptedStyleSheets = [sheet];
      // All sizes follow the root's, which follows the window's width. Chromium may keep some sizes and shaped letters when the width
      // changes, and changes the width itself for a picture larger than the window. So the page is laid out anew, with a fixed root size.
      // This is a single task, which the page does not notice.
      const root = document.documentElement;
      const scrolled = [...document.querySelectorAll('*')].filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0);
      const positions = scrolled.map((element) => [element, element.scrollLeft, element.scrollTop] as const);
      root.style.display = 'none';
      root.style.fontSize = '';
      root.style.fontSize = getComputedStyle(root).fontSize;
      root.getBoundingClientRect();
      root.style.display = '';
      for (const [element, left, top] of positions) element.scrollTo({ left, top, behavior: 'instant' });
      for (const image of document.images) {
        image.loading = 'eager';
        // Otherwise the picture would lack images that are not decoded yet.
        image.decoding = 'sync';
      }
      await document.fonts.ready;
      await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        let text = node.nodeValue ?? '';
        for (const [word, other] of Object.entries(given)) text = text.replaceAll(word, other);
        // Secrets at the ends of links are replaced.
        text = text.replace(/#[\w-]{20,}/g, '#' + 'A'.repeat(22));
        if (text !== node.nodeValue) node.nodeValue = text;
      }
    },
    [STILL, { [origin]: 'https://fotos.example', [host]: 'fotos.example', ...words }] as const,
  );
}

async function endMotion(): Promise<void> {
  for (const animation of document.getAnimations()) {
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
    else animation.cancel();
  }
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/**
 * Takes a PNG of the settled page after all motion has ended. It does not use Playwright's own ways to stop motion and to paint over
 * parts, which render a long page several times and take four times as long.
 */
export async function shoot(page: Page, view: View, height?: number): Promise<Buffer> {
  await page.evaluate(endMotion);
  const whole = height === undefined ? view.height : await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width: view.width, height: Math.min(whole, height ?? whole) };
  const png = await page.screenshot({
    caret: 'initial',
    ...(height !== undefined && { fullPage: true, clip }),
  });
  if (view.scale === 1) return png;
  return sharp(png)
    .resize(Math.round(clip.width * view.scale), Math.round(clip.height * view.scale), { fit: 'fill' })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
