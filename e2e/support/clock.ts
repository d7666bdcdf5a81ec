import type { Page } from 'playwright';
import { expect } from 'vitest';

/** One step of the page's time, ms. Within the shortest limit of a call there are several, so that an answer comes in time. */
const STEP_MS = 1000;
/** Workers keep their own time, and calls that nobody answers wait for their limits one after the other. */
const PATIENCE_MS = 150_000;

/** Stops the time of a page whose clock is installed: from here on it passes as it is told to alone. */
export async function standStill(page: Page): Promise<void> {
  for (;;) {
    try {
      return await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    } catch (error) {
      // The page's time ran past that moment before it was told; it stands since then.
      if (!String(error).includes('to the past')) throw error;
    }
  }
}

/** Lets the time of a page whose clock is installed pass, faster than the clock, until something is so. */
export async function inItsTime(page: Page, isSo: () => Promise<unknown>): Promise<void> {
  const passed = async (): Promise<unknown> => {
    await page.clock.runFor(STEP_MS);
    return isSo();
  };
  await expect.poll(passed, { timeout: PATIENCE_MS, interval: 25 }).toBeTruthy();
}
