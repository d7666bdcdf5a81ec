import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Frame, type Page } from 'playwright';
import { RUN_FOLDER } from '../../server/src/testing/run-folder.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The default of desktops; a headless Chromium's own default draws letters unlike any phone or desktop.
  '--font-render-hinting=slight',
];
/** The system's Chromium. The headless shell comes first, because it opens and renders a page in a third of the processor's time. */
const SYSTEM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));

/** Typefaces besides the pages' own: `only` a single one, so that pictures are the same on all machines; `others` change the picture. */
type Fonts = 'only' | 'others';
/** Makes the browser's environment. Without a UTF-8 locale, Chromium changes file names with umlauts. */
const environment = (fonts: Fonts = 'only') => ({
  ...process.env,
  LC_ALL: 'C.UTF-8',
  FONTCONFIG_FILE: join(import.meta.dirname, 'fonts', `${fonts}.conf`),
});

/** Limit of a page's actions, long enough for a busy machine, on which a large file is chosen late. */
const PATIENCE_MS = 110_000;

/** Lines that the browser itself logs about answers and lost connections, because tests cause these on purpose. */
const ABOUT_REQUESTS = /^Failed to load resource: /;

/** Errors logged by the pages of a context, and patterns of those that a test expects. */
interface Watched {
  errors: string[];
  expected: RegExp[];
}
const watched = new WeakMap<BrowserContext, Watched>();

/** Folders of running browsers' profiles. */
const running = new Set<string>();
process.once('exit', () => running.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Launches real Chromiums: the system's if there is one, else Playwright's. Each context is a browser of its own with a profile on disk, as
 * people have it; in private windows of one browser, storage and large values would be in memory. It starts in a quarter of a second. A
 * page that throws or logs an error fails its test, because the closing of its context, or of the browser, throws.
 */
export async function launchBrowser(fonts?: Fonts): Promise<Browser> {
  const contexts = new Set<BrowserContext>();
  const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const folder = await mkdtemp(join(RUN_FOLDER, 'profile-'));
    running.add(folder);
    const context = watch(await openProfile(folder, options, fonts));
    contexts.add(context);
    context.once('close', () => {
      contexts.delete(context);
      running.delete(folder);
      rmSync(folder, REMOVED);
    });
    context.setDefaultTimeout(PATIENCE_MS);
    return options.javaScriptEnabled === false ? context : patient(context);
  };
  const browser: Pick<Browser, 'newContext' | 'newPage' | 'contexts' | 'close'> = {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    contexts: () => [...contexts],
    async close() {
      const closed = await Promise.allSettled([...contexts].map((context) => context.close()));
      const failed = closed.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
  // Only the functions that tests use are implemented.
  return browser as Browser;
}

const REMOVED = { recursive: true, force: true, maxRetries: 10 };

async function openProfile(folder: string, options: BrowserContextOptions, fonts?: Fonts): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(folder, {
    timeout: PATIENCE_MS,
    args: FLAGS,
    env: environment(fonts),
    ...options,
    ...(SYSTEM && { executablePath: SYSTEM }),
  });
  return chosenFromDisk(fromFirstTab(context));
}

/** Makes the browser's initial tab the first page, as people use it; another tab would be a further process. */
function fromFirstTab(context: BrowserContext): BrowserContext {
  const tabs = context.pages();
  const open = context.newPage.bind(context);
  context.newPage = async () => tabs.shift() ?? open();
  return context;
}

/** Calls `follow` with each present and future page of a context. */
function eachPage(context: BrowserContext, follow: (page: Page) => void): void {
  context.pages().forEach(follow);
  context.on('page', follow);
}

/** Lets tests choose files from disk, as people do: a file without a path is never refused, and never changes. */
function chosenFromDisk(context: BrowserContext): BrowserContext {
  const folders: string[] = [];
  context.once('close', () => folders.forEach((folder) => rmSync(folder, REMOVED)));
  const onDisk = async (files: Parameters<Frame['setInputFiles']>[1]): Promise<string | readonly string[]> => {
    const folder = await mkdtemp(join(RUN_FOLDER, 'chosen-'));
    folders.push(folder);
    const chosen = [files].flat() as (string | { name: string; buffer: Buffer })[];
    return Promise.all(
      chosen.map(async (file) => {
        if (typeof file === 'string') return file;
        await writeFile(join(folder, file.name), file.buffer);
        return join(folder, file.name);
      }),
    );
  };
  eachPage(context, (page) => {
    // The page's locators use its main frame.
    const frame = page.mainFrame();
    const choose = frame.setInputFiles.bind(frame);
    frame.setInputFiles = async (selector, files, options) => choose(selector, await onDisk(files), options);
  });
  return context;
}

/**
 * Makes navigations wait until the page reacts, on slow machines, too. A server-rendered page can be used before its code has come;
 * tests of that set `waitUntil`.
 */
function patient(context: BrowserContext): BrowserContext {
  eachPage(context, (page) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    // A page may navigate at this moment, such as to the login, and that page again; then the last page counts.
    const drawn = async (until = performance.now() + PATIENCE_MS): Promise<unknown> => {
      try {
        return await page.$('#root[data-drawn]');
      } catch (error) {
        if (page.isClosed() || performance.now() > until) throw error;
        await page.waitForLoadState();
        return drawn(until);
      }
    };
    const taken = async <T>(answer: T, waitUntil?: string): Promise<T> => {
      if (waitUntil === undefined && (await drawn())) await takenOver(page);
      return answer;
    };
    page.goto = async (url, options) => taken(await goto(url, options), options?.waitUntil);
    page.reload = async (options) => taken(await reload(options), options?.waitUntil);
  });
  return context;
}

function watch(context: BrowserContext): BrowserContext {
  const seen: Watched = { errors: [], expected: [ABOUT_REQUESTS] };
  watched.set(context, seen);
  context.on('weberror', (error) => seen.errors.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  const close = context.close.bind(context);
  context.close = async (options) => {
    await close(options);
    const unexpected = seen.errors.splice(0).filter((error) => !seen.expected.some((pattern) => pattern.test(error)));
    if (unexpected.length > 0) throw new Error(`a page logged errors:\n${unexpected.join('\n')}`);
  };
  return context;
}

/** Allows errors in the log that match a pattern, for a test that causes them. */
export function expectLogged(context: BrowserContext, pattern: RegExp): void {
  watched.get(context)?.expected.push(pattern);
}

/** Waits until the browser has hydrated the server-rendered page, which reacts from then on. */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')));
}

/** Launches a browser with one profile, which other tools can also control by the port. */
export function launchOpenBrowser(port: number): Promise<BrowserContext> {
  const args = [...FLAGS, `--remote-debugging-port=${port}`];
  return chromium.launchPersistentContext('', { timeout: PATIENCE_MS, args, ...(SYSTEM && { executablePath: SYSTEM }) });
}

/** A browser whose profile outlives it, as a phone's does. */
export interface Profile {
  folder: string;
  /** Starts the browser unless it runs, and opens a page. */
  open(baseURL: string): Promise<Page>;
  /** Sends SIGKILL to all its processes. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export async function launchProfile(): Promise<Profile> {
  const folder = await mkdtemp(join(RUN_FOLDER, 'profile-'));
  let context: BrowserContext | null = null;
  return {
    folder,
    async open(baseURL) {
      context ??= patient(await openProfile(folder, { baseURL, viewport: PHONE, locale: 'de-DE', timezoneId: 'Europe/Berlin' }));
      context.setDefaultTimeout(PATIENCE_MS);
      return context.newPage();
    },
    async kill() {
      const closed = context?.waitForEvent('close');
      // All its processes name the profile's folder; the first one is the browser itself.
      const { stdout } = await promisify(execFile)('pgrep', ['-f', `user-data-dir=${folder}`]);
      for (const id of stdout.split('\n').filter(Boolean)) killProcess(Number(id));
      await closed;
      context = null;
    },
    async close() {
      await context?.close();
      rmSync(folder, REMOVED);
    },
  };
}

/** Sends SIGKILL. A browser's process may have ended by itself, once the first one was gone. */
function killProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** Opens a page of a new person; `errors` collects its logged errors, including lines about requests. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  window: { width: number; height: number; userAgent?: string } = PHONE,
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const { userAgent, ...viewport } = window;
  const context = await browser.newContext({
    baseURL,
    viewport,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    hasTouch: window === PHONE || userAgent !== undefined,
    ...(userAgent && { userAgent }),
  });
  return { page: await context.newPage(), context, errors: watched.get(context)?.errors ?? [] };
}
