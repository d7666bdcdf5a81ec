import { DAY } from '@feierbild/contract/constants.ts';
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, dayFromToday, deviceOf, hostOf, OPEN_GALLERY, upload, type Client, type EventUnderTest } from './support/api.ts';
import { standStill } from './support/clock.ts';
import { DESKTOP, expectLogged, openPage, PHONE } from './support/browser.ts';
import { inItsTime } from './support/clock.ts';
import { beforeEachGallery, listPhotos, thumbnailsOf } from './support/gallery.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

describe("the guests' gallery", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let pictures: Buffer[];
  let event: EventUnderTest;
  let host: Client;
  let anna: string;
  let context: BrowserContext;
  let page: Page;

  beforeEachGallery((opened) => ({ server, browser, admin, pictures, event, host, anna } = opened));
  afterEach(() => context.close());

  const set = (settings: object): Promise<{ url: string }> => host.json('PUT', `/api/events/${event.code}/gallery`, settings);
  async function arrive(viewport = PHONE, device?: string): Promise<void> {
    ({ page, context } = await openPage(browser, server.url, viewport));
    if (device) await context.addCookies([{ name: 'feierbild_device', value: device, url: server.url }]);
  }
  async function visit(path: string, viewport = PHONE, device?: string): Promise<void> {
    await arrive(viewport, device);
    await page.goto(path);
  }
  /** Visits a page that looks for news from time to time; its time passes faster while `sees` waits. */
  async function follow(path: string, device?: string): Promise<void> {
    await arrive(PHONE, device);
    await page.clock.install();
    await page.goto(path);
  }
  const sees = (part: Locator) => inItsTime(page, () => part.first().isVisible());
  const photos = () => page.locator('[data-photo]');

  it('opens by its link, which then is gone from the address, and shows a guest what is shown, to look at, love and find', async () => {
    const { url } = await set(OPEN_GALLERY);
    await visit(url, DESKTOP, anna);
    await page.getByRole('heading', { name: event.title, level: 1 }).waitFor();
    await expect.poll(() => photos().count()).toBe(6);
    expect(new URL(page.url()).hash).toBe('');
    expect(await violationsOf(page)).toEqual([]);
    // A heart given on a tile shows in full screen, too.
    await page.getByRole('button', { name: 'Gefällt mir' }).first().click();
    await photos().first().click();
    const viewer = page.locator('.yarl__root');
    await viewer.getByRole('button', { name: 'Gefällt mir', pressed: true }).waitFor();
    expect(await viewer.getByRole('link', { name: 'Herunterladen' }).getAttribute('href')).toMatch(/\/download$/);
    expect(await viewer.getByRole('button', { name: 'Löschen' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    // The viewer goes back in the history, which would end a later navigation.
    await viewer.waitFor({ state: 'detached' });
    await page.waitForURL((address) => address.search === '');
    await page.getByLabel('Zeigen').selectOption({ label: 'Meine (4)' });
    await expect.poll(() => photos().count()).toBe(4);
    await page.getByLabel('Zeigen').selectOption({ label: '♥ Meine Lieblinge (1)' });
    await expect.poll(() => photos().count()).toBe(1);
    // A photo that lost its heart stays, for a second tap. In front of the photo, the viewer reports a heart that did not arrive.
    await photos().first().click();
    const taken = page.waitForResponse('**/heart');
    await viewer.getByRole('button', { name: 'Gefällt mir', pressed: true }).click();
    await viewer.getByRole('button', { name: 'Gefällt mir', pressed: false }).waitFor();
    await taken;
    await page.getByRole('option', { name: '♥ Meine Lieblinge (0)', includeHidden: true }).waitFor({ state: 'attached' });
    expectLogged(context, /no_connection|Keine Verbindung/);
    await page.route('**/heart', (route) => route.abort('connectionfailed'), { times: 1 });
    await viewer.getByRole('button', { name: 'Gefällt mir' }).click();
    await viewer.getByRole('alert').getByText('Das Herz kam nicht an.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await viewer.getByRole('button', { name: 'Gefällt mir' }).click();
    await viewer.getByRole('alert').waitFor({ state: 'detached' });
    await viewer.getByRole('button', { name: 'Gefällt mir', pressed: true }).waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await page.waitForURL((address) => address.search === '');
    expect(await photos().count()).toBe(1);
    await page.getByLabel('Zeigen').selectOption({ label: 'Bärbel' });
    await expect.poll(() => photos().count()).toBe(2);
    // From now on, the session is enough, without the link.
    await page.goto(`/galerie/${event.code}`);
    await expect.poll(() => photos().count()).toBe(6);
    const hosts = await host.json<{ photos: { hearts?: number }[] }>('GET', `/api/events/${event.code}/photos`);
    expect(hosts.photos.filter(({ hearts }) => hearts === 1)).toHaveLength(1);
  });

  it('is drawn with the name of the event, asks twice at most before its photos, and survives a server that does not answer at first', async () => {
    const { url } = await set(OPEN_GALLERY);
    const reader = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
    const drawn = await reader.newPage();
    await drawn.goto(`/galerie/${event.code}`);
    expect([await drawn.locator('h1').innerText(), await drawn.title()]).toEqual([event.title, `${event.title} · Feierbild`]);
    await reader.close();

    await visit('/impressum');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch' && !request.url().includes('/assets/'))
        asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.goto(url);
    await photos().first().waitFor();
    expect(asked).toEqual(['POST /auth/gallery/login', `GET /api/events/${event.code}/photos`]);
    let failures = 2;
    await page.route('**/photos?*', (route) =>
      failures-- > 0 ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }) : route.continue(),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Die Galerie lässt sich gerade nicht öffnen' }).waitFor();
    await photos().first().waitFor();
  });

  it('follows what comes and what the host takes out, without a reload', async () => {
    const { url } = await set(OPEN_GALLERY);
    await follow(url);
    await expect.poll(() => thumbnailsOf(page).count()).toBeGreaterThan(0);
    await page.getByText('6 Fotos', { exact: true }).first().waitFor();
    const [first] = await listPhotos(host, event);
    await host.json('PUT', `/api/photos/${first!.id}/slideshow`, { value: false });
    await sees(page.getByText('5 Fotos', { exact: true }));
    const device = await deviceOf(server.url);
    for (const seed of [50, 51]) await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 320, 240) });
    await sees(page.getByText('7 Fotos', { exact: true }));
    // When the host closes the gallery, it closes for guests, too.
    await set({ ...OPEN_GALLERY, mode: 'drop' });
    await sees(page.getByRole('heading', { name: 'Für diese Galerie fehlt der Link' }));
  });

  it('opens by the link of an old card to who may enter anyway, and to nobody else', async () => {
    const { url } = await set(OPEN_GALLERY);
    const { url: fresh } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/gallery/link`);
    await visit(url);
    await page.getByRole('heading', { name: 'Für diese Galerie fehlt der Link' }).waitFor();
    await page.goto(fresh);
    await expect.poll(() => thumbnailsOf(page).count()).toBeGreaterThan(0);
    await context.close();
    await visit(url, PHONE, anna);
    await expect.poll(() => thumbnailsOf(page).count()).toBeGreaterThan(0);
    expect(new URL(page.url()).hash).toBe('');
  });

  it('lets in a phone that sent photos, tells others what opens it, and keeps all waiting until the reveal', async () => {
    const { url } = await set({ ...OPEN_GALLERY, mode: 'reveal', originals: false });
    await follow(`/galerie/${event.code}`);
    await page.getByRole('heading', { name: 'Für diese Galerie fehlt der Link' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(url);
    await page.getByRole('heading', { name: 'Noch ein wenig Geduld' }).waitFor();
    await page.getByText('6 Fotos warten schon.').waitFor();
    await page.getByText(event.title).waitFor();
    await page.getByText('Sobald der Gastgeber die Fotos enthüllt').waitFor();
    await set({ ...OPEN_GALLERY, mode: 'reveal', originals: false, opens_at: new Date(Date.now() + 3_600_000).toISOString() });
    await sees(page.getByText(/^Am .* sehen hier alle alles\.$/));
    await host.json('POST', `/api/events/${event.code}/gallery/link`);
    await sees(page.getByRole('heading', { name: 'Für diese Galerie fehlt der Link' }));
    await context.close();

    await follow(`/galerie/${event.code}`, anna);
    await page.getByRole('heading', { name: 'Noch ein wenig Geduld' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await host.json('POST', `/api/events/${event.code}/gallery/reveal`);
    await sees(thumbnailsOf(page));
  });

  it('asks for own photos before the reveal only where guests may upload', async () => {
    const { url } = await set({ ...OPEN_GALLERY, mode: 'reveal', originals: false });
    await visit(url);
    const asked = page.getByRole('link', { name: 'Eigene Fotos schicken' });
    await asked.waitFor();
    const [start_date, end_date] = [dayFromToday(0), dayFromToday(0)];
    await admin.json('PUT', `/admin/events/${event.id}`, { title: event.title, start_date, end_date, with_user_upload: false });
    await page.reload();
    await page.getByRole('heading', { name: 'Noch ein wenig Geduld' }).waitFor();
    expect(await asked.count()).toBe(0);
  });

  it('is as the host wants it now for a guest who comes back to it, without another pause', async () => {
    const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const settings = { ...OPEN_GALLERY, originals: false };
    const { url } = await set({ ...settings, mode: 'reveal' });
    await visit('/impressum');
    await page.clock.install();
    await page.goto(url);
    const closed = page.getByRole('heading', { name: 'Noch ein wenig Geduld' });
    await closed.waitFor();
    await standStill(page);
    await host.json('POST', `/api/events/${event.code}/gallery/reveal`);
    await comeBack();
    await closed.waitFor({ state: 'detached' });
    await page.clock.resume();
    await photos().first().waitFor();
    await set(OPEN_GALLERY);
    await comeBack();
    await photos().first().click();
    await page.locator('.yarl__root').getByRole('link', { name: 'Herunterladen' }).waitFor();
  });

  it('tells a guest before sending who will see it, wall included, and keeps it true while the page is open', async () => {
    await visit(`/event/${event.code}`);
    await page.getByText('Nur der Gastgeber sieht alle Fotos.').waitFor();
    expect(await page.getByText('Alle Gäste sehen').count()).toBe(0);
    const wall = page.getByText(/Die Slideshow zeigt (?:schon vorher |dann )?allen vor Ort, was der Gastgeber nicht zurückhält\./);
    await wall.waitFor();
    const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await set(OPEN_GALLERY);
    const open = page.getByText('Alle Gäste sehen sofort, was hier hochgeladen wird. Die Slideshow zeigt allen vor Ort,');
    // The page may not be hydrated yet, so the event is repeated.
    await expect.poll(() => comeBack().then(() => open.count())).toBeGreaterThan(0);
    expect(await page.getByText('Nur der Gastgeber').count()).toBe(0);
    await host.json('PUT', `/api/events/${event.code}/release`, { value: true, minutes: 30 });
    await page.getByText('Dateien auswählen').click();
    await page.getByText('sobald der Gastgeber es freigibt, spätestens nach 30 min. Die Slideshow zeigt allen vor Ort,').first().waitFor();
    // The text also stands where it counts, beside the consent.
    await page.locator('input[type=file]').setInputFiles([{ name: 'torte.jpg', mimeType: 'image/jpeg', buffer: pictures[0]! }]);
    const bar = page.getByRole('region', { name: 'Hochladen' });
    await bar.getByText('sobald der Gastgeber es freigibt').waitFor();
    await set({ ...OPEN_GALLERY, mode: 'reveal' });
    await comeBack();
    await bar.getByText('sobald der Gastgeber enthüllt. Die Slideshow zeigt schon vorher allen vor Ort,').waitFor();
    await set({ ...OPEN_GALLERY, mode: 'reveal', wall_meanwhile: false });
    await comeBack();
    await bar.getByText('sobald der Gastgeber enthüllt. Die Slideshow zeigt dann allen vor Ort,').waitFor();
    // A refusal of this question does not take away the chosen files.
    const refused = page.waitForResponse((answer) => answer.url().endsWith(`/event/${event.code}`) && answer.status() === 403);
    await page.route(`**/event/${event.code}`, (route) =>
      route.fulfill({ status: 403, json: { code: 'event_inactive', error: 'Dieses Event ist noch nicht oder nicht mehr aktiv.' } }),
    );
    await comeBack();
    await refused;
    await page.unroute(`**/event/${event.code}`);
    await set(OPEN_GALLERY);
    await comeBack();
    await bar.getByText('sobald der Gastgeber es freigibt').waitFor();
    await page.getByRole('list', { name: 'Ausgewählte Dateien' }).getByRole('button').waitFor();
  });

  it('opens by the code on the card to senders of photos while the host is away, and shows no link where it does not', async () => {
    const { url } = await set(OPEN_GALLERY);
    const token = url.split('#')[1] ?? '';
    await host.json('POST', '/auth/logout', {}, 204);
    // The codes shown or printed for guests lead to this page.
    await visit(`/event/${event.code}#${token}`);
    const link = page.getByRole('link', { name: 'Fotos aller Gäste' });
    expect(await link.getAttribute('href')).toBe(`/galerie/${event.code}`);
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('checkbox').check();
    const file = await drawPhoto(70, 320, 240);
    const other = await drawPhoto(71, 320, 240);
    await page.locator('input[type=file]').setInputFiles([
      { name: 'a.jpg', mimeType: 'image/jpeg', buffer: file },
      { name: 'b.jpg', mimeType: 'image/jpeg', buffer: other },
    ]);
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    const opening = context.waitForEvent('page');
    await link.click();
    const gallery = await opening;
    await gallery.getByText('8 Fotos', { exact: true }).first().waitFor();
    await context.close();

    // A guest who came by the code alone may not enter the gallery yet, so the page shows no link to it.
    await visit(`/event/${event.code}`);
    await page.getByText('Alle Gäste sehen sofort, was hier hochgeladen wird.').first().waitFor();
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/auth/gallery/login'));
    await page.reload();
    expect((await asked).status()).toBe(401);
    await page.getByText('Alle Gäste sehen sofort, was hier hochgeladen wird.').first().waitFor();
    expect(await page.getByRole('link', { name: 'Fotos aller Gäste' }).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/event/${event.code}`);
  });

  it('is opened, shared, renewed and revealed by its host on the dashboard', async () => {
    await visit('/', DESKTOP);
    await takeOver(context, host, server.url);
    await page.goto(`/manage/${event.code}`);
    const panel = page.getByRole('region', { name: 'Fotos für alle Gäste' });
    await panel.getByText('Gäste schicken Fotos, nur Sie sehen sie.').waitFor();
    await panel.getByRole('button', { name: 'Einstellen' }).click();
    await page.getByRole('radio', { name: /Enthüllung/ }).check();
    // Text without a number, or half a date, is a mistake at its field; it does not mean „as many as they like“ or „by hand“.
    const limit = page.getByLabel('Fotos je Gerät');
    await limit.fill('24 Bilder');
    await page.getByLabel('Enthüllung am').pressSequentially('17');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Bitte geben Sie nur eine Zahl ein.').waitFor();
    await page.getByText('Das ist noch nicht vollständig.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('opens_at');
    expect(await host.json('GET', `/api/events/${event.code}/gallery`)).toMatchObject({ mode: 'drop' });
    await page.getByLabel('Enthüllung am').fill('');
    await limit.fill('24');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Speichern' }).click();
    await panel.getByText('Enthüllung, sobald Sie es sagen.').waitFor();
    await panel.getByRole('button', { name: 'Link für Gäste' }).click();
    const shown = page.getByText(/\/galerie\/[A-Z0-9]{8}#[\w-]{22}/);
    const before = await shown.textContent();
    await page.getByRole('button', { name: 'Neuer Link …' }).click();
    await page.getByText('Auch gedruckte Karten mit dem alten gelten nicht mehr.').waitFor();
    await page.getByRole('button', { name: 'Neuen Link machen' }).click();
    await panel.getByRole('button', { name: 'Link für Gäste' }).click();
    expect(await shown.textContent()).not.toBe(before);
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Jetzt enthüllen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Jetzt enthüllen' }).click();
    await panel.getByText('Enthüllt: Gäste sehen alles, was gezeigt wird.').waitFor();
    expect(await host.json('GET', `/api/events/${event.code}/gallery`)).toMatchObject({
      mode: 'reveal',
      open: true,
      photos_per_device: 24,
    });
    // The limit ends with its mode, because the other mode does not show it.
    await panel.getByRole('button', { name: 'Einstellen' }).click();
    await page.getByRole('radio', { name: /Offen/ }).check();
    await page.getByRole('button', { name: 'Speichern' }).click();
    // The form contains the same text, so its end is awaited first.
    await page.getByRole('radio', { name: /Offen/ }).waitFor({ state: 'detached' });
    await panel.getByText('Gäste sehen die gezeigten Fotos sofort.').waitFor();
    expect(await host.json('GET', `/api/events/${event.code}/gallery`)).toMatchObject({ mode: 'open', photos_per_device: null });
    await page.getByRole('switch', { name: /Neue Fotos erst nach Freigabe/ }).click();
    await page.getByLabel('Wenn niemand entscheidet').selectOption('10');
    await page.getByText('Bis dahin hält der Server diese Fotos zurück').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await host.json('GET', `/api/events/${event.code}`)).toMatchObject({ with_release: true, release_minutes: 10 });
  });

  it('is revealed at a moment that is over only by a host who was told so', async () => {
    const days = { start_date: dayFromToday(-3), end_date: dayFromToday(-2) };
    const over = await createEvent(admin, days);
    const itsHost = await hostOf(server.url, over);
    const settings = () => itsHost.json<{ mode: string; open: boolean }>('GET', `/api/events/${over.code}/gallery`);
    await visit('/', DESKTOP);
    await takeOver(context, itsHost, server.url);
    await page.goto(`/manage/${over.code}`);
    const panel = page.getByRole('region', { name: 'Fotos für alle Gäste' });
    await panel.getByRole('button', { name: 'Einstellen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /Enthüllung/ }).check();
    const moment = dialog.getByLabel('Enthüllung am');
    await moment.waitFor();
    expect(await dialog.getByRole('button', { name: /Letzter Abend|Am Morgen danach/ }).count()).toBe(0);
    const warning = dialog.getByText('Alle Gäste mit dem Link sehen die Fotos sofort.');
    const save = dialog.getByRole('button', { name: 'Speichern' });
    const reveal = dialog.getByRole('button', { name: 'Jetzt enthüllen' });
    await moment.fill('17.05.2025, 22:00');
    await warning.waitFor();
    await reveal.waitFor();
    expect([await save.count(), await violationsOf(page)]).toEqual([0, []]);
    // A moment may go by while the form is open.
    const tomorrow = dayFromToday(1).split('-').reverse().join('.');
    await moment.fill(`${tomorrow}, 12:00`);
    await warning.waitFor({ state: 'detached' });
    await page.clock.setFixedTime(Date.now() + 3 * DAY);
    await warning.waitFor();
    expect(await settings()).toMatchObject({ mode: 'drop' });
    await page.clock.setFixedTime(Date.now());
    await moment.fill('17.05.2025, 22:00');
    await reveal.click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(settings).toMatchObject({ mode: 'reveal', open: true });
    // What is revealed already is saved without a question.
    await panel.getByRole('button', { name: 'Einstellen' }).click();
    await dialog.getByRole('switch', { name: 'Gäste dürfen Originale herunterladen' }).click();
    expect(await warning.count()).toBe(0);
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await settings()).toMatchObject({ mode: 'reveal', open: true, originals: true });
  });

  it('is not revealed unasked at a moment that is over by the server’s clock alone', async () => {
    const over = await createEvent(admin, { start_date: dayFromToday(-2), end_date: dayFromToday(-1) });
    const itsHost = await hostOf(server.url, over);
    const settings = () => itsHost.json<{ mode: string; open: boolean }>('GET', `/api/events/${over.code}/gallery`);
    await visit('/', DESKTOP);
    await takeOver(context, itsHost, server.url);
    await page.clock.setFixedTime(Date.now() - 3 * DAY);
    await page.goto(`/manage/${over.code}`);
    await page.getByRole('region', { name: 'Fotos für alle Gäste' }).getByRole('button', { name: 'Einstellen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /Enthüllung/ }).check();
    const evening = dialog.getByRole('button', { name: 'Letzter Abend, 22 Uhr' });
    await evening.click();
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.getByText('Nach der Uhr des Servers ist dieser Zeitpunkt vorbei.').waitFor();
    await dialog.getByText('Alle Gäste mit dem Link sehen die Fotos sofort.').waitFor();
    await evening.waitFor({ state: 'detached' });
    expect([await settings(), await violationsOf(page)]).toMatchObject([{ mode: 'drop', open: false }, []]);
    await dialog.getByRole('button', { name: 'Jetzt enthüllen' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(settings).toMatchObject({ mode: 'reveal', open: true });
  });

  it('offers its host the moments of a reveal that are still to come', async () => {
    const days = { start_date: dayFromToday(1), end_date: dayFromToday(1) };
    const soon = await createEvent(admin, days);
    await visit('/', DESKTOP);
    await takeOver(context, await hostOf(server.url, soon), server.url);
    await page.goto(`/manage/${soon.code}`);
    await page.getByRole('region', { name: 'Fotos für alle Gäste' }).getByRole('button', { name: 'Einstellen' }).click();
    await page.getByRole('radio', { name: /Enthüllung/ }).check();
    await page.getByRole('button', { name: 'Letzter Abend, 22 Uhr' }).click();
    const lastDay = days.end_date.split('-').reverse().join('.');
    expect(await page.getByLabel('Enthüllung am').inputValue()).toBe(`${lastDay}, 22:00`);
    await page.getByRole('button', { name: 'Am Morgen danach, 10 Uhr' }).click();
    await page.getByRole('button', { name: 'Speichern' }).waitFor();
  });

  it('is not set by its host from a form that was opened before another phone set it', async () => {
    await visit('/', DESKTOP);
    await takeOver(context, host, server.url);
    await page.goto(`/manage/${event.code}`);
    const panel = page.getByRole('region', { name: 'Fotos für alle Gäste' });
    await panel.getByRole('button', { name: 'Einstellen' }).click();
    await page.getByRole('radio', { name: /Offen/ }).check();
    await set({ ...OPEN_GALLERY, mode: 'reveal' });
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Dieses Event wurde inzwischen geändert.').waitFor();
    expect(await host.json('GET', `/api/events/${event.code}/gallery`)).toMatchObject({ mode: 'reveal' });
    await page.getByText('Enthüllung, sobald Sie es sagen.').waitFor();
    page.once('dialog', (question) => void question.accept());
    await page.getByRole('button', { name: 'Abbrechen' }).click();
    // The same holds for the look, and for the title picture chosen with it.
    await page.getByRole('button', { name: 'Aussehen ändern' }).click();
    await page.getByRole('radio', { name: 'Salbei' }).check();
    await page.getByRole('button', { name: 'Foto 1 als Titelbild' }).click();
    await host.json('PUT', `/api/events/${event.code}/look`, { palette: 'gold', welcome: '' });
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Dieses Event wurde inzwischen geändert.').waitFor();
    expect(await host.json('GET', `/api/events/${event.code}`)).toMatchObject({ look: { palette: 'gold', title_picture: null } });
  });

  it('has what the last of two quick presses says, of guests and of its host, also where the first one comes late', async () => {
    const { url } = await set(OPEN_GALLERY);
    /** Presses the button `name` twice; delays the first call, so that the second one could overtake it. */
    async function pressTwice(name: string, calls: string): Promise<void> {
      let isFirst = true;
      let answered = 0;
      await page.route(calls, async (route) => {
        if (isFirst) {
          isFirst = false;
          await new Promise((late) => setTimeout(late, 500));
        }
        await route.continue();
      });
      page.on('response', (response) => void (answered += Number(response.request().method() === 'PUT')));
      const button = page.locator(`[aria-label="${name}"], [role=switch]:has-text("${name}")`).first();
      await button.waitFor({ state: 'attached' });
      await button.evaluate((one: HTMLElement) => one.click());
      await button.evaluate((one: HTMLElement) => one.click());
      await expect.poll(() => answered).toBe(2);
    }
    await visit(url, PHONE, anna);
    await photos().first().waitFor();
    await pressTwice('Gefällt mir', '**/heart');
    const listed = await host.json<{ photos: { hearts?: number }[] }>('GET', `/api/events/${event.code}/photos`);
    expect(listed.photos.filter(({ hearts }) => hearts !== undefined)).toEqual([]);
    await takeOver(context, host, server.url);
    await page.goto(`/gallery/${event.code}`);
    await photos().first().waitFor();
    await pressTwice('In der Slideshow', '**/slideshow');
    expect((await listPhotos(host, event)).map(({ slideshow }) => slideshow)).toEqual(Array(6).fill(true));
    const names = async () => (await host.json<{ with_slideshow_names: boolean }>('GET', `/api/events/${event.code}`)).with_slideshow_names;
    const before = await names();
    await page.goto(`/manage/${event.code}`);
    await pressTwice('Namen der Gäste in der Slideshow', '**/slideshow_names');
    expect(await names()).toBe(before);
  });

  it('shows what guests love as a round on the wall, and prints cards that open it', async () => {
    const { url } = await set(OPEN_GALLERY);
    await visit(url, DESKTOP, anna);
    await expect.poll(() => photos().count()).toBe(6);
    await takeOver(context, host, server.url);
    await page.goto(`/slideshow/${event.code}?lieblinge`);
    await page.getByRole('heading', { name: 'Noch keine Lieblinge' }).waitFor();
    await page.goto(`/galerie/${event.code}`);
    await page.getByRole('button', { name: 'Gefällt mir' }).first().click();
    await page.getByRole('button', { name: 'Gefällt mir', pressed: true }).waitFor();
    const loved = async () => (await host.json<{ photos: { hearts?: number }[] }>('GET', `/api/events/${event.code}/photos`)).photos;
    await expect.poll(async () => (await loved()).filter(({ hearts }) => hearts === 1).length).toBe(1);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('link', { name: 'Lieblinge auf die Leinwand' }).click();
    await page.getByAltText(/^Foto 1 von 1\b/).waitFor();
    await page.mouse.move(200, 200);
    await page.getByRole('button', { name: 'Alle Fotos zeigen' }).click();
    await page
      .getByAltText(/^Foto \d von 6\b/)
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(`/manage/${event.code}/karten`);
    await page.getByText('Fotos ansehen').click();
    await page.getByText('Wer diesen Code scannt, sieht die gezeigten Fotos.').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('shows what a helper’s thumb let through, one after the other, and takes back what was a mistake', async () => {
    await host.json('PUT', `/api/events/${event.code}/release`, { value: true });
    const device = await deviceOf(server.url);
    const sent: string[] = [];
    for (const seed of [60, 61, 62, 63]) {
      const answer = await upload({ url: server.url, code: event.code, device, deviceName: 'Anna', file: await drawPhoto(seed, 320, 240) });
      sent.push(((await answer.json()) as { photo: { id: string } }).photo.id);
    }
    const flags = async () => (await listPhotos(host, event)).filter(({ id }) => sent.includes(id)).map(({ slideshow }) => slideshow);
    const { url } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    const previews = '**/api/photos/*/preview*';
    await visit('/impressum');
    await page.route(previews, (route) => route.abort());
    await page.goto(url);
    await page.getByText('4 Fotos warten').waitFor();
    const show = page.getByRole('button', { name: 'Zeigen', exact: true });
    // A photo without its picture can only be hidden; the page asks for the picture again.
    await expect.poll(() => page.getByRole('button', { name: 'Nicht zeigen' }).isEnabled()).toBe(true);
    expect(await show.isEnabled()).toBe(false);
    await page.getByText('Einen Moment').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.unroute(previews);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect.poll(() => show.isEnabled()).toBe(true);
    await page.getByText('4 Fotos warten').waitFor();
    await page.getByText(event.title).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    expect(await violationsOf(page)).toEqual([]);
    for (const name of ['Zeigen', 'Nicht zeigen']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect(box!.height).toBeGreaterThanOrEqual(80);
    }
    // A held key, or a second touch, decides about one photo only, because nobody has seen the next one.
    for (let n = 0; n < 5; n++) await page.keyboard.down('ArrowRight');
    await page.keyboard.up('ArrowRight');
    await page.getByText('3 Fotos warten').waitFor();
    await expect.poll(() => show.isEnabled()).toBe(true);
    await show.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await page.getByText('2 Fotos warten').waitFor();
    await page.getByRole('button', { name: 'Zurück' }).tap();
    await page.getByText('3 Fotos warten').waitFor();
    // The button keeps the focus, also while it is off.
    const focused = () => page.locator('button:focus').innerText();
    await expect.poll(() => show.isEnabled()).toBe(true);
    await show.focus();
    await page.keyboard.down('Enter');
    await page.getByText('2 Fotos warten').waitFor();
    await expect.poll(() => show.isEnabled()).toBe(true);
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.getByText('2 Fotos warten').waitFor();
    expect(await focused()).toBe('Zeigen');
    const back = page.getByRole('button', { name: 'Zurück' });
    for (const left of ['3 Fotos warten', '4 Fotos warten']) {
      await back.press('Enter');
      await page.getByText(left).waitFor();
    }
    expect([await focused(), await back.isEnabled()]).toEqual(['Zurück', false]);
    await expect.poll(() => show.isEnabled()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.getByText('3 Fotos warten').waitFor();
    // A photo decided about elsewhere disappears, and returns when the decision is taken back.
    await host.json('PUT', `/api/photos/${sent[3]}/slideshow`, { value: false });
    await page.getByText('2 Fotos warten').waitFor();
    await host.json('PUT', `/api/photos/${sent[3]}/slideshow`, { waiting: true });
    await page.getByText('3 Fotos warten').waitFor();
    await page.getByRole('button', { name: 'Alle 3 zeigen' }).tap();
    const goOn = Promise.withResolvers<void>();
    await page.route('**/release/all', async (route) => {
      await goOn.promise;
      await route.fallback();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Alle 3 zeigen' }).tap();
    await expect.poll(() => page.getByRole('button', { name: 'Abbrechen' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor();
    goOn.resolve();
    await page.getByRole('heading', { name: 'Alles entschieden' }).waitFor();
    await expect.poll(() => page.locator('main :focus').count()).toBe(1);
    await expect.poll(flags).toEqual([true, true, true, true]);
    // Without an answer nobody knows whether further photos wait.
    await page.route('**/photos?view=waiting*', (route) => route.abort('connectionfailed'));
    await page.getByText('Keine Verbindung.').waitFor();
    expect(await page.getByRole('heading', { name: 'Alles entschieden' }).count()).toBe(0);
    await page.unroute('**/photos?view=waiting*');
    await page.getByRole('heading', { name: 'Alles entschieden' }).waitFor();
    expect(await page.getByText('Keine Verbindung.').count()).toBe(0);
    // A helper sees nothing else of the event.
    await page.goto(`/manage/${event.code}`);
    await page.waitForURL('**/login**');
    await host.json('POST', `/api/events/${event.code}/helper`, { value: false });
    await page.goto(`/freigabe/${event.code}`);
    await page.getByRole('heading', { name: 'Für diese Seite fehlt der Link' }).waitFor();
    // The title tells a helper of two events which host to ask.
    await page.getByRole('main').getByText(event.title, { exact: true }).waitFor();
  });
});
