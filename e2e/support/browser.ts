import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';

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
const PATIENCE_MS = 55_000;

/** Lines that the browser itself logs about answers and lost connections, which tests cause on purpose. */
const ABOUT_REQUESTS = /^Failed to load resource: /;

/** Errors that the pages of a context logged, and those that a test expects. */
interface Watched {
  errors: string[];
  expected: RegExp[];
}
const watched = new WeakMap<BrowserContext, Watched>();

/** Starts take as long as a short test, so one serves all files of a worker, which run one after the other. */
let running: Promise<Browser> | null = null;

/**
 * A real Chromium: the system's where there is one, else Playwright's. A page that throws or logs an error fails its test:
 * closing its context, or the browser, throws. Closing it ends all contexts; the process may serve the next file.
 */
export async function launchBrowser(fonts?: Fonts): Promise<Browser> {
  if (fonts !== undefined) return launch(fonts);
  const browser = await (running ??= launch());
  if (browser.isConnected()) return browser;
  return (running = launch());
}

async function launch(fonts?: Fonts): Promise<Browser> {
  const browser = await chromium.launch({ args: FLAGS, env: environment(fonts), ...(SYSTEM && { executablePath: SYSTEM }) });
  const [newContext, close] = [browser.newContext.bind(browser), browser.close.bind(browser)];
  browser.newContext = async (options) => {
    const context = watch(await newContext(options));
    context.setDefaultTimeout(PATIENCE_MS);
    return options?.javaScriptEnabled === false ? context : patient(context);
  };
  browser.close = async (options) => {
    const contexts = await Promise.allSettled(browser.contexts().map((context) => context.close()));
    if (fonts !== undefined) await close(options);
    const failed = contexts.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  };
  return browser;
}

/**
 * What a server drew can be used before its code is there; tests of that say for what they wait (`waitUntil`). All others mean the page
 * that reacts, on slow machines too.
 */
function patient(context: BrowserContext): BrowserContext {
  context.on('page', (page) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    const drawn = () => page.$('#root[data-drawn]');
    const taken = async <T>(answer: T, waitUntil?: string): Promise<T> => {
      // A page may lead elsewhere at this moment, as to the login: then the page that it leads to is meant.
      if (waitUntil === undefined && (await drawn().catch(() => page.waitForLoadState().then(drawn)))) await takenOver(page);
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
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-profile-'));
  let context: BrowserContext | null = null;
  return {
    folder,
    async open(baseURL) {
      context ??= patient(
        await chromium.launchPersistentContext(folder, {
          args: FLAGS,
          env: environment(),
          baseURL,
          viewport: PHONE,
          locale: 'de-DE',
          timezoneId: 'Europe/Berlin',
          ...(SYSTEM && { executablePath: SYSTEM }),
        }),
      );
      return context.newPage();
    },
    async kill() {
      const closed = context?.waitForEvent('close');
      // Its processes all name the profile's folder; the first one is the browser itself.
      const { stdout } = await promisify(execFile)('pgrep', ['-f', `user-data-dir=${folder}`]);
      for (const id of stdout.split('\n').filter(Boolean)) process.kill(Number(id), 'SIGKILL');
      await closed;
      context = null;
    },
    async close() {
      await context?.close();
    },
  };
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
