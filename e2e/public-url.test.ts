import { QRCodeSVG } from 'qrcode.react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, dayFromToday, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

const PUBLIC = 'http://fotos.lichterfest.example:8443';

/** What a QR code with this text looks like, whatever its size. */
const drawn = (text: string): string[] =>
  [...renderToStaticMarkup(createElement(QRCodeSVG, { value: text })).matchAll(/ d="([^"]+)"/g)].map(([, d = '']) => d);
/** Waits for a QR code on the page with this text. */
async function scan(page: Page, name: string, text: string): Promise<void> {
  const paths = page.getByRole('img', { name }).first().locator('path');
  await expect.poll(() => paths.evaluateAll((all) => all.map((path) => path.getAttribute('d')))).toEqual(drawn(text));
}

describe('a site with a public address, opened at another one', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let admin: Client;
  useServer(
    async (started) => {
      ({ server, browser } = started);
      admin = await adminOf(server.url);
      event = await createEvent(admin);
      await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(7, 640, 480) });
    },
    { PUBLIC_URL: PUBLIC },
  );

  async function open(path: string, { cookies }: Client): Promise<Page> {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.url })));
    await page.goto(path);
    return page;
  }

  it('names it in all that a host passes on', async () => {
    const page = await open(`/manage/${event.code}`, await hostOf(server.url, event));
    await page.getByRole('button', { name: 'Teilen' }).click();
    await page.getByText(`${PUBLIC}/event/${event.code}`).waitFor();
    await scan(page, `QR-Code zum Event ${event.title}`, `${PUBLIC}/event/${event.code}`);

    await page.goto(`/manage/${event.code}/karten`);
    await page.getByText('fotos.lichterfest.example:8443/join').first().waitFor();
    await scan(page, `QR-Code zum Event ${event.title}`, `${PUBLIC}/event/${event.code}`);

    await page.goto(`/gallery/${event.code}`);
    await page
      .getByRole('button', { name: /^Foto von/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Link zum Weitergeben' }).click();
    const link = (await page.getByText(/\/download\/[\w-]{43}$/).textContent()) ?? '';
    expect(new URL(link).origin).toBe(PUBLIC);
    await scan(page, 'QR-Code zum Download des Fotos', link);
    await page.context().close();
  });

  it('names it in the slideshow’s invitation', async () => {
    const device = await deviceOf(server.url);
    for (let n = 0; n < 5; n++) await upload({ url: server.url, code: event.code, device, file: await drawPhoto(20 + n, 320, 240) });
    const page = await open(`/slideshow/${event.code}`, await hostOf(server.url, event));
    await page.getByRole('button', { name: 'QR-Code einblenden' }).click();
    await scan(page, 'QR-Code zum Event', `${PUBLIC}/event/${event.code}`);
    await page.context().close();
  });

  it('names it on the slip with a host’s access', async () => {
    const today = dayFromToday(0);
    const fresh = { title: 'Fest ohne Zugang', start_date: today, end_date: today };
    const { code } = await admin.json<{ code: string }>('POST', '/admin/create_event', fresh, 201);
    const page = await open('/admin', admin);
    await page.getByText(fresh.title).first().click();
    await page.getByRole('button', { name: 'Zugang erstellen' }).click();
    await page.getByText(`${PUBLIC}/login`, { exact: true }).waitFor();
    await scan(page, 'QR-Code zur Anmeldung', `${PUBLIC}/login?username=${code}`);
    await page.context().close();
  });
});
