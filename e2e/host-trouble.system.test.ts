import type { Browser, BrowserContext, Page, Route } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import {
  adminOf,
  createClient,
  createEvent,
  deviceOf,
  hostOf,
  OPEN_GALLERY,
  upload,
  type Client,
  type EventUnderTest,
} from './support/api.ts';
import { DESKTOP, expectLogged, openPage } from './support/browser.ts';
import { openLive } from './support/live.ts';
import { useAdmin } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

/** Distance of a few lines of text. */
const BESIDE_PX = 150;
const NO_CONNECTION = 'Keine Verbindung. Bitte das Netz prüfen und es erneut versuchen.';

describe('where the server does not answer as it should', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let event: EventUnderTest;
  let page: Page;
  let context: BrowserContext;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    event = await createEvent(admin);
  });
  beforeEach(async () => {
    ({ page, context } = await openPage(browser, server.url, DESKTOP));
    return () => context.close();
  });

  const enter = (client: Client): Promise<void> => takeOver(context, client, server.url);
  const enterAsHost = async (): Promise<void> => enter(await hostOf(server.url, event));
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });

  it.each([
    ['the dashboard', '/manage/CODE', 'Fehler aufgetreten', 'Hochzeit Anna & Jörg', 500],
    ['the table cards', '/manage/CODE/karten', 'Fehler aufgetreten', 'Tischkarten', 503],
    ['the gallery', '/gallery/CODE', 'Fehler', 'Hochzeit Anna & Jörg', 502],
    ['the slideshow', '/slideshow/CODE', 'Hoppla!', 'Fast geschafft!', 0],
  ])('%s says so when nobody can tell who is there, and opens by itself when somebody can', async (_, path, failed, opened, status) => {
    await enterAsHost();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/auth/check', async (route: Route) => {
      await held;
      await (status === 0 ? route.abort() : route.fulfill({ status, body: '' }));
    });
    await page.goto(path.replace('CODE', event.code));
    await page.getByText('Einen Moment …').waitFor();
    answer();
    await heading(failed).waitFor();
    if (status === 0) await page.getByText(NO_CONNECTION).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    if (path.startsWith('/slideshow')) {
      const background = await heading(failed).evaluate(
        (title) => getComputedStyle(title.closest('[class*=room]') as Element).backgroundColor,
      );
      expect(Math.max(...(background.match(/\d+/g) ?? ['255']).map(Number))).toBeLessThan(60);
    }
    await page.unroute('**/auth/check');
    await heading(opened).waitFor();
  });

  it('the page opens at once for who asks it to', async () => {
    await enterAsHost();
    await page.clock.install();
    await page.route('**/auth/check', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`/manage/${event.code}`);
    // The page's second attempt follows after a second.
    await page.clock.runFor(2000);
    await heading('Fehler aufgetreten').waitFor();
    await page.unroute('**/auth/check');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await heading(event.title).waitFor();
  });

  it.each([
    ['the dashboard', '/manage/CODE', '**/api/events/*', 'Fehler aufgetreten', 'Hochzeit Anna & Jörg'],
    ['the table cards', '/manage/CODE/karten', '**/api/events/*', 'Fehler aufgetreten', 'Tischkarten'],
    ['the gallery', '/gallery/CODE', '**/photos?*', 'Fehler', 'Hochzeit Anna & Jörg'],
    ['the guard before them', '/manage', '**/auth/check', 'Fehler aufgetreten', 'Hochzeit Anna & Jörg'],
  ])(
    '%s neither goes to the login nor says that the event is gone because of what a proxy answers',
    async (_, path, asked, failed, opened) => {
      await enterAsHost();
      for (const answer of [
        { status: 401, contentType: 'text/plain', body: 'Unauthorized' },
        { status: 404, json: { error: 'Event nicht gefunden' } },
      ]) {
        await page.route(asked, (route) => route.fulfill(answer));
        await page.goto(path.replace('CODE', event.code));
        await heading(failed).waitFor();
        expect(new URL(page.url()).pathname).toBe(path.replace('CODE', event.code));
        await page.unroute(asked);
        await page.getByRole('button', { name: 'Erneut versuchen' }).click();
        await heading(opened).waitFor();
      }
    },
  );

  it('the table cards keep what the host has chosen while their link is read again', async () => {
    await enterAsHost();
    await page.route('**/api/events/*/gallery', (route) => route.fulfill({ status: 401, contentType: 'text/plain', body: 'Unauthorized' }));
    await page.goto(`/manage/${event.code}/karten`);
    const unknown = page.getByText('Ob diese Karten auch die Galerie für Gäste öffnen sollen, ist noch nicht bekannt');
    const evening = page.getByRole('radio', { name: 'Abend' });
    await unknown.waitFor();
    await evening.check();
    await page.unroute('**/api/events/*/gallery');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await unknown.waitFor({ state: 'detached' });
    expect(await evening.isChecked()).toBe(true);
  });

  it('„Event teilen“ shows no code before it is known whether that opens the gallery, and says where it is not known', async () => {
    const party = await createEvent(admin, { title: 'Gartenfest' });
    const host = await hostOf(server.url, party);
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${party.code}/gallery`, OPEN_GALLERY);
    await enter(host);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/events/*/gallery', async (route) => {
      await held;
      await route.fulfill({ status: 401, contentType: 'text/plain', body: 'Unauthorized' });
    });
    await page.goto(`/manage/${party.code}`);
    await page.getByRole('button', { name: 'Teilen', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Event teilen' });
    await dialog.getByText('Einen Moment …').waitFor();
    const code = dialog.getByRole('img', { name: /^QR-Code/ });
    expect(await code.count()).toBe(0);
    answer();
    const unknown = dialog.getByText('Ob dieser Link auch die Galerie für Gäste öffnen soll, ist noch nicht bekannt');
    await unknown.waitFor();
    await code.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute('**/api/events/*/gallery');
    await dialog.getByRole('button', { name: 'Erneut versuchen' }).click();
    await dialog.getByText(`${server.url}/event/${party.code}#${url.split('#')[1]}`, { exact: true }).waitFor();
    expect(await unknown.count()).toBe(0);
  });

  it('a login says only by the server’s own word that the password is wrong', async () => {
    await page.route('**/auth/user/login', (route) => route.fulfill({ status: 401, json: { error: 'Invalid credentials' } }));
    await page.goto('/login');
    await page.getByLabel('Benutzername').fill(event.code);
    await page.getByLabel('Passwort').fill('falsch');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('alert').getByText('Unbekannter Fehler ist aufgetreten').waitFor();
    await page.unroute('**/auth/user/login');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('alert').getByText('Ungültige Zugangsdaten').waitFor();
  });

  it('the gallery has words for an answer without any', async () => {
    await enterAsHost();
    await page.route('**/photos?*', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(`/gallery/${event.code}`);
    await heading('Fehler').waitFor();
    await page.getByText('Ein unerwarteter Fehler ist aufgetreten').waitFor();
  });

  it.each([
    ['the host', '/manage/CODE', '/login'],
    ['the administrator', '/admin', '/admin/login'],
  ])('%s is told that the logout failed, and stays', async (who, path, login) => {
    await enter(who === 'the host' ? await hostOf(server.url, event) : await adminOf(server.url));
    await page.goto(path.replace('CODE', event.code));
    await page.route('**/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('alert').getByText(NO_CONNECTION).waitFor();
    expect(new URL(page.url()).pathname).toBe(path.replace('CODE', event.code));
    await page.unroute('**/auth/logout');
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.waitForURL(`**${login}`);
  });

  it("a host's page whose event a proxy does not bring opens by itself once it does", async () => {
    await enterAsHost();
    const path = `/api/events/${event.code}`;
    let refused = 0;
    await page.route(`**${path}`, (route) =>
      ++refused > 2 ? route.continue() : route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
    );
    await page.goto(`/manage/${event.code}/karten`);
    await heading('Fehler aufgetreten').waitFor();
    await heading('Tischkarten').waitFor();
  });

  it('the administration says that it is offline, wherever one is, and goes on when it is not', async () => {
    await enter(admin);
    await page.goto('/admin?suche=');
    await page.getByRole('button', { name: event.title }).waitFor();
    await context.setOffline(true);
    await page.getByPlaceholder('Titel, Kunde, Code oder Tag suchen').fill('Hochzeit Anna');
    await page.getByText(NO_CONNECTION).waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: event.title }).waitFor();
    await page.getByText(NO_CONNECTION).waitFor({ state: 'detached' });
  });

  it('what the host has typed stays where the session has ended, also for who comes back to the window', async () => {
    const own = await createEvent(admin, { title: 'Abgemeldet' });
    await enter(await hostOf(server.url, own));
    await page.goto(`/manage/${own.code}`);
    await page.getByRole('button', { name: 'Aussehen ändern' }).click();
    const welcome = page.getByLabel('Ein Satz für Ihre Gäste');
    await welcome.fill('Schön, dass ihr da seid!');
    await admin.json('PUT', `/admin/events/${own.id}/user/password`, {}, 200);
    const asked = page.waitForResponse(/\/auth\/check$/);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    expect(await (await asked).json()).toMatchObject({ authenticated: false });
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('dialog').getByText('Ihre Anmeldung ist abgelaufen. Was Sie eingegeben haben, steht noch hier').waitFor();
    expect(await welcome.inputValue()).toBe('Schön, dass ihr da seid!');
    // Once nothing typed is left, the page goes to the login.
    await welcome.fill('');
    await page.waitForURL(/\/login\?redirect=/);
  });

  it.each([
    ['the dashboard', '/manage/CODE', /^Verstanden$/],
    ['the reports', '/admin/meldungen', /^Als erledigt markieren$/],
    ['an event’s row', '/admin?suche=CODE', /inladen$/],
  ])('in %s what fails is said beside what was pressed', async (_, path, name) => {
    const { code, id, title } = await createEvent(admin, { title: 'Ohne Netz' });
    const { new_password: password } = await admin.json<{ new_password: string }>('PUT', `/admin/events/${id}/user/password`, {}, 200);
    const host = createClient(server.url);
    await host.json('POST', '/auth/user/login', { username: code, password }, 200);
    await host.json('POST', '/api/reports', { event: title, photo: 'Ich vor der Torte', reason: 'Ich bin darauf.' }, 201);
    await enter(path.startsWith('/admin') ? admin : host);
    await page.goto(path.replace('CODE', code));
    if (path.includes('suche')) await page.getByRole('button', { name: title }).click();
    const button = page.getByRole('button', { name }).first();
    await button.waitFor();
    await context.setOffline(true);
    await button.click();
    // A list that could not be read again shows the same text above itself.
    const nearest = async (): Promise<number> => {
      const { y = 0 } = (await button.boundingBox()) ?? {};
      const tops = await page.getByText(NO_CONNECTION).evaluateAll((all) => all.map((said) => said.getBoundingClientRect().top));
      return Math.min(...tops.map((top) => Math.abs(y - top)));
    };
    await expect.poll(nearest).toBeLessThan(BESIDE_PX);
    await context.setOffline(false);
  });

  it('who is led to the login gets back with one step', async () => {
    await page.goto('/join');
    await page.goto(`/gallery/${event.code}`);
    await page.waitForURL('**/login?redirect=*');
    await page.goBack();
    await page.waitForURL('**/join');
    await page.goto('/kontakt');
    await page.goto('/admin');
    await page.waitForURL('**/admin/login?redirect=*');
    await page.goBack();
    await page.waitForURL('**/kontakt');
  });

  it('who is logged in already is led on by the login at once', async () => {
    const host = await hostOf(server.url, event);
    const { page: other, context: own } = await openPage(browser, server.url);
    await takeOver(own, host, server.url);
    await other.goto(`/login?redirect=${encodeURIComponent(`/freigabe/${event.code}`)}`);
    await other.waitForURL(`**/freigabe/${event.code}`);
    await own.close();
  });

  it('who stays, asked in the middle of a run whether to leave for the login, is asked again at the next refusal', async () => {
    const device = await deviceOf(server.url);
    await upload({ url: server.url, code: event.code, device, file: await drawPhoto(1, 320, 240) });
    await enterAsHost();
    await page.clock.install();
    await page.goto(`/gallery/${event.code}`);
    await page.getByRole('checkbox', { name: /^Auswählen: Foto von/ }).click();
    let asked = 0;
    expectLogged(page.context(), /: x\n/);
    page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.dismiss();
    });
    await page.route(/\/api\/photos\/[^/]+$/, (route) => route.fulfill({ status: 401, json: { error: 'x', code: 'login_required' } }));
    for (const times of [1, 2]) {
      await page.getByRole('button', { name: 'Löschen', exact: true }).click();
      await page.getByRole('button', { name: 'Endgültig löschen' }).click();
      await expect.poll(() => asked).toBe(times);
      await page.getByText('Bei einem Foto ging es nicht, es bleibt ausgewählt.').waitFor();
      await page.clock.runFor(6000);
    }
  });

  it('the administrator reads the one text for all errors, and how long to wait', async () => {
    const body = JSON.stringify({ username: 'niemand', password: 'falsch' });
    const headers = { 'content-type': 'application/json' };
    const login = () => createClient(server.url).request('/auth/admin/login', { method: 'POST', body, headers });
    await expect.poll(async () => (await login()).status).toBe(429);
    await page.goto('/admin/login');
    await page.getByLabel('Benutzername').fill('niemand');
    await page.getByLabel('Passwort').fill('falsch');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('alert').getByText('Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.').waitFor();
    await page.getByRole('alert').getByText('Zu viele Versuche').waitFor();
    expect(await page.getByLabel('Passwort').inputValue()).toBe('');
  });

  it('the dashboard follows what the host switched elsewhere', async () => {
    await enterAsHost();
    expectLogged(page.context(), /Keine Verbindung/);
    await openLive(page, `/manage/${event.code}`);
    const random = page.getByRole('switch', { name: 'Slideshow in zufälliger Reihenfolge' });
    expect(await random.getAttribute('aria-checked')).toBe('false');
    const host = await hostOf(server.url, event);
    await host.json('PUT', `/api/events/${event.code}/random_slideshow`, { value: true });
    const device = await deviceOf(server.url);
    await upload({ url: server.url, code: event.code, device, file: await drawPhoto(2, 320, 240) });
    await expect.poll(() => random.getAttribute('aria-checked')).toBe('true');
    await random.click();
    await expect.poll(() => random.getAttribute('aria-checked')).toBe('false');
    await expect
      .poll(async () => (await host.json<{ with_random_slideshow: boolean }>('GET', `/api/events/${event.code}`)).with_random_slideshow)
      .toBe(false);
    await page.route('**/random_slideshow', (route) => route.abort());
    await random.click();
    await expect.poll(() => random.getAttribute('aria-checked')).toBe('false');
  });
});
