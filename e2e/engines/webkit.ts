import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, type WebElement } from 'selenium-webdriver';
import { freePort } from '../../server/src/testing/system.ts';
import { createPerson, type Person } from './person.ts';

export const WEBKIT = {
  driver: '/usr/bin/WebKitWebDriver',
  display: '/usr/bin/Xvfb',
  browser: ['x86_64', 'aarch64']
    .flatMap((machine) => ['4.1', '4.0'].map((version) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${version}/MiniBrowser`))
    .find((path) => existsSync(path)),
};

/** A locale of character types alone, which every machine has. */
const PLAIN_LOCALE = '/usr/lib/locale/C.utf8';

/** Starts Debian's WebKit (Safari's engine, not Safari) in its small browser, on a screen in memory. */
export async function startWebKit(
  viewport: { width: number; height: number },
  { language = 'de-DE' }: { language?: string } = {},
): Promise<Person> {
  // WebKit requests pages in the language of its locale. That locale has to exist, but only its name is read.
  const locales = await mkdtemp(join(tmpdir(), 'feierbild-locale-'));
  const locale = `${language.replace('-', '_')}.UTF-8`;
  await symlink(PLAIN_LOCALE, join(locales, locale));
  const screen = await startScreen();
  const port = await freePort();
  const service = spawn(WEBKIT.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen.name, LOCPATH: locales, LC_ALL: locale, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/status`);
  const driver = await new Builder()
    .usingServer(url)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: WEBKIT.browser, args: ['--automation'] },
    })
    .build();
  await driver.manage().window().setRect(viewport);
  return createPerson<WebElement>({
    open: (address) => driver.get(address),
    value: (expression) => driver.executeScript(`return ${expression}`),
    part: (expression) => driver.executeScript(`return ${expression}`),
    click: (part) => part.click(),
    async type(part, text) {
      await part.clear();
      await part.sendKeys(text);
    },
    setFiles: (part, paths) => part.sendKeys(paths.join('\n')),
    // WebDriver Classic reports nothing of the console.
    errors: () => [],
    async close() {
      await driver.quit();
      service.kill();
      screen.process.kill();
      await rm(locales, { recursive: true });
    },
  });
}

/** Starts Xvfb, which chooses a free display and prints its number. */
async function startScreen(): Promise<{ name: string; process: ChildProcess }> {
  const process = spawn(WEBKIT.display, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    process.stdout?.once('data', (line) => resolve(String(line).trim()));
    process.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    process.once('error', reject);
  });
  return { name: `:${number}`, process };
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
