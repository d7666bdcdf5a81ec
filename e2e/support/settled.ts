import type { Page } from 'playwright';

/** Waits until no animation up to `longestMs` runs on the page. One that is cancelled, because its element went, has ended as well. */
export async function settled(page: Page, longestMs = Infinity): Promise<void> {
  await page.evaluate(async (longest) => {
    const running = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().endTime ?? 0) <= longest);
    await Promise.allSettled(running.map((one) => one.finished));
  }, longestMs);
}
