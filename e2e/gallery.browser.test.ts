import type { Browser, BrowserContext, Page, Route } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client, EventUnderTest } from './support/api.ts';
import { DESKTOP } from './support/browser.ts';
import { openAsHost } from './support/login.ts';
import { beforeEachGallery, listPhotos, openGallery, type Listed } from './support/gallery.ts';
import type { TestServer } from './support/server.ts';

/** Limit for live news, far below the interval at which the page polls. */
const SOON_MS = 8000;

describe("the host's gallery", () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let host: Client;
  let anna: string;
  let context: BrowserContext;
  let page: Page;

  beforeEachGallery((opened) => ({ server, browser, event, host, anna } = opened));
  afterEach(() => context.close());

  async function open(viewport = DESKTOP): Promise<void> {
    ({ page, context } = await openGallery(browser, server, event, viewport));
  }
  /** Opens a page in which the event's host is logged in. */
  async function openAs(party: EventUnderTest): Promise<void> {
    ({ page, context } = await openAsHost(browser, server.url, party));
  }
  const listed = (): Promise<Listed[]> => listPhotos(host, event);

  it('follows what another tab or a guest deletes or takes out of the slideshow, without a reload and without a jump', async () => {
    await open({ width: 390, height: 700 });
    const [, second, third, fourth] = (await listed()) as [Listed, Listed, Listed, Listed];
    const image = (photo: Listed) => page.locator(`main img[src*="${photo.id}"]`);
    await image(fourth).evaluate((img) => img.scrollIntoView({ block: 'start' }));
    await image(fourth).waitFor();
    const topOf = () => image(fourth).evaluate((img) => img.getBoundingClientRect().top);
    const before = await topOf();
    await host.json('DELETE', `/api/photos/${second.id}`, undefined, 204);
    await host.json('PUT', `/api/photos/${fourth.id}/slideshow`, { value: false }, 200);
    await page.getByText('5 Fotos').first().waitFor({ timeout: SOON_MS });
    await page.locator('main button[title="Nicht in der Slideshow"]').first().waitFor({ timeout: SOON_MS, state: 'attached' });
    await image(fourth).waitFor();
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1);
    // The guest's page deletes the guest's own photos with this call.
    const gone = await fetch(`${server.url}/api/photos/${third.id}`, {
      method: 'DELETE',
      headers: { 'device-id': anna, 'sec-fetch-site': 'same-origin' },
    });
    expect(gone.status).toBe(204);
    await page.getByText('4 Fotos').first().waitFor({ timeout: SOON_MS });
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1);
  });

  it('offers no ZIP that is no more, begins a new one at 0 %, and claims nothing before the photos are here', async () => {
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    await expect
      .poll(async () => (await host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status)
      .toBe('complete');
    await openAs(event);
    const box = page.getByRole('region', { name: 'ZIP-Download' });
    let answer = (): void => undefined;
    let held = new Promise<void>((resolve) => (answer = resolve));
    const hold = async (route: Route): Promise<void> => {
      await held;
      await route.continue();
    };
    await page.route('**/photos?*', hold);
    await page.route('**/zip-progress', (route) => route.abort());
    await page.goto(`/gallery/${event.code}`);
    await box.getByText('Originale in voller Qualität').waitFor();
    expect(await box.getByRole('button', { name: 'ZIP erstellen' }).isDisabled()).toBe(true);
    await page.unroute('**/zip-progress');
    answer();
    await page.getByText('6 Fotos').first().waitFor();
    await page.unroute('**/photos?*');
    await page.reload();
    await page.getByText('6 Fotos').first().waitFor();

    held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/regenerate-zip', hold);
    await box.getByRole('button', { name: 'Neu generieren' }).click();
    await box.getByText('Wird erstellt: 0 %').waitFor();
    answer();
    await box.getByRole('link', { name: 'Herunterladen' }).waitFor();
    await host.json('DELETE', `/api/photos/${(await listed())[0]?.id}`, undefined, 204);
    await box.getByRole('button', { name: 'ZIP erstellen' }).waitFor({ timeout: SOON_MS });
    expect(await box.getByRole('link', { name: 'Herunterladen' }).count()).toBe(0);
  });
});
