import { once } from 'node:events';
import { launch, type ElementHandle } from 'puppeteer-core';
import { createPerson, type Person } from './person.ts';

export const FIREFOX = '/usr/bin/firefox-esr';

/** Firefox's error (NS_BINDING_ABORTED) for a page that was left before its typeface had come. */
const LEFT_FONT = /^Error: downloadable font: download failed .* status=2152398850 /;

/** Longest start of the browser and load of a page, ms; a busy machine takes longer than the driver's 30 s. */
const PATIENCE_MS = 110_000;

/** A person whose browser can be ended by SIGKILL. */
export interface KillablePerson extends Person {
  kill(): Promise<void>;
}

/**
 * Starts Debian's Firefox, driven by WebDriver BiDi. With `isPrivate` all its windows are private; with `blocksCookies` no site keeps
 * anything. Its profile is in a folder that goes with the browser, or in `profile`, which stays.
 */
export async function startFirefox(
  viewport: { width: number; height: number },
  {
    isPrivate = false,
    blocksCookies = false,
    profile,
    language = 'de-DE',
  }: { isPrivate?: boolean; blocksCookies?: boolean; profile?: string; language?: string } = {},
): Promise<KillablePerson> {
  const browser = await launch({
    browser: 'firefox',
    timeout: PATIENCE_MS,
    executablePath: FIREFOX,
    headless: true,
    ...(profile !== undefined && { userDataDir: profile }),
    extraPrefsFirefox: {
      'intl.accept_languages': `${language}, ${language.split('-', 1)[0]}`,
      'browser.privatebrowsing.autostart': isPrivate,
      ...(blocksCookies && { 'network.cookie.cookieBehavior': 2 }),
    },
    env: { ...process.env, MOZ_DISABLE_CONTENT_SANDBOX: '1', HOME: process.env.HOME ?? '/root' },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewport(viewport);
  const errors: string[] = [];
  page.on('pageerror', (error) => {
    if (!LEFT_FONT.test(String(error))) errors.push(String(error));
  });
  const person = createPerson<ElementHandle<Element>>({
    async open(url) {
      // Firefox may never answer a navigation that interrupts the loading of another page.
      await page.waitForFunction(`document.readyState === 'complete'`);
      await page.goto(url);
    },
    value: (expression) => page.evaluate(expression),
    part: async (expression) => (await page.evaluateHandle(expression)).asElement() as ElementHandle<Element> | null,
    click: (part) => part.click(),
    type: async (part, text) => {
      await part.evaluate((field) => (field as HTMLInputElement).select());
      await part.type(text);
    },
    setFiles: (part, paths) => (part as ElementHandle<HTMLInputElement>).uploadFile(...paths),
    errors: () => errors,
    close: () => browser.close(),
  });
  return {
    ...person,
    // The processes of its pages end with the browser's first process.
    async kill() {
      const process = browser.process();
      if (!process || process.exitCode !== null || process.signalCode !== null) return;
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
    },
  };
}
