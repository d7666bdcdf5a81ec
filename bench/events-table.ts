import { join } from 'node:path';
import { DESKTOP, launchBrowser, openPage } from '../e2e/support/browser.ts';
import { logInAsAdmin } from '../e2e/support/login.ts';
import { insertEvents } from '../e2e/support/rows.ts';
import { startServer } from '../e2e/support/server.ts';
import { promise } from './support/report.ts';

const EVENTS = 500;
const SEARCHED = 'fest 123';
/** Pause between two keys, ms. */
const TYPING = 30;
/** Time until the measured values arrive after the next paint, ms. */
const REPORTED = 500;
/** Longest acceptable delay, ms: people notice 100 to 200. */
const ANSWERED = 200;

/** Measures the delay of a key of the search in the administration's table of 500 events. */
export async function benchEventsTable(): Promise<void> {
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  try {
    insertEvents(join(server.dataDir, 'feierbild.sqlite'), EVENTS);
    const { page } = await openPage(browser, server.url, DESKTOP);
    await logInAsAdmin(page);
    await page.getByText(`${EVENTS} Events`, { exact: true }).waitFor();
    await page.evaluate(() => {
      const delays: number[] = [];
      new PerformanceObserver((list) => {
        for (const { name, duration } of list.getEntries()) if (name === 'input') delays.push(duration);
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
      Object.assign(window, { delays });
    });
    const search = page.getByRole('searchbox', { name: 'Suchen' });
    await search.pressSequentially(SEARCHED, { delay: TYPING });
    const found = page.getByText('1 Event gefunden', { exact: true });
    await found.waitFor();
    for (let n = 0; n < SEARCHED.length; n++) await search.press('Backspace', { delay: TYPING });
    await found.waitFor({ state: 'detached' });
    await page.waitForTimeout(REPORTED);
    const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays);
    promise(`longest answer to a key of the search in ${EVENTS} events`, Math.max(0, ...delays), '<=', ANSWERED, ' ms');
  } finally {
    await browser.close();
    await server.dispose();
  }
}
