import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, launchBrowser, openPage } from './support/browser.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

describe("a host's dashboard", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    admin = await adminOf(server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  /** A page in which the event's host is logged in. */
  async function hostPage(event: EventUnderTest, viewport = DESKTOP): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
    const opened = await openPage(browser, server.url, viewport);
    const { cookies } = await hostOf(server.url, event);
    await opened.context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.url })));
    return opened;
  }

  async function expectNoViolations(page: Page): Promise<void> {
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
  }

  it('warns as the storage fills up, with what it means for guests and whom to call', async () => {
    const event = await createEvent(admin, { storage_limit: 5 });
    const device = await deviceOf(server.url);
    await upload({ url: server.url, code: event.code, device, file: await drawPhoto(1, 640, 480) });
    const host = await hostOf(server.url, event);
    const { storage_stats: stats, ...read } = await host.json<{
      storage_stats: { total_size: number };
      start_date: string;
      end_date: string;
    }>('GET', `/api/events/${event.code}`);
    const { page, context } = await hostPage(event);
    const fill = async (share: number): Promise<void> => {
      const form = { title: event.title, start_date: read.start_date, end_date: read.end_date };
      await admin.json('PUT', `/admin/events/${event.id}`, { ...form, storage_limit: stats.total_size / share / 1e9 });
      await page.goto(`/manage/${event.code}`);
      await page.getByRole('heading', { name: event.title }).waitFor();
    };

    await fill(0.79);
    expect(await page.getByText('Mehr Speicher').count()).toBe(0);
    await fill(0.855);
    await page.getByText('Der Speicher ist zu 85 % belegt. Ihre Gäste können weiter Fotos hochladen, bis er voll ist.').waitFor();
    expect(await page.getByRole('link', { name: '030 23125 042' }).getAttribute('href')).toMatch(/^tel:\+49/);
    await expectNoViolations(page);
    await fill(0.965);
    await page.getByText('Ist er voll, können Ihre Gäste keine Fotos mehr hochladen.').waitFor();
    await expectNoViolations(page);
    await fill(1.2);
    await page.getByRole('alert').getByText('Neue Fotos Ihrer Gäste werden abgelehnt.').waitFor();
    await expectNoViolations(page);
    await context.close();
  });

  it("offers the device's share sheet where there is one", async () => {
    const event = await createEvent(admin);
    const { page, context } = await hostPage(event);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('button', { name: 'Teilen' }).click();
    await page.getByRole('button', { name: 'Link kopieren' }).waitFor();
    expect(await page.getByRole('button', { name: 'Teilen …' }).count()).toBe(0);

    await context.addInitScript(() => {
      const shared: unknown[] = [];
      Object.assign(navigator, { shared, share: async (data: unknown) => void shared.push(data) });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Teilen' }).click();
    await page.getByRole('button', { name: 'Teilen …' }).click();
    expect(await page.evaluate(() => (navigator as unknown as { shared: unknown[] }).shared)).toEqual([
      { title: event.title, url: `${server.url}/event/${event.code}` },
    ]);
    await expectNoViolations(page);
    await context.close();
  });
});
