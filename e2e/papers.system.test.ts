import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { Browser, Page } from 'playwright';
import { LANGUAGES } from '@feierbild/contract/languages.ts';
import { PAPERS, type PaperName } from '@feierbild/contract/paper-names.ts';
import type { Paper } from '@feierbild/contract/papers.ts';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, deviceOf, upload, type Client } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useAdmin } from './support/use-server.ts';

const MISSING = ['/usr/bin/pdftoppm', '/usr/bin/pdftotext', '/usr/bin/zbarimg'].filter((path) => !existsSync(path));
const RESULTS = join(import.meta.dirname, '../server/src/features/compliance/axe-results.json');
const MINIMAL = {
  identity: { brand: 'Zeltverleih Süd', street: 'Gasse 1', zip: '80331', city: 'München' },
  contact: { email: 'hallo@zelt.example' },
};

describe('the papers of data protection', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    await admin.json('PUT', '/admin/settings/business', { version: 0, value: MINIMAL });
  });

  /** Prints a page: returns the text of each sheet. */
  async function printed(page: Page): Promise<{ sheets: string[]; folder: string; pdf: string }> {
    const folder = mkdtempSync(join(tmpdir(), 'feierbild-papers-'));
    const pdf = join(folder, 'paper.pdf');
    writeFileSync(pdf, await page.pdf({ preferCSSPageSize: true, printBackground: true }));
    const sheets = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' })
      .split('\f')
      .filter((sheet) => sheet.trim() !== '')
      .map((sheet) => sheet.replaceAll(/\s+/g, ' '));
    return { sheets, folder, pdf };
  }

  it.skipIf(MISSING.length > 0)(
    'show a sentence whose check fails red, and do not print it; each sheet says what it is a version of',
    async () => {
      const { page, context } = await openPage(browser, server.url, DESKTOP);
      await takeOver(context, admin, server.url);
      await page.goto('/admin/datenschutz/tom');
      const tls = page.getByText('Zwischen Browser und Server schützt TLS');
      await tls.waitFor();
      await page.getByText('TLS: PUBLIC_URL ist keine https-Adresse.').first().waitFor();
      const red = await tls.evaluate((element) => getComputedStyle(element).color);
      const plain = await page.getByText('Jedes Foto wird beim Eingang').evaluate((element) => getComputedStyle(element).color);
      expect(red).not.toBe(plain);
      const { sheets, folder } = await printed(page);
      const text = sheets.join(' ');
      expect(text).toContain('Jedes Foto wird beim Eingang mit AES-256-GCM');
      expect(text).not.toContain('schützt TLS');
      expect(text).not.toContain('PUBLIC_URL');
      expect(text).toContain('Ob es im Einzelfall genügt, muss eine Rechtsanwältin oder ein Rechtsanwalt prüfen.');
      for (const sheet of sheets)
        expect(sheet).toMatch(
          /Entwurf · Feierbild [\d.]+ · .*20\d\d · Stand der Einstellungen [0-9a-f]{16} · .*Unvollständig: \d+ Sätze fehlen/,
        );
      expect(sheets.length).toBeGreaterThan(1);
      rmSync(folder, { recursive: true });

      // Each paper hides a sentence whose check failed, and the headline of a section without sentences.
      for (const name of Object.keys(PAPERS) as PaperName[]) {
        const { sections, missing } = await admin.json<Paper>('GET', `/admin/papers/${name}`);
        await page.emulateMedia({ media: null });
        await page.goto(`/admin/datenschutz/${name}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const sentences = sections.flatMap((section) => section.sentences);
        const places = (which: (failed: number) => boolean) =>
          sentences
            .filter(({ failed }) => which(failed.length))
            .map(({ text: sentence }) => page.locator('article p', { hasText: sentence }).first());
        const [held, failed] = [places((n) => n === 0), places((n) => n > 0)];
        expect([name, failed.length]).toEqual([name, missing]);
        for (const place of failed) expect(await place.evaluate((element) => getComputedStyle(element).color)).toBe(red);
        await page.emulateMedia({ media: 'print' });
        for (const place of failed) expect(await place.isVisible()).toBe(false);
        for (const place of held) expect(await place.isVisible()).toBe(true);
        for (const { title, sentences: own } of sections.filter((section) => section.sentences.every((one) => one.failed.length > 0)))
          expect([title, own.length, await page.getByRole('heading', { name: title, exact: true }).isVisible()]).toEqual([
            title,
            own.length,
            false,
          ]);
      }
      await context.close();
    },
  );

  it('say what only the operator knows once it was typed, and on /admin what changed since customers got the AVV', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto('/admin/datenschutz/avv');
    const sentence = page.getByText('Fragen des Verantwortlichen zu dieser Verarbeitung umgehend');
    await sentence.waitFor();
    await page.getByText('Ansprechperson: fehlt im Formular: Ansprechperson für Datenschutz').first().waitFor();
    await page.getByRole('link', { name: 'Angaben' }).click();
    await page.getByRole('textbox', { name: 'Ansprechperson für Datenschutz' }).fill('Frieda Beispiel');
    await page.getByRole('textbox', { name: /innerhalb von/ }).fill('100');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: /innerhalb von/ }).fill('24');
    await page.getByRole('textbox', { name: 'Telefon für Datenpannen' }).fill('089 1');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Gespeichert.').waitFor();

    await page.goto('/admin/datenschutz/avv');
    await page.getByText('Ansprechperson ist Frieda Beispiel').waitFor();
    expect(await page.getByText('fehlt im Formular: Ansprechperson').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);

    await page.goto('/admin/datenschutz');
    await page.getByRole('button', { name: 'als ausgegeben vermerken' }).click();
    await page.getByText('Fassung 1, vermerkt am').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Datenschutz' }).first().waitFor();
    expect(await page.getByText('AVV neu erzeugen').count()).toBe(0);
    const { version } = await admin.json<{ version: number }>('GET', '/admin/settings/papers');
    await admin.json('PUT', '/admin/settings/papers', { version, value: { contact: 'Max Muster', breachHours: 24, breachPhone: '089 1' } });
    await page.reload();
    await page.getByText('AVV neu erzeugen, Kunden informieren').waitFor();
    await page.getByText('Ansprechperson: bisher Frieda Beispiel, jetzt Max Muster').waitFor();
    await context.close();
  });

  it.skipIf(MISSING.length > 0)('print the notice at the door as one poster or four cards, with codes that a reader reads', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto('/admin/datenschutz/aushang');
    for (const [format, copies] of [
      ['Aushang A4', 1],
      ['Vier Karten A6', 4],
    ] as const) {
      await page.getByText(format, { exact: true }).click();
      expect(await violationsOf(page)).toEqual([]);
      const { sheets, folder, pdf } = await printed(page);
      expect([format, sheets.length]).toEqual([format, 1]);
      expect(sheets[0]?.match(/Namen werden 30 Tage/g)).toHaveLength(copies);
      execFileSync('pdftoppm', ['-r', '150', '-png', pdf, join(folder, 'sheet')]);
      const [sheet = ''] = readdirSync(folder).filter((name) => name.endsWith('.png'));
      const codes = execFileSync('zbarimg', ['-q', '--raw', '-Sdisable', '-Sqrcode.enable', join(folder, sheet)], { encoding: 'utf8' });
      expect(codes.trim().split('\n')).toEqual(Array.from({ length: copies }, () => `${server.url}/datenschutz`));
      rmSync(folder, { recursive: true });
    }
    // Each language of guests fits the paper, even if all sentences hold.
    await page.route('**/admin/papers/aushang?*', async (route) => {
      const paper = (await (await route.fetch()).json()) as Paper;
      for (const { sentences } of paper.sections) for (const sentence of sentences) sentence.failed = [];
      await route.fulfill({ json: paper });
    });
    await page.reload();
    for (const [language, { name }] of Object.entries(LANGUAGES)) {
      await page.getByText(name, { exact: true }).click();
      const { sections } = await admin.json<Paper>('GET', `/admin/papers/aushang?language=${language}`);
      await page
        .getByRole('heading', { name: sections[0]?.title ?? '', exact: true })
        .first()
        .waitFor();
      expect(await violationsOf(page)).toEqual([]);
      for (const format of ['Aushang A4', 'Vier Karten A6']) {
        await page.getByText(format, { exact: true }).click();
        await page.emulateMedia({ media: 'print' });
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll('[lang][class*=notice]')].map(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
            Math.max(scrollHeight - clientHeight, scrollWidth - clientWidth),
          ),
        );
        expect([language, format, cut.filter((pixels) => pixels > 1)]).toEqual([language, format, []]);
        await page.emulateMedia({ media: null });
      }
    }
    await context.close();
  });

  it('lead from a guest’s device to what is kept of it, and delete that without a photo being shown', async () => {
    const event = await createEvent(admin);
    const device = await deviceOf(server.url);
    expect((await upload({ url: server.url, code: event.code, device, file: await drawPhoto(1, 90, 60) })).status).toBe(201);
    const guest = await openPage(browser, server.url, PHONE);
    await guest.context.addCookies([{ name: 'feierbild_device', value: device, url: server.url }]);
    await guest.page.goto('/datenschutz');
    await guest.page.getByRole('textbox', { name: 'Event-Code' }).fill(event.code);
    await guest.page.getByRole('button', { name: 'Kennung dieses Geräts zeigen' }).click();
    const link = (await guest.page.getByText(/\/admin\/auskunft#/).textContent()) ?? '';
    expect(await violationsOf(guest.page)).toEqual([]);
    await guest.context.close();

    const { page, context } = await openPage(browser, server.url, PHONE);
    await takeOver(context, admin, server.url);
    await page.goto('/admin/auskunft');
    await page.getByRole('textbox').fill(link);
    await page.getByRole('button', { name: 'Suchen' }).click();
    await page.getByText('empfangen am').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Alles davon löschen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByText('Gelöscht: ein Foto und alles Weitere').waitFor();
    await context.close();
  });

  it('tell of accessibility only what this release was tested for', async () => {
    const views: [string, string, boolean][] = [
      ['Startseite', '/', false],
      ['Beitreten', '/join', false],
      ['Beitreten mit Passwort', '/securejoin', false],
      ['Hochladen', `/event/${(await createEvent(admin)).code}`, false],
      ['Anmelden', '/login', false],
      ['Anfragen', '/create', false],
      ['Datenschutz', '/datenschutz', false],
      ['AGB', '/agb', false],
      ['Impressum', '/impressum', false],
      ['Kontakt', '/kontakt', false],
      ['Barrierefreiheit', '/barrierefreiheit', false],
      ['Verwaltung', '/admin', true],
      ['Papiere', '/admin/datenschutz', true],
    ];
    const { page, context } = await openPage(browser, server.url, PHONE);
    await takeOver(context, admin, server.url);
    const pages: Record<string, number> = {};
    for (const [name, path] of views) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      pages[name] = (await violationsOf(page)).length;
    }
    await page.goto('/barrierefreiheit');
    await page.getByRole('heading', { name: 'Barrierefreiheit' }).waitFor();
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
    const axe = JSON.parse(readFileSync(join(import.meta.dirname, '../node_modules/axe-core/package.json'), 'utf8')) as { version: string };
    const measured = { release: version, axe: axe.version, pages };
    if (process.env.UPDATE_LOOKS) writeFileSync(RESULTS, `${JSON.stringify(measured, null, 2)}\n`);
    expect(JSON.parse(readFileSync(RESULTS, 'utf8'))).toEqual(measured);
    await context.close();
  });
});
