import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { texts as turkish } from '../web/src/languages/tr/texts.ts';
import { createEvent, dayFromToday, deviceOf, hostOf, upload, type Client } from './support/api.ts';
import { openPage, PHONE, takenOver } from './support/browser.ts';
import { useAdmin } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

const WRONG_CODES = 60;
const TITLE = 'Anna </script><script>alert(1)</script> & "Jörg"';
/** Largest sum of a page's layout shifts, as browsers score them; above 0.1 a page counts as restless (web.dev/cls). */
const MOST_SHIFT = 0.02;
const PASSWORD = 'Konfetti 100%';

describe("the guests' page as the server draws it", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin((started) => ({ server, browser, admin } = started));

  const documentOf = (path: string) => fetch(server.url + path, { headers: { accept: 'text/html' } });

  it('shows title and form before any script, to this guest alone, and no password', async () => {
    const event = await createEvent(admin, { title: TITLE, subtitle: 'Schön, dass ihr da seid!' });
    const answer = await documentOf(`/event/${event.code}`);
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')]).toEqual([
      200,
      'private, no-cache',
      'noindex, nofollow',
    ]);
    expect(answer.headers.get('vary')).toContain('Accept');
    const html = await answer.text();
    expect(html).not.toContain('<script>alert');
    expect(html).not.toMatch(/ style="|<style/);
    const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`/event/${event.code}`);
    expect([await page.locator('h1').innerText(), await page.title()]).toEqual([TITLE, `${TITLE} · Feierbild`]);
    await page.getByText('Schön, dass ihr da seid!').waitFor();
    await page.getByLabel('Dein Name').waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(1);
    await context.close();
  });

  it('is German, offers the language of the phone, and speaks the one that a guest has chosen, on the next page too', async () => {
    const event = await createEvent(admin, { title: TITLE });
    const of = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(server.url + path, { headers: { accept: 'text/html', ...headers } });
      const html = await answer.text();
      const [, lang = ''] = /<html lang="(\w+)"/.exec(html) ?? [];
      const [, offered = ''] = / class="offer" lang="(\w+)"/.exec(html) ?? [];
      return { lang, offered, cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '', vary: answer.headers.get('vary') };
    };
    const path = `/event/${event.code}`;
    const vary = 'Accept, Accept-Encoding, User-Agent, Accept-Language, Cookie';
    expect(await of(path)).toEqual({ lang: 'de', offered: '', cookie: '', vary });
    expect(await of(path, { 'accept-language': 'de-AT,en;q=0.5' })).toMatchObject({ lang: 'de', offered: '' });
    // A phone whose language has no translation is offered English.
    expect(await of(path, { 'accept-language': 'fr-FR,fr;q=0.9' })).toMatchObject({ lang: 'de', offered: 'en', cookie: '' });
    const chosen = await of(`${path}?lang=en`, { 'accept-language': 'fr-FR' });
    expect(chosen).toMatchObject({ lang: 'en', offered: '', cookie: 'feierbild_language=en' });
    expect(await of(`/freigabe/${event.code}`, { 'accept-language': 'tr' })).toMatchObject({ lang: 'de', offered: 'tr', vary });
    expect(await of('/join', { cookie: chosen.cookie })).toMatchObject({ lang: 'en', offered: '', cookie: '' });
    expect(await of(`${path}?lang=de`, { cookie: chosen.cookie, 'accept-language': 'en' })).toMatchObject({ lang: 'de', offered: '' });
    const host = await hostOf(server.url, event);
    await host.json('PUT', `/api/events/${event.code}/phone-language`, { value: true });
    for (const page of ['event', 'galerie', 'freigabe'])
      expect(await of(`/${page}/${event.code}`, { 'accept-language': 'pl' })).toMatchObject({ lang: 'pl', offered: '', vary });
    for (const page of ['securejoin', 'join', 'datenschutz'])
      for (const [code, spoken] of [
        [event.code, { lang: 'pl', offered: '' }] as const,
        ['AAAAAAAA', { lang: 'de', offered: 'pl' }] as const,
      ])
        expect(await of(`/${page}?code=${code}`, { 'accept-language': 'pl' })).toMatchObject({ ...spoken, cookie: '', vary });
    expect(await of(path)).toMatchObject({ lang: 'de' });
    expect(await of(`${path}?lang=constructor&lang=en`)).toMatchObject({ lang: 'de', cookie: '' });
    expect(await of('/login', { cookie: chosen.cookie })).toMatchObject({ lang: 'de', vary: 'Accept, Accept-Encoding, User-Agent' });
  });

  it("speaks the phone's language where the host wants it, before the event opens, at its password and on pages that it leads to", async () => {
    const { guest, join, shell, privacy } = turkish;
    const later = await createEvent(admin, { start_date: '2035-06-01', end_date: '2035-06-01' });
    const locked = await createEvent(admin, { with_upload_password: true, user_upload_password: PASSWORD });
    for (const event of [later, locked]) {
      const host = await hostOf(server.url, event);
      await host.json('PUT', `/api/events/${event.code}/phone-language`, { value: true });
    }
    const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, locale: 'tr-TR' });
    const page = await context.newPage();
    await page.goto(`/event/${later.code}`);
    await page.getByRole('heading', { name: guest.page.notOpen }).waitFor();
    await page.getByRole('link', { name: guest.page.enterCode }).click();
    await page.getByRole('heading', { name: join.title }).waitFor();
    await page.goto(`/event/${locked.code}`);
    await page.getByRole('link', { name: guest.page.unlock }).click();
    await page.getByLabel(join.password, { exact: true }).fill(PASSWORD);
    await page.getByRole('link', { name: shell.privacy }).click();
    await page.getByRole('heading', { name: privacy.title }).waitFor();
    await page.goBack();
    await page.getByLabel(join.password, { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: join.open }).click();
    await page.getByLabel(guest.form.name).waitFor();
    const [opened] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: shell.privacy }).last().click()]);
    await opened.getByRole('heading', { name: privacy.title }).waitFor();
    expect((await context.cookies()).filter(({ name }) => name.includes('language'))).toEqual([]);
    await context.close();
  });

  it('keeps what its address says for another language, in every encoding, and costs other addresses nothing', async () => {
    const event = await createEvent(admin, { title: TITLE });
    const of = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${server.url}/event/${event.code}${query}`, {
        headers: { accept: 'text/html', 'accept-language': 'tr', ...headers },
      });
      return { status: answer.status, etag: answer.headers.get('etag') ?? '', html: await answer.text() };
    };
    const plain = await of('');
    expect(plain.html.match(/<form [^>]*method="get"/g)).toHaveLength(2);
    expect(plain.html).not.toContain('type="hidden"');
    expect(await of('?utm_source=chat&fbclid=1')).toEqual(plain);
    const query = `?password=${encodeURIComponent('"><script>alert(1)</script>')}`;
    const field = '<input type="hidden" name="password" value="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;"/>';
    const kept = await of(query);
    expect(kept.html.split(field)).toHaveLength(3);
    for (const encoding of ['br', 'gzip', 'identity']) expect(await of(query, { 'accept-encoding': encoding })).toEqual(kept);
    expect(kept.etag).not.toBe(plain.etag);
    expect(await of(query, { 'if-none-match': kept.etag })).toMatchObject({ status: 304, html: '' });
    expect(await of(`${query}1`, { 'if-none-match': kept.etag })).toMatchObject({ status: 200 });
  });

  it('says what stands in the way: a password, uploads switched off, an event that is not open, a wrong code', async () => {
    const locked = await createEvent(admin, { with_upload_password: true, user_upload_password: PASSWORD });
    const off = await createEvent(admin, { with_user_upload: false });
    const later = await createEvent(admin, { start_date: '2035-06-01', end_date: '2035-06-01' });
    const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
    const page = await context.newPage();
    for (const [path, text] of [
      [locked.code, 'Passwort erforderlich'],
      [`${locked.code}?password=falsch`, 'Dateien auswählen'],
      [off.code, 'Für dieses Event sind Uploads ausgeschaltet.'],
      [later.code, 'Noch nicht geöffnet'],
      ['AAAAAAAA', 'Ungültiger oder abgelaufener Event-Code'],
    ] as const) {
      await page.goto(`/event/${path}`);
      await page.getByText(text).first().waitFor();
      expect(await page.content()).not.toContain('Konfetti');
    }
    await context.close();
    const guest = await openPage(browser, server.url);
    await guest.page.goto(`/event/${locked.code}?password=falsch`);
    await guest.page.getByText('Das Passwort in diesem Link stimmt nicht (mehr).').waitFor();
    await guest.page.goto(`/event/${locked.code}?password=${encodeURIComponent(PASSWORD)}`);
    await takenOver(guest.page);
    await guest.page.getByLabel('Dein Name').waitFor();
    await guest.context.close();
  });

  it('is taken over as it stands, with what was typed, ticked and picked before its code came, and asks for the event no more', async () => {
    const event = await createEvent(admin);
    const { page, context, errors } = await openPage(browser, server.url);
    const asked: string[] = [];
    page.on('request', (request) => request.resourceType() === 'fetch' && asked.push(new URL(request.url()).pathname));
    const delivered = Promise.withResolvers<void>();
    await context.route(/\/assets\/(?!start-).*\.js$/, async (route) => {
      await delivered.promise;
      await route.continue();
    });
    await page.goto(`/event/${event.code}`, { waitUntil: 'load' });
    await page.locator('h1').evaluate((headline) => Object.assign(headline, { delivered: true }));
    await page.getByLabel('Dein Name').fill('Sofia');
    await page.getByRole('checkbox').check();
    await page.locator('input[type=file]').setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(1) }]);
    delivered.resolve();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    expect(await page.locator('h1').evaluate((headline) => Object.hasOwn(headline, 'delivered'))).toBe(true);
    await page.getByRole('heading', { name: 'Danke, Sofia!' }).waitFor();
    expect(asked).not.toContain(`/event/${event.code}`);
    // The browser keeps the name, which the server does not know.
    await page.reload();
    await takenOver(page);
    await expect.poll(() => page.getByLabel('Dein Name').inputValue()).toBe('Sofia');
    expect(errors).toEqual([]);
    await context.close();
  });

  it('stands still when the list of own photos comes: with photos, without, and where uploads are switched off', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url);
    // On a slow phone, late parts come well after the first paint.
    const cpu = await context.newCDPSession(page);
    await cpu.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await context.route('**/my-photos', async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      // Waits for the typefaces, because the bench (Lighthouse) measures shifts that they cause by loading late.
      await page.evaluate(async () => {
        await document.fonts.ready;
        performance.mark('own-photos');
      });
      await route.continue();
    });
    expect(await layoutShift(page, `/event/${event.code}`, 'Dein Name')).toBe(0);
    const device = await page.evaluate(() => localStorage.getItem('device_id') ?? '');
    for (let n = 0; n < 6; n++) await upload({ url: server.url, code: event.code, device, file: await drawPhoto(n) });
    expect(await layoutShift(page, `/event/${event.code}`, 'Meine Fotos')).toBeLessThanOrEqual(MOST_SHIFT);
    const link = page.getByRole('link', { name: 'Meine Fotos (6)' });
    await link.click();
    const newest = page.getByRole('region', { name: 'Meine Fotos' }).getByRole('button').first();
    await expect.poll(() => newest.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(PHONE.height);
    await admin.json('PUT', `/admin/events/${event.id}`, {
      title: event.title,
      start_date: dayFromToday(0),
      end_date: dayFromToday(0),
      with_user_upload: false,
    });
    expect(await layoutShift(page, `/event/${event.code}`, 'Meine Fotos')).toBeLessThanOrEqual(MOST_SHIFT);
    await context.close();
  });

  it('counts wrong codes like the call does, and opens for right ones all the same', async () => {
    const event = await createEvent(admin);
    for (let n = 0; n < WRONG_CODES; n++) await (await documentOf('/event/BBBBBBBB')).arrayBuffer();
    const device = await deviceOf(server.url);
    expect((await fetch(`${server.url}/event/BBBBBBBB`, { headers: { 'device-id': device } })).status).toBe(429);
    expect(await (await documentOf('/event/BBBBBBBB')).text()).toContain('Zu viele');
    expect(await (await documentOf(`/event/${event.code}`)).text()).toContain('Dein Name');
  });
});

/** Opens a page and sums its layout shifts from the mark „own-photos“ until `text` is there and drawn. */
async function layoutShift(page: Page, path: string, text: string): Promise<number> {
  // On a slow machine, the network can be idle for long before the page asks for its photos.
  const asked = page.waitForResponse('**/my-photos');
  await page.goto(path);
  await takenOver(page);
  await (await asked).finished();
  await page.getByText(text, { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  const shifts = (): Promise<number> =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          const from = performance.getEntriesByName('own-photos')[0]?.startTime ?? 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (entry.startTime > from) sum += (entry as unknown as { value: number }).value;
          }).observe({ type: 'layout-shift', buffered: true });
          // Recorded shifts arrive in a task of their own.
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
        }),
    );
  const sum = await shifts();
  // A shift made on purpose shows that this browser reports shifts.
  await page.evaluate(() => document.querySelector('h1')?.style.setProperty('margin-top', '300px'));
  await expect.poll(shifts).toBeGreaterThan(sum + 0.1);
  return sum;
}
