import type { ElementHandle } from 'playwright';
import { launchBrowser } from '../support/browser.ts';
import { createPerson, type Person } from './person.ts';

export async function startChromium(
  viewport: { width: number; height: number },
  { language = 'de-DE' }: { language?: string } = {},
): Promise<Person> {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport, locale: language });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  return createPerson<ElementHandle<Element>>({
    open: async (url, early = false) => void (await page.goto(url, early ? { waitUntil: 'load' } : {})),
    value: (expression) => page.evaluate(expression),
    part: async (expression) => (await page.evaluateHandle(expression)).asElement() as ElementHandle<Element> | null,
    click: (part) => part.click({ timeout: 5_000 }),
    type: (part, text) => part.fill(text),
    setFiles: (part, paths) => part.setInputFiles(paths),
    errors: () => errors,
    close: () => browser.close(),
  });
}
