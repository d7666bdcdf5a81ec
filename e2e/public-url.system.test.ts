import { QRCodeSVG } from 'qrcode.react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, dayFromToday, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { useServer } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

const PUBLIC = 'http://fotos.lichterfest.example:8443';

/** Normalizes a path, which may be written as `M4,0 h2` or as `M4 0h2`. */
const inOneSpelling = (path: string | null): string => (path ?? '').replace(/,/g, ' ').replace(/ h/g, 'h');
/** Draws the squares of a QR code; their path does not depend on the size. */
const drawn = (text: string): string[] =>
  [...renderToStaticMarkup(createElement(QRCodeSVG, { value: text })).matchAll(/ d="([^"]+)"/g)].map(([, d = '']) => inOneSpelling(d));
/** Waits for a QR code on the page with this text. */
async function scan(page: Page, name: string, text: string): Promise<void> {
  const paths = page.getByRole('img', { name }).first().locator('path');
  const shown = () => paths.evaluateAll((all) => all.map((path) => path.getAttribute('d')));
  await expect.poll(async () => (await shown()).map(inOneSpelling)).toEqual(drawn(text));
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

  async function open(path: string, client: Client): Promise<Page> {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, client, server.url);
    await page.goto(path);
    return page;
  }

  it('tells messengers what they may show of an event, and browsers none of that', async () => {
    const crawler = { 'user-agent': 'WhatsApp/2.23.20.0', accept: '*/*' };
    const browserHeaders = { 'user-agent': 'Mozilla/5.0 (iPhone)', accept: 'text/html' };
    const of = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(server.url + path, { headers });
      const tags = [...(await answer.text()).matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"/g)];
      return {
        type: answer.headers.get('content-type'),
        vary: answer.headers.get('vary'),
        tags: Object.fromEntries(tags.map(([, name, value]) => [name, value])),
      };
    };
    const page = await of(`/event/${event.code}`, crawler);
    expect(page.type).toBe('text/html; charset=utf-8');
    expect(page.vary).toBe('Accept, Accept-Encoding, User-Agent, Accept-Language, Cookie');
    expect(page.tags).toMatchObject({
      'og:title': event.title.replaceAll('&', '&amp;'),
      'og:description': 'Fotos vom Fest: auswählen, fertig. Ohne App.',
      'og:locale': 'de_DE',
      'twitter:card': 'summary_large_image',
    });
    const picture = page.tags['og:image'] as string;
    expect(picture.startsWith(`${PUBLIC}/api/link-previews/`)).toBe(true);
    const drawn = await fetch(server.url + picture.slice(PUBLIC.length), { headers: crawler });
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await of(`/galerie/${event.code}`, crawler)).tags).toEqual(page.tags);
    expect((await of(`/event/${event.code}`, browserHeaders)).tags).toEqual({});
    expect((await of('/event/ZZZZZZZZ', crawler)).tags).toEqual({});
    for (const path of ['/', '/join'])
      expect((await of(path, crawler)).tags).toMatchObject({
        'og:title': expect.any(String) as string,
        'og:image': `${PUBLIC}/vorschau.png`,
      });
    const script = await fetch(`${server.url}/event/${event.code}`, { headers: { accept: '*/*' } });
    expect([script.headers.get('content-type'), script.headers.get('vary')]).toEqual([
      'application/json; charset=utf-8',
      'Accept, User-Agent',
    ]);
    expect(await (await fetch(`${server.url}/robots.txt`)).text()).toContain('Allow: /api/link-previews/\nDisallow: /api/\n');
  });

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
