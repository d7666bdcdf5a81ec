import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useServer } from './support/use-server.ts';
import type { TestServer } from './support/server.ts';

const ORIGIN = 'https://fotos.lichterfest.example';
const INDEXED = ['/', '/join', '/create', '/kontakt', '/agb', '/datenschutz', '/impressum'];
const FORMS = ['/securejoin', '/login'];
const HTML = { accept: 'text/html' };

describe('what public pages say', () => {
  let server: TestServer;
  let browser: Browser;
  useServer((started) => ({ server, browser } = started), { PUBLIC_URL: ORIGIN });

  it.each(INDEXED)('%s says what it is to search engines and messengers', async (path) => {
    const answer = await fetch(server.url + path, { headers: HTML });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-robots-tag')).toBeNull();
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${path}"/>`);
    expect(html).toMatch(/<meta name="description" content="[^"]{40,200}"\/>/);
    expect(html).toContain(`<meta property="og:image" content="${ORIGIN}/vorschau.png"/>`);
  });

  it('lists just these in the sitemap, and no page of an event, a host or an admin anywhere', async () => {
    const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text();
    expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual(INDEXED.map((path) => ORIGIN + path));
    const robots = await (await fetch(`${server.url}/robots.txt`)).text();
    expect(robots).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    for (const path of [
      '/event/ABCDEFGH',
      '/gallery/ABCDEFGH',
      '/slideshow/ABCDEFGH',
      '/manage',
      '/admin',
      '/login',
      '/download/x',
      '/nichts',
    ]) {
      const { headers } = await fetch(server.url + path, { headers: HTML });
      expect([path, headers.get('x-robots-tag')]).toEqual([path, 'noindex, nofollow']);
    }
  });

  it('need nothing inline and nothing from elsewhere', async () => {
    for (const path of [...INDEXED, ...FORMS]) {
      const html = await (await fetch(server.url + path, { headers: HTML })).text();
      expect(html).not.toMatch(/ style="| on[a-z]+="|<style/);
      const scripts = [...html.matchAll(/<script(.*?)>/g)].map(([, attributes]) => attributes);
      for (const attributes of scripts) expect(attributes).toMatch(/ src="\/assets\/|type="application\/(ld\+)?json"/);
      expect(html).not.toMatch(/ (src|href)="\/\//);
    }
  });

  it('are sent packed, and not again to who has them', async () => {
    const first = await fetch(`${server.url}/agb`, { headers: { ...HTML, 'accept-encoding': 'br' } });
    expect(first.headers.get('content-encoding')).toBe('br');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${server.url}/agb`, { headers: { ...HTML, 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  /** Reads a page's words without JavaScript. */
  const words = async (path: string): Promise<string> => {
    const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(path);
    const text = (await page.locator('main').innerText()).replace(/\s+/g, ' ');
    await context.close();
    return text;
  };

  it('name the prices and what they include', async () => {
    const text = await words('/');
    for (const line of [
      'Basic 20 € ca. 1.000 Fotos 5 GB',
      'Standard beliebt 40 € ca. 2.000 Fotos 15 GB',
      'Premium 80 € ca. 5.000 Fotos 50 GB',
      'Individuell auf Anfrage',
      '50+ GB',
      'Einmalige Zahlung',
      '30 Tage',
      'ca. 5 MB je Foto',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('carry the terms’ numbers', async () => {
    const text = await words('/agb');
    for (const line of [
      `Stand: ${new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Berlin' }).format(new Date())}`,
      'es gilt 14 Tage',
      '40 Euro je Stunde, mindestens für 1 Stunde',
      'Gemietet wird je 24 Stunden',
      'bis 30 Tage vor Beginn 15 %',
      'bis 14 Tage vor Beginn 30 %',
      'bis 7 Tage vor Beginn 60 %',
      'bis 3 Tage vor Beginn 80 %',
      'weniger als 3 Tage vor Beginn 100 %',
      'bis 7 Tage vor der Veranstaltung per Überweisung',
      'innerhalb von 14 Tagen',
      'ab dem 101. Cocktail',
      'mindestens 50 % der geplanten zusätzlichen Cocktails',
      'Ab 3 Tagen vor Beginn kommen 50 % des geplanten Mehrverbrauchs hinzu',
      'Cocktailmaschinen, Beamern, Partyzelten, Stehtischen und Bierzeltgarnituren',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('promise about privacy what the product does', async () => {
    const text = await words('/datenschutz');
    for (const line of [
      'Stand 06.03.2025',
      'spätestens 30 Tage nach dem Event; danach wird der Schlüssel vernichtet',
      'IP\u2011Adressen werden nach 7 Tagen anonymisiert',
      'TLS 1.2/1.3',
      'verschlüsselt gespeichert (AES-256)',
      'Sicherungskopien enthalten, solange es sie gibt, auch schon Gelöschtes',
      'Gäste können ihre eigenen Fotos auf der Upload-Seite ansehen, herunterladen und löschen',
      'Alle Fotos bekommt der Gastgeber; zeigt er eine Slideshow, öffnet er die Galerie für Gäste, macht er ein Foto zum Titelbild oder gibt er Links weiter, sehen sie auch andere.',
      'gesperrte Slideshows: 7 Tage nach der letzten Nutzung, höchstens 30 Tage',
      'Sitzungen: 12 Stunden nach der letzten Nutzung, höchstens 7 Tage',
      'Musterstadt, Deutschland; der Anbieter verarbeitet die Daten in unserem Auftrag.',
    ]) {
      expect(text).toContain(line);
    }
    // Hosts may show a slideshow, and the business file may name a server elsewhere, so the first two would be untrue.
    // The third is true only where the checks have seen backups expire; nothing backs this server up.
    for (const never of [/sonst niemand/, /findet nicht statt/, /Sicherungskopien werden höchstens/]) expect(text).not.toMatch(never);
  });
});
