import type { Page } from 'playwright';
import { expect } from 'vitest';

/** A step of the page's time, much shorter than the shortest limit of a call, so that an answer comes in time. */
const STEP_MS = 1000;
/** Real time limit, because workers keep their own time, and unanswered calls wait for their limits one after the other. */
const PATIENCE_MS = 150_000;

/** Stops the time of a page with an installed clock: from now on only the test lets it pass. */
export async function standStill(page: Page): Promise<void> {
  for (;;) {
    try {
      return await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    } catch (error) {
      // The page's time passed that moment before the call, and stands since then.
      if (!String(error).includes('to the past')) throw error;
    }
  }
}

/** Lets the time of a page with an installed clock pass, faster than real time, until `isSo`. */
export async function inItsTime(page: Page, isSo: () => Promise<unknown>): Promise<void> {
  const passed = async (): Promise<unknown> => {
    await page.clock.runFor(STEP_MS);
    return isSo();
  };
  await expect.poll(passed, { timeout: PATIENCE_MS, interval: 25 }).toBeTruthy();
}
