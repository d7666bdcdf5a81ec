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
  // As a desktop without settings has it; by itself, a Chromium without windows draws letters unlike any phone or desktop.
  '--font-render-hinting=slight',
];
/** The system's; the first is the same without windows and opens and shows a page for a third of the processor's time. */
const SYSTEM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));

/** Typefaces besides those of the pages: a single one, so that pictures are the same on every machine; or such as make a picture differ. */
type Fonts = 'only' | 'others';
/** Without a language of UTF-8, Chromium gives a file whose name has umlauts another one. */
const environment = (fonts: Fonts = 'only') => ({
  ...process.env,
  LC_ALL: 'C.UTF-8',
  FONTCONFIG_FILE: join(import.meta.dirname, 'fonts', `${fonts}.conf`),
});

/** Also beside other work: a large file is chosen late there. */
const PATIENCE_MS = 110_000;

/** Lines that the browser itself logs about answers and lost connections, which tests cause on purpose. */
const ABOUT_REQUESTS = /^Failed to load resource: /;

/** Errors that the pages of a context logged, and those that a test expects. */
interface Watched {
  errors: string[];
  expected: RegExp[];
}
const watched = new WeakMap<BrowserContext, Watched>();

/** Profiles of browsers that run. */
const running = new Set<string>();
process.once('exit', () => running.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Real Chromiums: the system's where there is one, else Playwright's. Each context is a browser of its own with its profile on disk, as
 * people have it: in the windows of one browser, which are private, storage and large values are in memory. It starts in a quarter of a
 * second. A page that throws or logs an error fails its test: closing its context, or all, throws.
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
  // Of a browser, what tests use.
  return browser as Browser;
}

const REMOVED = { recursive: true, force: true, maxRetries: 10 };

async function openProfile(folder: string, options: BrowserContextOptions, fonts?: Fonts): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(folder, {
    args: FLAGS,
    env: environment(fonts),
    ...options,
    ...(SYSTEM && { executablePath: SYSTEM }),
  });
  return chosenFromDisk(fromFirstTab(context));
}

/** The tab with which the browser opens is its first page, as people use it: another one would be a process more. */
function fromFirstTab(context: BrowserContext): BrowserContext {
  const tabs = context.pages();
  const open = context.newPage.bind(context);
  context.newPage = async () => tabs.shift() ?? open();
  return context;
}

/** Calls `follow` with each page of a context, those to come too. */
function eachPage(context: BrowserContext, follow: (page: Page) => void): void {
  context.pages().forEach(follow);
  context.on('page', follow);
}

/** Files that tests choose from memory are chosen from disk, as people's are: a file without a path is sent where another is refused, and never changes. */
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
    // Its locators choose through it.
    const frame = page.mainFrame();
    const choose = frame.setInputFiles.bind(frame);
    frame.setInputFiles = async (selector, files, options) => choose(selector, await onDisk(files), options);
  });
  return context;
}

/**
 * What a server drew can be used before its code is there; tests of that say for what they wait (`waitUntil`). All others mean the page
 * that reacts, on slow machines too.
 */
function patient(context: BrowserContext): BrowserContext {
  eachPage(context, (page) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    // A page may lead elsewhere at this moment, as to the login, and that one elsewhere again: then the page that it leads to is meant.
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

/** For a test that makes pages log errors like this. */
export function expectLogged(context: BrowserContext, pattern: RegExp): void {
  watched.get(context)?.expected.push(pattern);
}

/** Waits until the browser has taken over the page that the server drew: from then on it reacts. */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')));
}

/** A browser with one profile, which other tools steer too, by the port. */
export function launchOpenBrowser(port: number): Promise<BrowserContext> {
  const args = [...FLAGS, `--remote-debugging-port=${port}`];
  return chromium.launchPersistentContext('', { args, ...(SYSTEM && { executablePath: SYSTEM }) });
}

/** A browser whose profile outlives it, as a phone's does. */
export interface Profile {
  folder: string;
  /** Starts the browser where it does not run, and opens a page of it. */
  open(baseURL: string): Promise<Page>;
  /** SIGKILL to all its processes. */
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
      // Its processes all name the profile's folder; the first one is the browser itself.
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

/** SIGKILL; a process of a browser may end by itself once the first one is gone. */
function killProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** A page of a new person; `errors` collects what it logs as errors, lines about requests included. */
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
