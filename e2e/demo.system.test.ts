import type { Browser, Page } from 'playwright';
import { describe, expect, it, vi } from 'vitest';
import { createClient } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

interface Site {
  demo: { code: string; password: string } | null;
}

describe('the public demo', () => {
  let server: TestServer;
  let browser: Browser;
  let demo: { code: string; password: string };

  useServer(
    async (started) => {
      ({ server, browser } = started);
      const client = createClient(server.url);
      const shown = async () => (await client.json<Site>('GET', '/api/site')).demo;
      demo = await vi.waitUntil(shown, { timeout: 60_000, interval: 200 });
    },
    { DEMO: 'on' },
  );

  async function openDemo(page: Page): Promise<void> {
    await page.goto('/');
    await page.getByText(demo.password).waitFor();
    expect(await page.getByRole('region', { name: 'Live-Demo' }).innerText()).toContain('alle 2 Stunden gelöscht');
    await page.getByRole('link', { name: 'Demo öffnen' }).click();
    await expect.poll(() => page.getByLabel('Benutzername').inputValue()).toBe(demo.code);
    expect(await page.getByLabel('Passwort').inputValue()).toBe(demo.password);
    await page.waitForURL((address) => address.search === '');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.waitForURL(`**/manage/${demo.code}`);
  }

  const photos = (page: Page) => page.getByRole('img', { name: /^Foto von / });

  it('leads from the start page into a host’s gallery with photos; what a visitor brings, only this browser sees', async () => {
    const { page, context, errors } = await openPage(browser, server.url, { width: 1440, height: 2400 });
    await openDemo(page);
    await page.getByRole('link', { name: /^Galerie/ }).click();
    await photos(page).first().waitFor();
    const samples = await photos(page).count();
    expect(samples).toBeGreaterThanOrEqual(9);

    await page.goto(`/event/${demo.code}`);
    await page.getByLabel('Dein Name').fill('Zu Besuch');
    await page.locator('input[type=file]').setInputFiles([{ name: 'eigenes.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(1) }]);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    await page.goto(`/gallery/${demo.code}`);
    await page.getByRole('img', { name: /^Foto von Zu Besuch/ }).waitFor();
    expect(await photos(page).count()).toBe(samples + 1);
    expect(errors).toEqual([]);

    const stranger = await openPage(browser, server.url, { width: 1440, height: 2400 });
    await openDemo(stranger.page);
    await stranger.page.goto(`/gallery/${demo.code}`);
    await stranger.page.getByText(`${samples} Fotos`, { exact: true }).first().waitFor();
    await expect.poll(() => photos(stranger.page).count()).toBe(samples);
    await stranger.context.close();
    await context.close();
  });
});
