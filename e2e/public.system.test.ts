import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { adminOf } from './support/api.ts';
import { openPage, PHONE, takenOver } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import type { TestServer } from './support/server.ts';

const ORIGIN = 'https://fotos.lichterfest.example';
const INDEXED = ['/', '/join', '/create', '/kontakt', '/agb', '/datenschutz', '/impressum'];
const FORMS = ['/securejoin', '/login'];
const HTML = { accept: 'text/html' };

describe('public pages', () => {
  let server: TestServer;
  let browser: Browser;
  useServer((started) => ({ server, browser } = started), { PUBLIC_URL: ORIGIN });

  describe('opened one after the other', () => {
    let reader: Page;
    let visitor: Page;
    let errors: string[];

    beforeAll(async () => {
      reader = await (await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })).newPage();
      ({ page: visitor, errors } = await openPage(browser, server.url));
      // The script marks the headline before any module runs: a redrawn page would lose the mark.
      await visitor.addInitScript(() => {
        new MutationObserver((_, observer) => {
          const headline = document.querySelector('h1');
          if (!headline) return;
          Object.assign(headline, { delivered: true });
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
    });
    afterAll(async () => {
      for (const page of [reader, visitor]) await page?.context().close();
    });

    it.each([...INDEXED, ...FORMS, '/gibt-es-nicht'])('%s can be read without JavaScript', async (path) => {
      await reader.goto(path);
      const headline = await reader.locator('h1').innerText();
      expect(await reader.title()).toBe(`${headline.replace(/\s+/g, ' ')} · Feierbild`);
      expect((await reader.locator('main').innerText()).length).toBeGreaterThan(80);
      await expect.poll(() => reader.locator('footer a').count()).toBeGreaterThan(3);
    });

    it.each([...INDEXED, ...FORMS, '/gibt-es-nicht'])('%s is taken over by the browser as it stands', async (path) => {
      await visitor.goto(path);
      // An opening menu proves that the browser has taken over the shell.
      if (await visitor.getByRole('button', { name: 'Menü öffnen' }).isVisible()) {
        await visitor.getByRole('button', { name: 'Menü öffnen' }).click();
        await visitor.getByRole('button', { name: 'Menü schließen' }).waitFor();
      }
      const delivered = await visitor.evaluate(() => Object.hasOwn(document.querySelector('h1') ?? {}, 'delivered'));
      expect(delivered).toBe(true);
      expect(errors.splice(0).filter((error) => !error.includes('404'))).toEqual([]);
    });
  });

  it.each([
    ['/login', 'Benutzername', 'abcdefgh', 'abcdefgh'],
    ['/join', 'Event-Code', 'abc-defgh', 'ABCDEFGH'],
  ])('%s keeps what was typed before its code was there', async (path, label, typed, kept) => {
    const { page, context } = await openPage(browser, server.url);
    const delivered = Promise.withResolvers<void>();
    await context.route(/\/assets\/.*\.js$/, async (route) => {
      await delivered.promise;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByLabel(label).fill(typed);
    if (path === '/login') await page.getByLabel('Passwort').fill('falsch');
    delivered.resolve();
    await takenOver(page);
    await expect.poll(() => page.getByLabel(label).inputValue()).toBe(kept);
    if (path === '/login') {
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.getByText('Ungültige Zugangsdaten').waitFor();
    } else {
      await expect.poll(() => page.getByRole('button', { name: 'Event öffnen' }).isEnabled()).toBe(true);
    }
    await context.close();
  });

  it('keep a form that was sent before their code was there, and send it with the code; no password gets into an address', async () => {
    const { page, context } = await openPage(browser, server.url);
    const begun = Promise.withResolvers<void>();
    const delivered = Promise.withResolvers<void>();
    await context.route(/\/assets\/.*\.js$/, async (route) => {
      await (route.request().url().includes('/start-') ? begun : delivered).promise;
      await route.continue();
    });
    await page.goto('/login', { waitUntil: 'commit' });
    await page.getByLabel('Benutzername').fill('abcdefgh');
    await page.getByLabel('Passwort').fill('falsch');
    await page.getByLabel('Passwort').press('Enter');
    const rest = page.waitForRequest(/\/assets\/main-.*\.js$/);
    begun.resolve();
    await rest;
    await page.getByLabel('Passwort').press('Enter');
    delivered.resolve();
    await page.getByText('Ungültige Zugangsdaten').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });

  it('stay where somebody has scrolled to before their code was there', async () => {
    const { page, context } = await openPage(browser, server.url);
    const delivered = Promise.withResolvers<void>();
    await context.route(/\/assets\/(?!start-).*\.js$/, async (route) => {
      await delivered.promise;
      await route.continue();
    });
    await page.goto('/kontakt', { waitUntil: 'load' });
    await page.getByRole('button', { name: 'Meldung absenden' }).click();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    delivered.resolve();
    await page.getByText('Bitte nennen Sie das Event oder seinen Code.').waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    await context.close();
  });

  it('come to their code as soon as the network lets them, with what was typed and sent until then', async () => {
    const { page, context } = await openPage(browser, server.url);
    let online = false;
    const lost = new Set<string>();
    await context.route(/\/assets\/.*\.js$/, async (route) => {
      const name = new URL(route.request().url()).pathname;
      if (online || name.includes('/start-')) return route.continue();
      lost.add(name);
      await route.abort('connectionfailed');
    });
    await page.goto('/login', { waitUntil: 'load' });
    await expect.poll(() => lost.size).toBeGreaterThan(1);
    await page.getByLabel('Benutzername').fill('abcdefgh');
    await page.getByLabel('Passwort').fill('falsch');
    await page.getByLabel('Passwort').press('Enter');
    online = true;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByText('Ungültige Zugangsdaten').waitFor();
    await context.close();
  });

  it('ask for their code anew where the line has fallen silent', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.clock.install();
    let silent = true;
    let asked = 0;
    await context.route(/\/assets\/main-.*\.js$/, (route) => {
      asked += 1;
      return silent ? undefined : route.continue();
    });
    await page.goto('/join', { waitUntil: 'domcontentloaded' });
    await expect.poll(() => asked).toBe(1);
    silent = false;
    await page.clock.fastForward(31_000);
    await takenOver(page);
    expect(asked).toBeGreaterThan(1);
    await context.close();
  });

  it('load anew, once, where a new version has taken their code away', async () => {
    const { page, context } = await openPage(browser, server.url);
    let gone = true;
    await context.route(/\/assets\/main-.*\.js$/, (route) => (gone ? route.fulfill({ status: 404, body: '' }) : route.continue()));
    const visits: string[] = [];
    await context.route('**/join', (route) => {
      visits.push(route.request().url());
      return route.continue();
    });
    const lost = page.waitForResponse((answer) => visits.length === 2 && answer.status() === 404);
    await page.goto('/join', { waitUntil: 'load' });
    await lost;
    // When the network returns, the page asks again for the file, not for the document.
    const again = page.waitForResponse((answer) => answer.status() === 404);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await again;
    gone = false;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await takenOver(page);
    expect(visits).toHaveLength(2);
    await context.close();
  });

  it('show the way to the operator: telephone, e-mail, WhatsApp, and a map only after a click', async () => {
    const { page, context } = await openPage(browser, server.url);
    const hosts = new Set<string>();
    await context.route(/openstreetmap/, (route) => {
      hosts.add(new URL(route.request().url()).host);
      return route.fulfill({ contentType: 'text/html', body: '<title>Karte</title>' });
    });
    await page.goto('/kontakt');
    expect(await page.getByRole('link', { name: '030 23125 042' }).getAttribute('href')).toBe('tel:+493023125042');
    expect(await page.getByRole('link', { name: 'hallo@lichterfest.example' }).getAttribute('href')).toBe(
      'mailto:hallo@lichterfest.example',
    );
    const chat = new URL((await page.getByRole('link', { name: 'WhatsApp-Chat öffnen' }).getAttribute('href')) ?? '');
    expect([chat.host, chat.searchParams.get('text')]).toEqual(['wa.me', 'Hallo, ich habe eine Anfrage zu Ihrem Eventservice.']);
    await takenOver(page);
    expect([...hosts]).toEqual([]);
    await page.getByRole('link', { name: 'Karte laden (OpenStreetMap)' }).click();
    await page.locator('iframe').waitFor();
    await expect.poll(() => [...hosts]).toEqual(['www.openstreetmap.org']);
    for (const [path, allowed] of [
      ['/kontakt', true],
      ['/', false],
    ] as const) {
      const policy = (await fetch(server.url + path, { headers: HTML })).headers.get('content-security-policy') ?? '';
      expect([path, policy.includes('frame-src')]).toEqual([path, allowed]);
    }
    await context.close();
  });

  it('carry the server’s day in the terms, and not the visitor’s', async () => {
    const { page, context, errors } = await openPage(browser, server.url);
    const stand = page.getByText(/^Stand: /);
    await page.clock.setFixedTime(new Date(Date.now() - 400 * 24 * 60 * 60 * 1000));
    await page.goto('/agb');
    const html = await (await fetch(`${server.url}/agb`, { headers: HTML })).text();
    await takenOver(page);
    await page.getByRole('button', { name: 'Menü öffnen' }).click();
    await page.getByRole('button', { name: 'Menü schließen' }).waitFor();
    expect(html.replaceAll('<!-- -->', '')).toContain(`>${await stand.innerText()}<`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('close their menu also for the page one is on', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/create');
    await page.getByRole('button', { name: 'Menü öffnen' }).click();
    await page.getByRole('link', { name: 'Event erstellen' }).click();
    await page.getByRole('button', { name: 'Menü öffnen' }).waitFor();
    await context.close();
  });

  it('open the menu as a sheet that keeps the focus, and close it by Escape, by a click beside it, and where it leads', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/');
    const toggle = page.locator('button[aria-controls=menue]');
    const expanded = (): Promise<string | null> => toggle.getAttribute('aria-expanded');
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    expect(await expanded()).toBe('false');
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect.poll(expanded).toBe('true');
    expect(await violationsOf(page)).toEqual([]);
    const round = [];
    for (let n = 0; n < 4; n++) {
      await page.keyboard.press('Tab');
      round.push(await focused());
    }
    expect(round).toEqual(['Event verwalten', 'Event erstellen', 'Menü schließen', 'Event verwalten']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Event erstellen');
    await page.keyboard.press('Escape');
    await expect.poll(expanded).toBe('false');
    expect(await focused()).toBe('Menü öffnen');

    await toggle.click();
    await page.mouse.click(100, 700);
    await expect.poll(expanded).toBe('false');
    await toggle.click();
    // On a phone that is turned, the buttons replace the menu and the page is there again.
    await page.setViewportSize({ width: 844, height: 390 });
    await page.getByRole('main').getByRole('link', { name: 'Event anfragen' }).click({ trial: true });
    await page.setViewportSize(PHONE);
    await expect.poll(expanded).toBe('false');
    await toggle.click();
    await page.locator('#menue').getByRole('link', { name: 'Event erstellen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Event erstellen' }).waitFor();
    await expect.poll(expanded).toBe('false');
    await page.getByRole('link', { name: /^Anrufen/ }).click({ trial: true });
    await context.close();
  });

  it('carry the chosen package from the prices into mail and chat', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/create');
    expect(await page.getByRole('link', { name: /^Anrufen/ }).getAttribute('href')).toBe('tel:+493023125042');
    expect(await page.getByRole('link', { name: /hallo@/ }).getAttribute('href')).toBe('mailto:hallo@lichterfest.example');
    await page.goto('/');
    await page.getByRole('link', { name: 'Standard anfragen' }).click();
    await page.getByText('Ihre Wahl: Standard').waitFor();
    expect(new URL(page.url()).pathname).toBe('/create');
    const mail = new URL((await page.getByRole('link', { name: /hallo@/ }).getAttribute('href')) ?? '');
    expect(mail.searchParams.get('subject')).toBe('Anfrage für ein Event: Paket Standard');
    const chat = new URL((await page.getByRole('link', { name: /^WhatsApp/ }).getAttribute('href')) ?? '');
    expect(chat.searchParams.get('text')).toBe('Hallo, ich habe eine Anfrage zu Ihrem Eventservice. Es geht um das Paket „Standard“.');
    // A package in the address is shown only if it exists.
    await page.goto('/create?paket=Gratis');
    expect(await page.getByText('Ihre Wahl').count()).toBe(0);
    await context.close();
  });

  it('take a report of a photo to the operator, after asking for what is missing', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/kontakt');
    await page.getByRole('button', { name: 'Meldung absenden' }).click();
    await page.getByText('Bitte nennen Sie das Event oder seinen Code.').waitFor();
    await page.getByText('Bitte beschreiben Sie, welches Foto Sie meinen.').waitFor();
    await page.getByLabel('Event', { exact: true }).fill('Sommerfest');
    await page.getByLabel('Welches Foto?').fill('Am Grill, etwa 21 Uhr');
    await page.getByLabel('Warum soll es entfernt werden?').fill('Mein Kind ist darauf zu sehen.');
    // The typed text survives a visit of another page.
    await page.getByRole('contentinfo').getByRole('link', { name: 'Impressum' }).click();
    await page.getByRole('heading', { name: 'Impressum', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Warum soll es entfernt werden?').inputValue()).toBe('Mein Kind ist darauf zu sehen.');
    expect(await page.getByLabel('Welches Foto?').inputValue()).toBe('Am Grill, etwa 21 Uhr');
    await page.getByLabel('E\u2011Mail-Adresse (freiwillig)').fill('mutter@beispiel.example');
    await page.getByRole('button', { name: 'Meldung absenden' }).click();
    await page.getByText('Die Meldung ist angekommen.').waitFor();
    // The form is empty after sending, so that nothing is sent twice.
    await page.getByRole('button', { name: 'Meldung schließen' }).click();
    expect(await page.getByLabel('Warum soll es entfernt werden?').inputValue()).toBe('');
    const { reports } = await (await adminOf(server.url)).json<{ reports: object[] }>('GET', '/admin/reports');
    expect(reports).toMatchObject([
      { event: 'Sommerfest', photo: 'Am Grill, etwa 21 Uhr', email: 'mutter@beispiel.example', settled_at: null },
    ]);
    await context.close();
  });
});
