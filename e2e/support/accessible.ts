import axe from 'axe-core';
import type { Page } from 'playwright';
import { settled } from './settled.ts';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Longest animation that is awaited. Longer ones are a picture's motions, which never end. */
const LONGEST_FADE_MS = 2000;

/** Finds violations of WCAG 2.2 AA on the page, one line each. Awaits animations first, because a changing colour would be measured. */
export async function violationsOf(page: Page): Promise<string[]> {
  await settled(page, LONGEST_FADE_MS);
  // The page has no frames, so axe runs in it directly; axe's builder for Playwright opens a second page each time.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (tags) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const found = await inPage.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html.slice(0, 160)) }));
  }, WCAG_22_AA);
  return violations.map(({ id, html }) => `${id}: ${html.join(' | ')}`);
}
