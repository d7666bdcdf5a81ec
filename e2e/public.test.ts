import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from './support/browser.ts';
import { startServer, type TestServer } from './support/server.ts';

const ORIGIN = 'https://fotos.lichterfest.example';
const INDEXED = ['/', '/join', '/create', '/kontakt', '/agb', '/datenschutz', '/impressum'];
const FORMS = ['/securejoin', '/login'];
const HTML = { accept: 'text/html' };

describe('public pages', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ PUBLIC_URL: ORIGIN }), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  it.each([...INDEXED, ...FORMS, '/gibt-es-nicht'])('%s can be read without JavaScript', async (path) => {
    const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(path);
    const headline = await page.locator('h1').innerText();
    expect(await page.title()).toBe(`${headline.replace(/\s+/g, ' ')} · Feierbild`);
    expect((await page.locator('main').innerText()).length).toBeGreaterThan(80);
    await expect.poll(() => page.locator('footer a').count()).toBeGreaterThan(3);
    await context.close();
  });

  it.each([...INDEXED, ...FORMS, '/gibt-es-nicht'])('%s is taken over by the browser as it stands', async (path) => {
    const { page, context, errors } = await openPage(browser, server.url);
    // Marks the headline before any module runs: a redrawn page would lose it.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const headline = document.querySelector('h1');
        if (!headline) return;
        Object.assign(headline, { delivered: true });
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    // The shell is the browser's own from here on: a menu that opens proves that it was taken over.
    if (await page.getByRole('button', { name: 'Menü öffnen' }).isVisible()) {
      await page.getByRole('button', { name: 'Menü öffnen' }).click();
      await page.getByRole('button', { name: 'Menü schließen' }).waitFor();
    }
    const delivered = await page.evaluate(() => Object.hasOwn(document.querySelector('h1') ?? {}, 'delivered'));
    // Forms that read the address are drawn anew once it may be read.
    expect(delivered).toBe(!FORMS.includes(path));
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
    await context.close();
  });

  it.each(INDEXED)('%s says what it is to search engines and messengers', async (path) => {
    const answer = await fetch(server.url + path, { headers: HTML });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-robots-tag')).toBeNull();
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${path}">`);
    expect(html).toMatch(/<meta name="description" content="[^"]{40,200}">/);
    expect(html).toContain(`<meta property="og:image" content="${ORIGIN}/vorschau.png">`);
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
});
