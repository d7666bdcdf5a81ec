import type { Page } from 'playwright';

/** Shares of a motion's time at which a test looks at it. */
export const MOMENTS = [0, 0.25, 0.5, 0.75, 0.95];

/** Stops a page's animations at their beginning. The returned function moves them to a share of their time; 1 ends them. */
export async function holdMotions(page: Page): Promise<(share: number) => Promise<void>> {
  const motions = await page.context().newCDPSession(page);
  await motions.send('Animation.enable');
  await motions.send('Animation.setPlaybackRate', { playbackRate: 0 });
  return (share) =>
    page.evaluate((part) => {
      for (const motion of document.getAnimations()) motion.currentTime = part * Number(motion.effect?.getComputedTiming().endTime);
    }, share);
}
