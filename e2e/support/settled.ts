import type { Page } from 'playwright';

/** Waits until no animation up to `longestMs` runs on the page. An animation that is cancelled with its element counts as ended. */
export async function settled(page: Page, longestMs = Infinity): Promise<void> {
  await page.evaluate(async (longest) => {
    const running = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().endTime ?? 0) <= longest);
    await Promise.allSettled(running.map((one) => one.finished));
  }, longestMs);
}
