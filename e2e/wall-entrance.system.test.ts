import type { Browser } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEvent, hostOf, type Client } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { showsOf, type Show } from './support/show.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

describe('a screen that is switched on', () => {
  let server: TestServer;
  let browser: Browser;
  let show: Show;
  let begin: () => Promise<Show>;

  useServer(async (started) => {
    ({ server, browser } = started);
    begin = await showsOf(started);
  });
  beforeAll(async () => void (show = await begin()));

  const codeOf = async (host: Client, event: string) => (await host.json<{ code: string }>('POST', `/api/events/${event}/wall/code`)).code;
  const open = () => openPage(browser, server.url, DESKTOP);
  const trouble = { status: 503, json: { code: 'unavailable', error: 'Der Server ist gerade ausgelastet.' } };

  it('again at /tv goes on with its wall, without a code; whoever has another code may type it', async () => {
    const { page, context, errors } = await open();
    const code = page.getByLabel('Code');
    await page.goto('/tv');
    await code.fill(await codeOf(show.host, show.event.code));
    await code.press('Enter');
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();

    await page.clock.install();
    await standStill(page);
    await page.goto('/tv');
    const other = page.getByRole('button', { name: 'Anderen Code eingeben' });
    await other.waitFor();
    await page.clock.runFor(10_000);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();

    const next = await createEvent(show.admin);
    await page.goto('/tv');
    // A remote control has the button under its OK.
    await other.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await code.waitFor();
    await page.clock.runFor(20_000);
    await page.keyboard.type(await codeOf(await hostOf(server.url, next), next.code));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/slideshow/${next.code}`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('before the server is goes on by itself: with the crew’s link, and at /tv', async () => {
    const { url } = await show.host.json<{ url: string }>('POST', `/api/events/${show.event.code}/wall/link`);
    const { page, context } = await open();
    const refused = page.getByText(trouble.json.error);
    await page.route('**/auth/wall/login', (route) => route.fulfill(trouble));
    await page.clock.install();
    await standStill(page);
    await page.goto(url);
    await refused.waitFor();
    await page.unroute('**/auth/wall/login');
    await page.clock.runFor(60_000);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();

    await context.clearCookies();
    await page.route('**/auth/check', (route) => route.fulfill(trouble));
    await page.goto('/tv');
    await refused.waitFor();
    await page.unroute('**/auth/check');
    await page.clock.runFor(60_000);
    await page.getByLabel('Code').waitFor();
    await context.close();
  });
});
