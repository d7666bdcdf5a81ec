import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** ms. What moves for longer is a picture's own motion and never comes to rest. */
const LONGEST_FADE = 2000;

/** What WCAG 2.2 AA has against the page as it stands, a line each. A colour on its way would be measured as it is there, so it comes to rest first. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(
    (longest) =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter((one) => Number(one.effect?.getComputedTiming().endTime ?? 0) <= longest)
          .map((one) => one.finished),
      ),
    LONGEST_FADE,
  );
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG_22_AA).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
