import type { Page } from 'playwright';

/** Pauses after which galleries, the dashboard and walls look for news by themselves. */
const LOOKS_MS = [15_000, 30_000, 120_000];

/** Opens a page that never looks for news by itself: what it shows from then on came by its live channel, on a busy machine, too. */
export async function openLive(page: Page, path: string): Promise<void> {
  await page.addInitScript((looks) => {
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const set = window[name].bind(window) as (...timer: unknown[]) => unknown;
      const unlessLook = (run: () => void, ms = 0, ...given: unknown[]) => (looks.includes(ms) ? 0 : set(run, ms, ...given));
      Object.assign(window, { [name]: unlessLook });
    }
  }, LOOKS_MS);
  const connected = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/live') && answer.status() === 200);
  await Promise.all([connected, page.goto(path)]);
}
