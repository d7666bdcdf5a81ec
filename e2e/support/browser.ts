import { existsSync } from 'node:fs';
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

/** A real Chromium: the system's where there is one, else Playwright's. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ args: FLAGS, ...(SYSTEM && { executablePath: SYSTEM }) });
}

/** A browser with one profile, which other tools steer too, by the port. */
export function launchOpenBrowser(port: number): Promise<BrowserContext> {
  const args = [...FLAGS, `--remote-debugging-port=${port}`];
  return chromium.launchPersistentContext('', { args, ...(SYSTEM && { executablePath: SYSTEM }) });
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** A page of a person of its own; what goes wrong in its console is collected in `errors`. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  viewport = PHONE,
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({
    baseURL,
    viewport,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    hasTouch: viewport === PHONE,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, context, errors };
}
