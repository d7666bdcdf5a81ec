import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, LONG_OVER, upload, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { logInAsAdmin } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

describe('every page, by WCAG 2.2 AA', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;

  useServer(async (started) => {
    ({ server, browser } = started);
    const admin = await adminOf(server.url);
    event = await createEvent(admin, {
      subtitle: 'Mit Untertitel',
      storage_limit: 5,
      with_upload_password: true,
      user_upload_password: 'Größe',
    });
    await createEvent(admin, { title: 'Vorbei', ...LONG_OVER });
    const device = await deviceOf(server.url);
    for (let seed = 0; seed < 6; seed++) {
      await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 400 + seed * 60, 400), password: 'Größe' });
    }
  });

  describe.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)('on a %s', (_, viewport) => {
    it('public and guest pages have no violation and do not scroll sideways', async () => {
      const { page, context } = await openPage(browser, server.url, viewport);
      const found: string[] = [];
      const paths = [
        '/',
        '/join',
        '/securejoin',
        '/login',
        '/admin/login',
        '/create',
        '/datenschutz',
        '/agb',
        '/impressum',
        '/kontakt',
        '/gibt-es-nicht',
      ];
      for (const path of [
        ...paths,
        '/event',
        '/event/AAAAAAAA',
        `/event/${event.code}`,
        `/event/${event.code}?password=${encodeURIComponent('Größe')}`,
      ]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        for (const violation of await violationsOf(page)) found.push(`${path} ${violation}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (wider > 0) found.push(`${path} is ${wider} px too wide`);
      }
      expect(found).toEqual([]);
      await context.close();
    });

    it("a guest's selection, run and own photos have no violation", async () => {
      const { page, context } = await openPage(browser, server.url, viewport);
      await page.goto(`/event/${event.code}?password=${encodeURIComponent('Größe')}`);
      await page.locator('input[type=file]').setInputFiles([
        { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(viewport.width, 400, 300) },
        { name: 'b.heic', mimeType: 'image/heic', buffer: Buffer.from('kein Bild') },
      ]);
      await page.getByText('HEIC Format').waitFor();
      const found = await violationsOf(page);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Hochladen (2)' }).click();
      // On failure, the message shows all of the page's text.
      await expect.poll(() => page.locator('main').innerText()).toContain(': kein lesbares Bild.');
      found.push(...(await violationsOf(page)));
      await page.getByRole('button', { name: /a\.jpg, ansehen/ }).click();
      await page.getByRole('dialog').waitFor();
      found.push(...(await violationsOf(page)));
      expect(found).toEqual([]);
      await context.close();
    });

    it("the host's pages have no violation", async () => {
      const { page, context } = await openPage(browser, server.url, viewport);
      await page.goto(`/login?username=${event.host.username}&password=${event.host.password}`);
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.waitForURL(`**/manage/${event.code}`);
      await page.getByRole('heading', { name: event.title }).waitFor();
      const found = await violationsOf(page);
      await page.getByRole('button', { name: 'Teilen' }).click();
      await page.getByRole('dialog').waitFor();
      found.push(...(await violationsOf(page)));
      await page.goto(`/gallery/${event.code}`);
      const photo = page.getByRole('button', { name: /^Foto von Anna/ }).first();
      await photo.waitFor();
      found.push(...(await violationsOf(page)));
      await page.getByRole('button', { name: 'Auswählen', exact: true }).click();
      await page
        .getByRole('checkbox', { name: /^Foto von Anna/ })
        .first()
        .click();
      found.push(...(await violationsOf(page)));
      await page.keyboard.press('Escape');
      await photo.click();
      await page.getByRole('button', { name: 'Schließen' }).first().waitFor();
      await page.waitForURL(/\?foto=/);
      await page.goBack();
      await photo.waitFor();
      expect(page.url()).not.toContain('foto');
      await page.goto(`/slideshow/${event.code}`);
      await page.getByRole('img', { name: /^Foto 1 von/ }).waitFor();
      found.push(...(await violationsOf(page)));
      expect(found).toEqual([]);
      await context.close();
    });

    it("the operator's pages have no violation", async () => {
      const { page, context } = await openPage(browser, server.url, viewport);
      await logInAsAdmin(page);
      // If an event runs today, a phone is led to today's page.
      await page.waitForURL(/\/admin(\/heute)?$/);
      await page.goto('/admin?suche=');
      await page.getByRole('button', { name: event.title }).click();
      const found = await violationsOf(page);
      await page.getByRole('button', { name: 'Bearbeiten' }).click();
      await page.getByRole('dialog').waitFor();
      found.push(...(await violationsOf(page)));
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Löschen' }).click();
      await page.getByLabel(/Event-Code/).fill('FALSCH12');
      await page.getByText('Der eingegebene Code stimmt nicht mit dem Event-Code überein.').waitFor();
      found.push(...(await violationsOf(page)));
      await page.keyboard.press('Escape');
      if (viewport === PHONE) {
        await page.setViewportSize({ width: 320, height: 640 });
        for (const path of ['', '/heute', '/einstellungen/mail', '/verbindungen', '/zugang', '/datenschutz']) {
          await page.goto(`/admin${path}?suche=`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - 320);
          if (wider > 0) found.push(`/admin${path} is ${wider} px too wide`);
        }
      }
      expect(found).toEqual([]);
      await context.close();
    });
  });
});
