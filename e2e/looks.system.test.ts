import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drawnSamples } from '../server/src/features/demo/samples.ts';
import { adminOf, createClient, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { useServer } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { compareLooks, createLooks, pack, settle, shoot, stillPage, VIEWS } from './support/looks.ts';
import { type TestServer } from './support/server.ts';

const FIXED_DAY = pathToFileURL(join(import.meta.dirname, 'support/fixed-day.ts')).href;
const DAY = '2026-05-16';
const PHOTOS = drawnSamples.samples.slice(9, 16).map(({ file, ...sample }) => ({ ...sample, path: join(drawnSamples.folder, file) }));
const UNKNOWN = 'AAAAAAAA';

describe('every page looks as it did', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  const { look, differences, unused } = createLooks({ folder: 'pages' });

  useServer(
    async (started) => {
      ({ server, browser } = started);
      admin = await adminOf(server.url);
    },
    { NODE_OPTIONS: `--import=${FIXED_DAY}` },
  );
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(differences()).toEqual([]);
  });
  const pageOf = async (client?: Client): Promise<Page> => {
    const page = await stillPage(browser, server.url);
    if (client) await takeOver(page.context(), client, server.url);
    return page;
  };
  /** Opens a page and waits for its headline, or for `text`. */
  const open = async (page: Page, path: string, text?: string): Promise<void> => {
    await page.goto(path);
    await (text === undefined ? page.getByRole('heading', { level: 1 }) : page.getByText(text)).first().waitFor();
  };

  describe('before the first event', () => {
    it('public pages', async () => {
      const page = await pageOf();
      await open(page, '/');
      await look(page, 'start', { height: 6000 });
      for (const name of ['create', 'kontakt', 'impressum']) {
        await open(page, `/${name}`);
        await look(page, name, { height: 1800 });
      }
      for (const name of ['agb', 'datenschutz']) {
        await open(page, `/${name}`);
        await look(page, name, { height: 1200 });
      }
      await open(page, '/gibt-es-nicht');
      await look(page, 'unbekannte-seite');
      await open(page, '/join');
      await look(page, 'join');
      await page.getByLabel('Event-Code').fill(UNKNOWN);
      await page.getByRole('button', { name: 'Event öffnen' }).click();
      await page.getByText('Ungültiger oder abgelaufener Event-Code').waitFor();
      await look(page, 'join-falsch');
      await open(page, `/securejoin?code=${UNKNOWN}`);
      await look(page, 'securejoin');
      await open(page, '/login');
      await look(page, 'login');
      await page.getByLabel('Benutzername').fill('abcdefgh');
      await page.getByLabel('Passwort').fill('falsch');
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.getByText('Ungültige Zugangsdaten').waitFor();
      await look(page, 'login-falsch');
      await open(page, `/event/${UNKNOWN}`, 'Ungültiger oder abgelaufener Event-Code');
      await look(page, 'event-unbekannt');
      await open(page, `/download/${'A'.repeat(43)}`, 'Ungültiger Download-Link.');
      await look(page, 'link-ungueltig');
      await open(page, '/admin/login');
      await look(page, 'admin-login');
    });

    it("the operator's pages", async () => {
      const page = await pageOf(admin);
      await open(page, '/admin', 'Event erstellen');
      // The notice depends on whether this machine can isolate a decoder.
      const notice = page.getByText('Der Bild-Decoder ist nicht isoliert.');
      await notice.evaluateAll((notices) => notices.forEach((one) => one.parentElement?.remove()));
      await look(page, 'admin-leer');
      await page.getByRole('button', { name: 'Später' }).click();
      await look(page, 'admin-leer-spaeter');
      await open(page, '/admin/einstellungen', 'Ihr Betrieb');
      await look(page, 'admin-einstellungen');
      await open(page, '/admin/einstellungen/aussehen', 'Akzentfarbe');
      await look(page, 'admin-einstellungen-aussehen');
      await open(page, '/admin/einstellungen/preise', 'Paket 1');
      await look(page, 'admin-einstellungen-preise');
      await open(page, '/admin/einstellungen/vorlagen', 'Vorlage 3');
      await look(page, 'admin-einstellungen-vorlagen');
      await open(page, '/admin/einlesen', 'Datei wählen');
      await look(page, 'admin-einlesen');
      await open(page, '/admin/heute', 'Heute läuft kein Event.');
      await look(page, 'admin-heute-leer');
      await open(page, '/admin/zugang', 'Zweiten Faktor von allen verlangen');
      await look(page, 'admin-zugang');
      await open(page, '/admin/zweiter-faktor', 'Codes aus einer App');
      await look(page, 'admin-zweiter-faktor');
      await open(page, '/admin/meldungen', 'Noch keine Meldung.');
      await look(page, 'admin-meldungen-leer');
    });
  });

  describe('with events', () => {
    let party: EventUnderTest;
    let empty: EventUnderTest;
    let locked: EventUnderTest;
    let closed: EventUnderTest;
    let unopened: { id: string; title: string; code: string };
    let link: string;
    let words: Record<string, string>;

    beforeAll(async () => {
      const create = (title: string, form: Record<string, unknown> = {}): Promise<EventUnderTest> =>
        createEvent(admin, { title, start_date: DAY, end_date: DAY, storage_limit: 5, ...form });
      closed = await create('Vernissage im Hof', { with_user_upload: false });
      locked = await create('Geburtstag mit Passwort', { with_upload_password: true, user_upload_password: 'Konfetti' });
      empty = await create('Sommerfest Kegelverein Immergrün', { start_date: '2026-05-15', end_date: '2026-05-17', storage_limit: null });
      party = await create('Hochzeit von Lena und Jonas', { subtitle: 'Schön, dass ihr da seid!' });
      const form = { title: 'Abiball 2026', start_date: '2026-06-27', end_date: '2026-06-28' };
      unopened = await admin.json('POST', '/admin/create_event', form, 201);
      words = {
        [unopened.code]: 'ABIBALLE',
        [closed.code]: 'VERNISSA',
        [locked.code]: 'GEBURTST',
        [empty.code]: 'SOMMERFE',
        [party.code]: 'HOCHZEIT',
        // Cards print the code in groups.
        [`${party.code.slice(0, 4)} ${party.code.slice(4)}`]: 'HOCH ZEIT',
      };
      const devices = new Map<string, string>();
      for (const { guest, name, path } of PHOTOS) {
        const device = devices.get(guest) ?? (await deviceOf(server.url));
        devices.set(guest, device);
        const stored = await upload({ url: server.url, code: party.code, device, deviceName: guest, name, file: await readFile(path) });
        expect(stored.status).toBe(201);
      }
      const host = await hostOf(server.url, party);
      const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${party.code}/photos`);
      link = (await host.json<{ download_url: string }>('POST', `/api/photos/${photos[0]?.id}/link`, undefined, 201)).download_url;
      for (const event of [party.title, empty.title]) {
        const report = { event, photo: 'Ich vor der Torte', reason: 'Ich möchte nicht gezeigt werden.', email: 'gast@example.de' };
        await createClient(server.url).json('POST', '/api/reports', report, 201);
      }
    });

    it("guests' pages", async () => {
      const page = await pageOf();
      await open(page, `/event/${locked.code}`, 'Passwort erforderlich');
      await look(page, 'event-passwort');
      await open(page, `/event/${closed.code}`, 'ausgeschaltet');
      await look(page, 'event-ohne-upload');
      await open(page, `/event/${empty.code}`);
      await look(page, 'event');
      await page.getByLabel('Dein Name').fill('Sofia');
      await page.getByRole('checkbox').check();
      await page.locator('input[type=file]').setInputFiles(PHOTOS.slice(0, 4).map(({ path }) => path));
      await page.locator('ul img').nth(3).waitFor();
      await look(page, 'event-auswahl');
      await page.getByRole('button', { name: 'Hochladen (4)' }).click();
      await page
        .getByRole('button', { name: /, ansehen$/ })
        .nth(3)
        .waitFor();
      // Their order is the order of arrival, which varies.
      await page.getByRole('button', { name: /, ansehen$/ }).evaluateAll((all) => all.forEach((one) => (one.style.visibility = 'hidden')));
      await look(page, 'event-hochgeladen');
      await open(page, link);
      await page.getByRole('img', { name: 'Vorschau Ihres Fotos' }).waitFor();
      await look(page, 'link', { height: 1200 });
    });

    it("the host's pages of an event without photos", async () => {
      const page = await pageOf(await hostOf(server.url, closed));
      await open(page, `/manage/${closed.code}`, closed.title);
      await look(page, 'manage-leer', { words, height: 1600 });
      await open(page, `/gallery/${closed.code}`, 'Noch keine Fotos');
      await look(page, 'gallery-leer', { words });
      await open(page, `/slideshow/${closed.code}`, 'Fotos hinzufügen: 0/5');
      await look(page, 'slideshow-leer', { words });
    });

    it("the host's pages", async () => {
      const page = await pageOf(await hostOf(server.url, party));
      await open(page, `/manage/${party.code}`, party.title);
      await look(page, 'manage', { words, height: 1600 });
      await page.getByRole('button', { name: 'Teilen' }).click();
      await page.getByRole('dialog').waitFor();
      await look(page, 'manage-teilen', { words });
      await open(page, `/manage/${party.code}/karten`, party.title);
      await look(page, 'karten', { words, height: 1200, isPaper: true });
      await open(page, `/gallery/${party.code}`, '7 Fotos');
      const photo = page.getByRole('button', { name: /^Foto von/ });
      await photo.nth(2).waitFor();
      await look(page, 'gallery', { words });
      await page.getByRole('button', { name: 'Auswählen', exact: true }).click();
      await page
        .getByRole('checkbox', { name: /^Foto von/ })
        .first()
        .click();
      await look(page, 'gallery-auswahl', { words });
      await page.keyboard.press('Escape');
      await photo.first().click();
      await page.getByRole('button', { name: 'Schließen' }).first().waitFor();
      await look(page, 'gallery-foto', { words });
      await open(page, `/slideshow/${party.code}`);
      await page.getByRole('button', { name: 'Pause' }).click();
      // On a busy machine the wall may have moved on before it was held.
      const stepBack = async (): Promise<string | null> => {
        const shown = await page.getByRole('img', { name: /^Foto/ }).first().getAttribute('alt');
        if (!shown?.startsWith('Foto 1 ')) await page.keyboard.press('ArrowLeft');
        return shown;
      };
      await expect.poll(stepBack, { interval: 1000 }).toMatch(/^Foto 1 /);
      await page.locator('main[data-active=false]').waitFor();
      await look(page, 'slideshow', { words });
    });

    it('what all guests see, and the release', async () => {
      const host = await hostOf(server.url, party);
      const gallery = `/api/events/${party.code}/gallery`;
      const settings = {
        mode: 'reveal',
        opens_at: null,
        photos_per_device: 24,
        originals: true,
        own_meanwhile: true,
        wall_meanwhile: true,
      };
      const { url } = await host.json<{ url: string }>('PUT', gallery, settings);
      const page = await pageOf();
      await open(page, `/galerie/${party.code}`, 'Für diese Galerie fehlt der Link');
      await look(page, 'galerie-ohne-link', { words });
      await open(page, url, 'Noch ein wenig Geduld');
      await look(page, 'galerie-wartet', { words });
      const dashboard = await pageOf(host);
      await open(dashboard, `/manage/${party.code}`, 'Enthüllung, sobald Sie es sagen.');
      await look(dashboard, 'manage-enthuellung', { words, height: 1600 });
      await dashboard.getByRole('button', { name: 'Einstellen' }).click();
      await dashboard.getByRole('dialog').waitFor();
      await look(dashboard, 'manage-einstellen', { words });
      await host.json('POST', `${gallery}/reveal`);
      await open(page, `/galerie/${party.code}`, '7 Fotos');
      const photo = page.getByRole('button', { name: /^Foto von/ });
      await photo.nth(2).waitFor();
      await page.getByRole('button', { name: 'Gefällt mir' }).first().click();
      await look(page, 'galerie', { words });
      await photo.first().click();
      await page.getByRole('button', { name: 'Schließen' }).first().waitFor();
      await look(page, 'galerie-foto', { words });
      const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${party.code}/photos`);
      for (const { id } of photos.slice(0, 3)) await host.json('PUT', `/api/photos/${id}/slideshow`, { waiting: true });
      await open(dashboard, `/freigabe/${party.code}`, '3 Fotos warten');
      await look(dashboard, 'freigabe', { words });
      await host.json('PUT', `/api/events/${party.code}/look`, { palette: 'terrakotta', welcome: 'Schön, dass ihr da seid!' });
      await host.json('PUT', `/api/events/${party.code}/title-picture`, { photo: photos[0]?.id });
      await open(page, `/event/${party.code}`, 'Schön, dass ihr da seid!');
      await look(page, 'event-aussehen', { words });
      await open(dashboard, `/manage/${party.code}`, 'Farben: Terrakotta, mit Titelbild');
      await dashboard.getByRole('button', { name: 'Aussehen ändern' }).click();
      await dashboard.getByRole('button', { name: 'Foto 1 als Titelbild' }).waitFor();
      await look(dashboard, 'manage-aussehen', { words });
    });

    it("the operator's pages", async () => {
      const page = await pageOf(admin);
      await admin.json('POST', '/admin/first_start/later');
      await open(page, '/admin', party.title);
      const notice = page.getByText('Der Bild-Decoder ist nicht isoliert.');
      await notice.evaluateAll((notices) => notices.forEach((one) => one.parentElement?.remove()));
      await look(page, 'admin', { words, height: 1800 });
      await page.getByRole('button', { name: party.title }).click();
      await look(page, 'admin-details', { words, height: 1800 });
      await page.getByRole('button', { name: 'Event erstellen' }).click();
      await page.getByRole('dialog').waitFor();
      await look(page, 'admin-formular', { words });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Löschen' }).click();
      await page.getByRole('dialog').waitFor();
      await look(page, 'admin-loeschen', { words });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: unopened.title }).click();
      await page.getByRole('button', { name: 'Zugang erstellen' }).click();
      const password = await page.getByRole('dialog').locator('span', { hasText: 'Passwort' }).locator('strong').innerText();
      await look(page, 'admin-zettel', { words: { ...words, [password]: 'abcd-efgh-jkmn' } });
      await open(page, '/admin/meldungen', '2 offene Meldungen');
      await look(page, 'admin-meldungen', { words });
      await open(page, '/admin/protokoll', 'Protokoll');
      await page.getByText('admin').first().waitFor();
      await look(page, 'admin-protokoll', { words });
    });

    it('several events at once, and what an assistant sees', async () => {
      const page = await pageOf(admin);
      await admin.json('POST', '/admin/first_start/later');
      await open(page, '/admin', party.title);
      await page.getByText('Der Bild-Decoder ist nicht isoliert.').evaluateAll((all) => all.forEach((one) => one.parentElement?.remove()));
      for (const { title } of [party, unopened]) await page.getByLabel(`${title} auswählen`).check();
      await look(page, 'admin-auswahl', { words, height: 1800 });
      await open(page, `/admin/zettel?events=${party.id},${unopened.id}`, party.title);
      await look(page, 'admin-zettel-mehrere', { words, height: 1800, isPaper: true });
      const lena = createClient(server.url);
      const account = await admin.json('POST', '/admin/admins', { username: 'lena', role: 'assistant' });
      await lena.json('POST', '/auth/admin/login', account);
      const assisting = await pageOf(lena);
      await open(assisting, '/admin', party.title);
      await assisting.getByRole('button', { name: party.title }).click();
      await look(assisting, 'admin-helfer', { words, height: 1800 });
    });
  });

  it.each(VIEWS)('lets pass what another machine draws otherwise, and nothing else, at $width px', async (view) => {
    const page = await pageOf();
    await page.setViewportSize(view);
    await open(page, '/login');
    await settle(page);
    const kept = await pack(await shoot(page, view));
    for (const [style, alike] of [
      ['body { transform: translate(0.5px, 0.4px) }', true],
      ['form button { translate: 12px }', false],
      ['form button { visibility: hidden }', false],
      ['form button { background: var(--second) !important }', false],
      ['body { background: var(--paper-deep) }', false],
      ['form { gap: 0.5rem !important }', false],
      ['* { font-family: serif !important }', false],
    ] as const) {
      await settle(page);
      await page.evaluate((change) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(change);
        document.adoptedStyleSheets.push(sheet);
      }, style);
      const comparison = await compareLooks(kept, await shoot(page, view), view);
      expect([style, comparison.alike, comparison.text]).toEqual([style, alike, comparison.text]);
    }
  });

  it('has no picture of a page that is gone', async () => {
    expect(await unused()).toEqual([]);
  });
});
