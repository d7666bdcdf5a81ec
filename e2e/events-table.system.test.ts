import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import type { Client } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { useAdmin } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { insertEvents } from './support/rows.ts';
import type { TestServer } from './support/server.ts';

const COUNT = 500;
/** Number of events that the page reads and draws at a time. */
const PAGE = 100;

describe(`the administration's table with ${COUNT} events`, () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin((started) => {
    ({ server, browser, admin } = started);
    insertEvents(join(server.dataDir, 'feierbild.sqlite'), COUNT);
  });

  async function open(viewport: typeof PHONE): Promise<Page> {
    const { page, context } = await openPage(browser, server.url, viewport);
    await takeOver(context, admin, server.url);
    await page.goto('/admin');
    await page.getByText(`${COUNT} Events`, { exact: true }).waitFor();
    return page;
  }
  const titles = (page: Page): Promise<string[]> => page.getByRole('rowheader').allTextContents();
  const sorted = (page: Page, name: string): Promise<string | null> => page.getByRole('columnheader', { name }).getAttribute('aria-sort');
  /** Returns the table's order by a column, and its first title. */
  const state = async (page: Page, column: string) => [await sorted(page, column), (await titles(page))[0]];
  const search = (page: Page) => page.getByRole('searchbox', { name: 'Suchen' });

  it('finds by title and by code, filters by status, and says how many', async () => {
    const page = await open(DESKTOP);
    await search(page).fill('fest 04');
    await page.getByText('15 Events gefunden').waitFor();
    await expect.poll(() => titles(page)).toHaveLength(15);
    await search(page).fill('TESTEBCZ');
    await expect.poll(() => titles(page)).toEqual(['Fest 412']);
    await search(page).fill('');
    for (const [status, found] of [
      ['gelöscht', 50],
      ['aktiv', 50],
      ['inaktiv', 400],
    ] as const) {
      await page.getByLabel('Status').selectOption({ label: status });
      await page.getByText(`${found} Events gefunden`).waitFor();
      await expect.poll(() => titles(page)).toHaveLength(Math.min(found, PAGE));
    }
    await search(page).fill('gibt es nicht');
    await page.getByText('Kein Event passt dazu.').waitFor();
    await page.getByRole('button', { name: 'Alle Events zeigen' }).click();
    await expect.poll(() => titles(page)).toHaveLength(PAGE);
    await search(page).fill('3.1.2020');
    await expect.poll(() => titles(page)).toEqual(['Fest 002']);
    await page.context().close();
  });

  it('reads a page of them, and more where somebody wants to see them', async () => {
    const page = await open(DESKTOP);
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/admin/events?') && asked.push(request.url()));
    const more = page.getByRole('button', { name: 'Weitere Events zeigen' });
    for (let pages = 1; pages < COUNT / PAGE; pages++) {
      await page.getByText(`${pages * PAGE} von ${COUNT}`).waitFor();
      expect(await titles(page)).toHaveLength(pages * PAGE);
      // A key is pressed, because rows drawn late on a slow machine would move the button away from a pointer.
      await more.press('Enter');
    }
    await more.waitFor({ state: 'detached' });
    expect([(await titles(page)).length, (await titles(page)).at(-1)]).toEqual([COUNT, 'Fest 000']);
    expect(asked.map((url) => new URL(url).searchParams.get('per_page'))).toEqual(Array<string>(COUNT / PAGE - 1).fill('100'));
    await page.context().close();
  });

  it('keeps the search in reach where an answer fails, and goes on with the next', async () => {
    const page = await open(DESKTOP);
    await page.route('**/admin/events?search=fest+4*', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
    await search(page).fill('fest 4');
    await page.getByRole('button', { name: 'Erneut versuchen' }).waitFor();
    await page.unroute('**/admin/events?search=fest+4*');
    await search(page).press('2');
    await expect.poll(() => titles(page)).toHaveLength(15);
    expect(await page.getByRole('button', { name: 'Erneut versuchen' }).count()).toBe(0);
    await page.context().close();
  });

  it("sorts by a column's head, which says so", async () => {
    const page = await open(DESKTOP);
    expect((await titles(page))[0]).toBe('Fest 499');
    for (const [column, up, down, first] of [
      ['Datum', 'Fest 000', 'Fest 499', 'descending'],
      ['Event', 'Fest 000', 'Fest 499', 'ascending'],
      ['Speicher', 'Fest 000', 'Fest 499', 'descending'],
      ['Löschung', 'Fest 000', 'Fest 499', 'ascending'],
    ] as const) {
      const head = page.getByRole('button', { name: column, exact: true });
      await head.click();
      const second = first === 'ascending' ? 'descending' : 'ascending';
      await expect.poll(() => state(page, column)).toEqual([first, first === 'ascending' ? up : down]);
      await head.click();
      await expect.poll(() => state(page, column)).toEqual([second, second === 'ascending' ? up : down]);
    }
    expect(await sorted(page, 'Datum')).toBe('none');
    await page.context().close();
  });

  it('keeps search, filter, order and open lines through reload, and through Back', async () => {
    const page = await open(DESKTOP);
    await page.getByLabel('Status').selectOption({ label: 'aktiv' });
    await page.getByRole('button', { name: 'Event', exact: true }).click();
    // A pause behind the first word, in which the address takes it, keeps the space.
    await search(page).pressSequentially('fest ');
    await page.waitForURL(/suche=fest/);
    await search(page).pressSequentially('11');
    await expect.poll(() => titles(page)).toHaveLength(5);
    await page.getByRole('button', { name: 'Fest 111' }).click();
    await page.waitForURL(/suche=fest\+11/);
    await page.reload();
    await expect.poll(() => titles(page)).toHaveLength(5);
    expect(await search(page).inputValue()).toBe('fest 11');
    await expect.poll(() => sorted(page, 'Event')).toBe('ascending');
    expect(await page.getByRole('button', { name: 'Fest 111' }).getAttribute('aria-expanded')).toBe('true');
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('expandedEvents') ?? ''))).toHaveLength(1);
    await page.getByRole('link', { name: /Meldungen/ }).click();
    await page.getByRole('heading', { name: 'Meldungen' }).waitFor();
    await page.goBack();
    await expect.poll(() => titles(page)).toHaveLength(5);
    await page.goBack();
    await expect.poll(() => sorted(page, 'Event')).toBe('none');
    expect(await page.getByLabel('Status').inputValue()).toBe('aktiv');
    await page.context().close();
  });

  it('leads to the login where its table is asked for after the session has ended', async () => {
    const page = await open(DESKTOP);
    const table = page.getByRole('link', { name: 'Als CSV' });
    await table.waitFor();
    // All other calls get no answer, because their refusal would lead to the login before the link does.
    await page.route(/\/admin\/(?!events\.csv|login)|\/auth\//, () => undefined);
    await page.context().clearCookies();
    await table.click();
    await page.waitForURL(/\/admin\/login/);
    await page.context().close();
  });

  it('answers each key of the search, and lays out only what is on the screen', async () => {
    const page = await open(DESKTOP);
    const laidOut = await page
      .getByRole('rowheader')
      .evaluateAll((heads) => heads.filter((head) => head.checkVisibility({ contentVisibilityAuto: true })).length);
    expect(laidOut).toBeGreaterThan(5);
    expect(laidOut).toBeLessThan(100);
    await search(page).pressSequentially('fest 123');
    await expect.poll(() => titles(page)).toEqual(['Fest 123']);
    for (let n = 0; n < 8; n++) await search(page).press('Backspace');
    await expect.poll(() => titles(page)).toHaveLength(PAGE);
    await page.context().close();
  });

  it.each([PHONE, { width: 360, height: 740 }, { width: 1024, height: 768 }, DESKTOP])(
    'has no violation and no sideways scroll at %j',
    async (viewport) => {
      const page = await open(viewport);
      await page.getByRole('button', { name: 'Fest 499' }).click();
      await page.getByRole('button', { name: 'Bearbeiten' }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/table-${viewport.width}.png` });
      await search(page).fill('fest 49');
      await expect.poll(() => titles(page)).toHaveLength(15);
      expect(await violationsOf(page)).toEqual([]);
      await page.context().close();
    },
  );
});
