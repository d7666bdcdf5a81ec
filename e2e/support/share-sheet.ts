import type { BrowserContext, Page } from 'playwright';

/** Gives the pages of a browser a share sheet, as phones have it, which records the shared data. */
export function addShareSheet(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(navigator, { shared, share: async (data: unknown) => void shared.push(data) });
  });
}

/** Gives the pages of a browser a share sheet that does not open, as where an app or a company's rules forbid it. */
export function refuseShareSheet(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    Object.assign(navigator, { share: async () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError')) });
  });
}

/** Returns the data that a page has shared. */
export const sharedBy = (page: Page): Promise<unknown[]> => page.evaluate(() => (navigator as unknown as { shared: unknown[] }).shared);
