import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { openPage, takenOver } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { type TestServer } from './support/server.ts';

describe('the guests’ pages', () => {
  let server: TestServer;
  let browser: Browser;

  useServer((started) => ({ server, browser } = started));

  it('name the window, and give the headline the focus after a change of page only', async () => {
    const { page, context } = await openPage(browser, server.url);
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await page.goto('/join');
    await page.getByRole('heading', { name: 'Event beitreten' }).waitFor();
    expect(await page.title()).toBe('Event beitreten · Feierbild');
    // Before the page's script is there, a link opens a new document, in which nothing has the focus.
    await takenOver(page);
    expect(await focused()).toBe('BODY');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Zum Inhalt');
    // The link stays within the document, because both pages speak guests' languages, which come with documents.
    await page.getByRole('link', { name: 'Datenschutz' }).click();
    await expect.poll(() => page.title()).toBe('Datenschutz · Feierbild');
    await expect.poll(focused).toBe('H1');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await context.close();
  });

  it('let a code be mended in its middle, and find it in a link', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/join');
    const field = page.getByPlaceholder('8-stelligen Code eingeben');
    await field.fill('abcdgh');
    // The page's script, which is there now, has cleaned the input.
    await expect.poll(() => field.inputValue()).toBe('ABCDGH');
    await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 4));
    await field.pressSequentially('e-f');
    expect(await field.inputValue()).toBe('ABCDEFGH');
    await field.fill('https://fotos.example/event/abcd2345');
    expect(await field.inputValue()).toBe('ABCD2345');
    await context.close();
  });

  it('say that they are on their way before their code is there, and how to go on where it does not come', async () => {
    const { page, context } = await openPage(browser, server.url);
    await context.route(/\/assets\/.*\.js$/, (route) => route.abort('connectionfailed'));
    await page.goto('/admin/login');
    await page.getByText('Einen Moment …').waitFor();
    const link = page.getByRole('link', { name: 'Seite neu laden' });
    expect(await link.isVisible()).toBe(false);
    // The link appears by an animation of the style sheet, without a script.
    await page.evaluate(() => document.getAnimations().forEach((animation) => (animation.currentTime = 60_000)));
    await link.waitFor();
    await context.unroute(/\/assets\/.*\.js$/);
    await link.click();
    await page.getByLabel('Benutzername').waitFor();
    await context.close();
  });

  it('begin at their top, also those that Back leads to', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/datenschutz');
    const top = (): Promise<number> => page.evaluate(() => window.scrollY);
    const footer = page.getByRole('link', { name: 'Impressum' });
    await footer.scrollIntoViewIfNeeded();
    await expect.poll(top).toBeGreaterThan(1000);
    await footer.click();
    await page.getByRole('heading', { name: 'Impressum' }).waitFor();
    await expect.poll(top).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { name: 'Datenschutz' }).waitFor();
    // Waits for two frames, because the browser restores a scroll position a little later.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await top()).toBe(0);
    await context.close();
  });
});
