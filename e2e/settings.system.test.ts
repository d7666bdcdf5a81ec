import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLAIN_EVENT } from '@feierbild/contract/event-templates.ts';
import { RUN_FOLDER } from '../server/src/testing/run-folder.ts';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { launchBrowser } from './support/browser.ts';
import { logInAsAdmin, takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

const DEFAULT_BUSINESS = join(import.meta.dirname, '../server/src/config/business.default.json');

let server: TestServer;
let browser: Browser;
let admin: Client;
let party: EventUnderTest;
let host: Client;

beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  admin = await adminOf(server.url);
  party = await createEvent(admin, { title: 'Lena & Jonas', with_slideshow: true });
  host = await hostOf(server.url, party);
  const device = await deviceOf(server.url);
  for (let n = 0; n < 6; n++) {
    await upload({ url: server.url, code: party.code, device, file: await drawPhoto(n), name: `${n}.jpg` });
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.dispose();
});

const open = (options = {}): Promise<BrowserContext> => browser.newContext({ baseURL: server.url, ...options });
const look = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.LOOK_AT;
  if (!folder) return;
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
};
/** Reads the page's accent and palette. */
const worn = (page: Page): Promise<unknown> =>
  page.evaluate(() => [
    getComputedStyle(document.documentElement).getPropertyValue('--accent').trim(),
    document.documentElement.dataset.palette ?? null,
  ]);

it('a first start asks four questions, after which all pages are the operator’s, from their first HTML on', async () => {
  const context = await open();
  const page = await context.newPage();
  await logInAsAdmin(page);
  await page.getByRole('heading', { name: 'Willkommen! Vier Fragen' }).waitFor();
  await look(page, 'first-start');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Fertig' }).click();
  expect(await page.getByText('Bitte füllen Sie dieses Feld aus.').count()).toBe(6);
  await page.getByLabel('Wie heißt Ihr Betrieb?').fill('Zeltverleih Süd');
  await page.getByLabel('Wem gehört er?').fill('Sabine Süd');
  await page.getByLabel('Wo? Straße und Hausnummer').fill('Gasse 1');
  await page.getByLabel('Postleitzahl').fill('80331');
  await page.getByLabel('Ort', { exact: true }).fill('München');
  await page.getByLabel('Unter welcher E\u2011Mail erreicht man Sie?').fill('hallo@zelt.example');
  await page.getByLabel('Welche Farbe hat Ihr Betrieb?', { exact: true }).fill('#ffcc00');
  await look(page, 'first-start-refused');
  await page.getByRole('button', { name: / nehmen$/ }).click();
  const colour = await page.getByLabel('Welche Farbe hat Ihr Betrieb?', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Fertig' }).click();
  // Sections that nobody has looked at stay on the list.
  await page.getByText('https einrichten, Preise, Steuer und Serverstandort ansehen').waitFor();
  expect(await page.getByText('Willkommen! Vier Fragen').count()).toBe(0);
  await context.close();

  // No script runs here, so the first answer holds all that shows; its policy allows this style alone.
  const plain = await open({ javaScriptEnabled: false });
  const public_ = await plain.newPage();
  const answer = await public_.goto('/impressum');
  expect(await public_.getByText('Zeltverleih Süd').count()).toBeGreaterThan(0);
  expect(await public_.getByText('hallo@zelt.example').count()).toBeGreaterThan(0);
  expect(answer?.headers()['content-security-policy']).toMatch(/style-src 'self' 'sha256-[\w+/]{43}='/);
  expect(answer?.headers()['content-security-policy']).not.toContain('unsafe-inline');
  await public_.goto('/');
  expect(await worn(public_)).toEqual([colour, null]);
  await public_.goto('/agb');
  expect(await public_.getByText('Telefon').count()).toBe(0);
  await look(public_, 'brand-agb');
  await plain.close();
});

it('logo, colour, prices and terms are set in the browser, seen beside the form, and taken back step by step', async () => {
  const context = await open();
  const page = await context.newPage();
  await logInAsAdmin(page);
  await page.getByRole('link', { name: 'Einstellungen' }).click();
  await page.getByLabel('Telefon').fill('089 12 34 56');
  await page.getByRole('complementary', { name: 'Vorschau' }).getByText('089 12 34 56').waitFor();
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gespeichert.').waitFor();
  await look(page, 'settings-business');
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'Logo und Farbe' }).click();
  const file = page.locator('input[type=file]');
  await file.setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await page.getByText('Diese Datei ist kein lesbares Bild').waitFor();
  const logo = await sharp({ create: { width: 900, height: 200, channels: 4, background: '#00448888' } })
    .png()
    .toBuffer();
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
  await page.getByRole('img', { name: 'Zeltverleih Süd' }).waitFor();
  await page.getByLabel('Akzentfarbe', { exact: true }).fill('rgb(36, 67, 126)');
  await look(page, 'settings-brand');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gespeichert.').waitFor();

  await page.getByRole('link', { name: 'Preise' }).click();
  await page.getByLabel('Preis in Euro').first().fill('25,50');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gespeichert.').waitFor();
  await look(page, 'settings-prices');
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'AGB', exact: true }).click();
  await page.getByLabel('bis 30 Tage vor Beginn').fill('120');
  await page.getByRole('switch', { name: 'Cocktailmaschinen' }).click();
  await page.getByRole('switch', { name: 'Partyzelte' }).click();
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Bitte höchstens 100.').waitFor();
  await page.getByLabel('bis 30 Tage vor Beginn').fill('20');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gespeichert.').waitFor();
  await look(page, 'settings-terms');

  const visitor = await open();
  const seen = await visitor.newPage();
  await seen.goto('/');
  await seen.getByText('25,50 €').waitFor();
  expect(await worn(seen)).toEqual(['#24437e', null]);
  await seen.getByRole('img', { name: 'Zeltverleih Süd' }).first().waitFor();
  await look(seen, 'brand-home');
  expect(await violationsOf(seen)).toEqual([]);
  await seen.goto('/agb');
  await seen.getByRole('cell', { name: '20 %' }).waitFor();
  await seen.getByText('über die Vermietung von Beamern, Stehtischen und Bierzeltgarnituren sowie über den Fotodienst.').waitFor();
  expect(await seen.getByText('Cocktail').count()).toBe(0);
  expect(await seen.getByText('Zelte sind bei Sturm').count()).toBe(0);
  await seen.getByRole('heading', { name: '6. Fotodienst' }).waitFor();

  await page.getByText(/^Zuletzt geändert/).click();
  await page.getByRole('button', { name: 'Einen Schritt zurück' }).click();
  await page.getByText('Die letzte Änderung ist zurückgenommen.').waitFor();
  await look(page, 'settings-back');
  await expect
    .poll(async () => {
      await seen.reload();
      return seen.getByRole('cell', { name: '15 %' }).count();
    })
    .toBe(1);
  await visitor.close();
  await context.close();
});

it('what was typed is not lost without a question, and what is no number is said at its field', async () => {
  const context = await open();
  const page = await context.newPage();
  await logInAsAdmin(page);
  // The login redirects by itself.
  await page.waitForURL((url) => url.pathname !== '/admin/login');
  await page.goto('/admin/einstellungen/vorlagen');
  const size = page.getByLabel('Speicherplatz in GB').first();
  await size.fill('5 GB');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Bitte geben Sie nur eine Zahl ein.').waitFor();
  // The focus moves to the first mistake.
  await expect.poll(() => size.evaluate((field) => field === document.activeElement)).toBe(true);
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  expect(await page.title()).toBe('Vorlagen · Einstellungen · Feierbild');
  const section = page.getByRole('navigation', { name: 'Einstellungen' }).getByRole('link', { name: 'Preise' });
  await section.click();
  expect([questions, new URL(page.url()).pathname]).toEqual([
    ['Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?'],
    '/admin/einstellungen/vorlagen',
  ]);
  // Another administrator saves, and this window is looked at again.
  await admin.json('PUT', '/admin/settings/templates', { version: 0, value: { templates: [{ ...PLAIN_EVENT, name: 'Klein' }] } }, 200);
  const outdated = page.getByText('Jemand anders hat inzwischen gespeichert.');
  const lookAgain = async (): Promise<boolean> => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    return outdated.isVisible();
  };
  // A look joins a request in flight, whose answer may be older, so it is repeated.
  await expect.poll(lookAgain).toBe(true);
  expect(await size.inputValue()).toBe('5 GB');
  await page.getByRole('button', { name: 'Neuen Stand laden' }).click();
  await outdated.waitFor({ state: 'detached' });
  // An entry that is added, or removed, counts as typed.
  questions.length = 0;
  await page.getByRole('button', { name: 'Vorlage hinzufügen' }).click();
  await section.click();
  expect(questions).toEqual(['Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?']);
  // The session ends, as it would by itself.
  await page.getByLabel('Name', { exact: true }).last().fill('Groß');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Ihre Anmeldung ist abgelaufen. Was Sie eingegeben haben, steht noch hier').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).last().inputValue()).toBe('Groß');
  const other = await context.newPage();
  await logInAsAdmin(other);
  await other.waitForURL((url) => url.pathname !== '/admin/login');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gespeichert.').waitFor();
  // The message stands beside the button, and leaving asks no question any more.
  const button = await page.getByRole('button', { name: 'Speichern' }).boundingBox();
  const said = await page.getByText('Gespeichert.').boundingBox();
  expect(Math.abs((button?.y ?? 0) - (said?.y ?? 0))).toBeLessThan(150);
  await section.click();
  await page.waitForURL('**/preise');
  expect(questions).toHaveLength(1);
  await context.close();
});

it('what BUSINESS_FILE says is shown and cannot be changed; what it leaves open can', async () => {
  const business = JSON.parse(readFileSync(DEFAULT_BUSINESS, 'utf8')) as { identity: { brand: string }; contact: { hours?: string } };
  business.identity.brand = 'Aus der Datei';
  delete business.contact.hours;
  const folder = await mkdtemp(join(RUN_FOLDER, 'business-'));
  const file = join(folder, 'betrieb.json');
  await writeFile(file, JSON.stringify(business));
  const other = await startServer({ BUSINESS_FILE: file });
  const context = await browser.newContext({ baseURL: other.url });
  const page = await context.newPage();
  await logInAsAdmin(page);
  await page.getByRole('link', { name: 'Einstellungen' }).click();
  await page.getByText('Was in der Datei BUSINESS_FILE steht, gilt').waitFor();
  const brand = page.getByLabel('Name des Betriebs');
  expect([await brand.inputValue(), await brand.isDisabled()]).toEqual(['Aus der Datei', true]);
  await page.getByLabel('Erreichbar').fill('Montags ab 9 Uhr');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gespeichert.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'settings-fixed');
  // A direct call cannot change the file's values, either.
  const operator = await adminOf(other.url);
  const value = { identity: { brand: 'Aus dem Browser' }, contact: { hours: 'Dienstags ab 10 Uhr' } };
  await operator.json('PUT', '/admin/settings/business', { version: 1, value }, 200);
  const { business: shown } = await operator.json<{ business: typeof business }>('GET', '/api/site');
  expect([shown.identity.brand, shown.contact.hours]).toEqual(['Aus der Datei', 'Dienstags ab 10 Uhr']);
  await context.close();
  await other.dispose();
  await rm(folder, { recursive: true });
});

it('an event wears what its host chose: palette, title picture, sentence, on each of its pages', async () => {
  const context = await open();
  await takeOver(context, host, server.url);
  const page = await context.newPage();
  await page.goto(`/manage/${party.code}`);
  await page.getByRole('button', { name: 'Aussehen ändern' }).click();
  await page.getByText('Das Titelbild ist öffentlich').waitFor();
  await page.getByRole('radio', { name: 'Salbei' }).check();
  await page.getByLabel('Ein Satz für Ihre Gäste').fill('Schön, dass ihr da seid!');
  await page.getByRole('button', { name: 'Foto 1 als Titelbild' }).click();
  await page.getByText('Noch nicht gespeichert.').waitFor();
  // Cancelling discards all changes.
  page.once('dialog', (question) => void question.accept());
  await page.getByRole('button', { name: 'Abbrechen' }).click();
  expect(await host.json('GET', `/api/events/${party.code}`)).toMatchObject({ look: { palette: null, welcome: '', title_picture: null } });
  await page.getByRole('button', { name: 'Aussehen ändern' }).click();
  await page.getByRole('radio', { name: 'Salbei' }).check();
  await page.getByLabel('Ein Satz für Ihre Gäste').fill('Schön, dass ihr da seid!');
  await page.getByRole('button', { name: 'Foto 1 als Titelbild' }).click();
  await page.getByRole('button', { name: 'Titelbild entfernen' }).waitFor();
  await look(page, 'look-dialog');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Farben: Salbei, mit Titelbild').waitFor();
  const salbei = await worn(page);
  expect(salbei).toEqual([expect.stringMatching(/^#/), 'salbei']);
  await look(page, 'look-dashboard');
  expect(await violationsOf(page)).toEqual([]);

  // The first HTML wears the palette, also on pages that the browser draws.
  const plain = await open({ javaScriptEnabled: false });
  const first = await plain.newPage();
  for (const path of ['event', 'manage', 'gallery', 'galerie', 'freigabe', 'slideshow']) {
    await first.goto(`/${path}/${party.code}`);
    expect([path, await worn(first)]).toEqual([path, salbei]);
  }
  await first.goto(`/manage/${party.code}/karten`);
  expect(await worn(first)).toEqual(salbei);
  await first.goto(`/event/${party.code}`);
  expect(await first.getByText('Schön, dass ihr da seid!').count()).toBe(1);
  await plain.close();

  const phone = await open({ viewport: { width: 390, height: 844 } });
  const guest = await phone.newPage();
  await guest.goto(`/event/${party.code}`);
  const picture = guest.locator('img[src^="/api/pictures/"][alt=""]');
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  await look(guest, 'look-guest');
  expect(await violationsOf(guest)).toEqual([]);
  await phone.close();

  await page.goto(`/manage/${party.code}/karten`);
  await page.getByText('Schön, dass ihr da seid!').first().waitFor();
  await look(page, 'look-cards');
  // Pages outside the event do not wear its palette.
  await page.goto('/kontakt');
  expect(await worn(page)).toEqual(['#24437e', null]);

  await page.goto(`/slideshow/${party.code}`);
  await page.locator('main[data-active]').waitFor();
  expect(await worn(page)).toEqual(salbei);
  await host.json('PUT', `/api/events/${party.code}/look`, { palette: 'nacht', welcome: '' }, 200);
  await expect.poll(() => worn(page)).toEqual([expect.any(String), 'nacht']);
  await look(page, 'look-wall');
  await context.close();
});
