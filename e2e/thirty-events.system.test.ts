import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, berlinInstant } from '@feierbild/contract/berlin.ts';
import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, dayFromToday, deviceOf, hostOf, NEXT_YEAR, upload, type Client } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { logInAsAdmin, takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useAdmin } from './support/use-server.ts';

describe('what an operator with many events does', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin((started) => ({ server, browser, admin } = started));

  /** Checks the page as it is; with LOOK_AT, saves a picture of it into that folder. */
  async function look(page: Page, name: string, found: string[]): Promise<void> {
    found.push(...(await violationsOf(page)).map((violation) => `${name}: ${violation}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) found.push(`${name}: scrolls sideways by ${wide}`);
    if (process.env.LOOK_AT) await page.screenshot({ path: `${process.env.LOOK_AT}/${name}.png`, fullPage: true });
  }
  const titles = async (): Promise<string[]> =>
    (await admin.json<{ events: { title: string }[] }>('GET', '/admin/events')).events.map(({ title }) => title).toSorted();

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)('sees on a %s what runs today, with its photos and walls, and what is deleted soon', async (where, viewport) => {
    const today = dayFromToday(0);
    const party = await createEvent(admin, { title: `Hochzeit heute, ${where}`, start_date: today, end_date: today });
    const ended = { start_date: dayFromToday(-25), end_date: dayFromToday(-25) };
    const old = await createEvent(admin, { title: `Sommerfest, ${where}`, ...ended });
    for (const [seed, { code }] of [party, party, old].entries()) {
      const sent = await upload({ url: server.url, code, device: await deviceOf(server.url), file: await drawPhoto(seed) });
      expect(sent.status).toBe(201);
    }
    const { page, context } = await openPage(browser, server.url, viewport);
    const found: string[] = [];
    const wall = await context.newPage();
    await takeOver(context, await hostOf(server.url, party), server.url);
    await wall.goto(`/slideshow/${party.code}`);
    await wall.getByText('Fotos hinzufügen: 2/5').waitFor();
    await logInAsAdmin(page);
    await page.waitForURL(/\/admin(\/heute)?$/);
    await page.goto('/admin/heute');
    const running = page.getByRole('region', { name: 'Läuft gerade' }).getByRole('listitem').filter({ hasText: party.title });
    expect(await running.first().innerText()).toMatch(
      /In dieser Stunde\s+[0-2]\b[^]*Insgesamt\s+2 Fotos[^]*Gastgeber\s+Einladung angenommen[^]*Wände\s+1\b/,
    );
    const due = page.getByRole('region', { name: 'Löschung in den nächsten 7 Tagen' }).getByRole('listitem').filter({ hasText: old.title });
    expect(await due.innerText()).toMatch(/1 Foto, letzter Tag[^]*ZIP nicht geladen/);
    await look(page, `today-${where}`, found);
    await due.getByRole('link').click();
    await page.getByText('bald, ZIP nicht geladen').waitFor();
    expect(found).toEqual([]);
    await context.close();
  });

  it.each([
    ['until six in the morning', '05:59', '/admin/heute'],
    ['and not from then on', '06:00', '/admin'],
  ])('leads a phone to what runs, %s', async (_until, time, path) => {
    const day = '2029-06-16';
    await createEvent(admin, { title: `Sommernacht, ${time}`, start_date: day, end_date: day });
    const { page, context } = await openPage(browser, server.url, PHONE);
    await takeOver(context, admin, server.url);
    await page.clock.setFixedTime(berlinInstant(`${addDays(day, 1)}T${time}`));
    const asked = page.waitForResponse((answer) => new URL(answer.url()).searchParams.get('per_page') === '1');
    await page.goto('/admin');
    await (await asked).finished();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    await context.close();
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)('works on a %s: a template, an event of it, a table in, once more, and out', async (where, viewport) => {
    const { page, context } = await openPage(browser, server.url, viewport);
    const found: string[] = [];
    const before = await titles();
    await logInAsAdmin(page);
    // If an event runs today, the login leads a phone there.
    await page.waitForURL(/\/admin(\/heute)?$/);

    const gold = `Gold ${where}`;
    await page.goto('/admin/einstellungen/vorlagen');
    const first = page.getByRole('group', { name: 'Vorlage 1', exact: true });
    await first.getByLabel('Name').fill(gold);
    await first.getByLabel('Speicherplatz in GB').fill('2,5');
    const videos = first.getByRole('switch', { name: 'Videos' });
    if ((await videos.getAttribute('aria-checked')) === 'false') await videos.click();
    await look(page, `templates-${where}`, found);
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Gespeichert.').waitFor();

    await page.goto('/admin?suche=');
    await page.getByRole('button', { name: 'Event erstellen' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: gold }).click();
    expect(await form.getByLabel('Speicherplatz in GB').inputValue()).toBe('2,5');
    expect(await form.getByRole('switch', { name: 'Videos' }).getAttribute('aria-checked')).toBe('true');
    const own = `Von Hand, ${where}`;
    await form.getByLabel('Titel', { exact: true }).fill(own);
    await form.getByLabel('Startdatum').fill(`${NEXT_YEAR}-06-12`);
    await form.getByLabel('Enddatum').fill(`${NEXT_YEAR}-06-12`);
    await form.getByLabel('Auftragsnummer').fill(`R-${where}`);
    await look(page, `form-${where}`, found);
    await form.getByRole('button', { name: 'Event erstellen' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Suchen' }).fill(`R-${where} 12.6.`);
    await page.getByText('1 Event gefunden').waitFor();

    // Excel writes Windows-1252.
    const table = [
      'Titel;Beginn;Vorlage;E-Mail;Kunde;Auftragsnummer',
      `Müllers Hochzeit, ${where};19.6.${NEXT_YEAR};${gold};mueller@example.org;Müller;R-1`,
      `Sommerfest, ${where};${NEXT_YEAR}-07-03;;;Kegelverein;R-2`,
      `Ohne Tag, ${where};33.7.${NEXT_YEAR};;;;R-3`,
    ].join('\r\n');
    const file = { name: 'events.csv', mimeType: 'text/csv', buffer: Buffer.from(table, 'latin1') };
    await page.getByRole('link', { name: 'CSV einlesen' }).click();
    // The page asks what nobody can know: the meaning of the columns, and the day of `1/5/27`.
    const foreign = Buffer.from(`Couple,Date,Size\nLena & Tom,1/5/${NEXT_YEAR.slice(2)},"1,000"\n`);
    await page.locator('input[type=file]').setInputFiles({ name: 'events.csv', mimeType: 'text/csv', buffer: foreign });
    await page.getByText('Welche Spalte ist „Titel“, welche „Beginn“?').waitFor();
    await page.getByLabel('Couple').selectOption('Titel');
    await page.getByLabel('Date').selectOption('Beginn');
    await page.getByText('1 mit Fehlern').waitFor();
    await look(page, `import-asks-${where}`, found);
    await page.getByRole('radio', { name: `01.05.${NEXT_YEAR}` }).check();
    await page.getByText('1 neu').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Zeile 2' }).innerText()).toContain(`1.5.${NEXT_YEAR}`);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('2 neu, 1 mit Fehlern').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Zeile 4' }).innerText()).toContain(
      'Beginn: Bitte geben Sie ein gültiges Datum ein.',
    );
    await look(page, `import-${where}`, found);
    await page.getByRole('button', { name: '2 Events anlegen' }).click();
    await page.getByText('2 angelegt, 1 mit Fehlern').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Müllers' }).innerText()).toContain('/einladung/');
    await look(page, `imported-${where}`, found);
    // Without mail, invitations are passed on by hand, and are shown only this once.
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: '1 Einladung speichern' }).click();
    expect(await readFile(await (await saving).path(), 'utf8')).toMatch(
      new RegExp(`^Müllers Hochzeit, ${where}: ${server.url}/einladung/[A-Z2-9]{8}#[\\w-]{22}$`),
    );

    await page.reload();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('2 schon da, 1 mit Fehlern').waitFor();
    expect(await page.getByRole('button', { name: /anlegen/ }).count()).toBe(0);
    expect(await titles()).toEqual([...before, own, `Müllers Hochzeit, ${where}`, `Sommerfest, ${where}`].toSorted());

    await page.goto(`/admin?suche=R-1+${where}`);
    await page.getByText('1 Event gefunden').waitFor();
    await look(page, `list-${where}`, found);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Als CSV' }).click();
    const download = await downloading;
    const written = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect([written.length, written[1]]).toEqual([3, expect.stringContaining(`"Müllers Hochzeit, ${where}";"";"19.06.${NEXT_YEAR}"`)]);
    expect(found).toEqual([]);
    await context.close();
  });

  it('asks about a table as it was chosen, whatever became of its file, and says so if that cannot be read', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto('/admin/einlesen');
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-table-'));
    const path = join(folder, 'events.csv');
    const input = page.locator('input[type=file]');
    await writeFile(path, `Titel;Beginn\nUnklar;1/5/${NEXT_YEAR.slice(2)}\n`);
    await input.setInputFiles(path);
    const may = page.getByRole('radio', { name: `01.05.${NEXT_YEAR}` });
    await may.waitFor();
    await writeFile(path, `Titel;Beginn\nGespeichert in Excel;2.5.${NEXT_YEAR}\n`);
    await may.check();
    await page.getByRole('button', { name: '1 Event anlegen' }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Zeile 2' }).innerText()).toContain('Unklar');
    // The page learns of the choice once the file is gone.
    await input.evaluate((chooser) => chooser.addEventListener('change', (event) => event.stopPropagation(), { once: true }));
    await input.setInputFiles(path);
    await rm(folder, { recursive: true });
    await input.dispatchEvent('change');
    await page.getByText('Diese Datei lässt sich nicht lesen. Bitte wählen Sie sie noch einmal.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  it('reads of an event whose answer was lost on the way that its invitation has to be made anew', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await logInAsAdmin(page);
    await page.waitForURL(/\/admin(\/heute)?$/);
    await page.goto('/admin/einlesen');
    const table = ['Titel;Beginn;E-Mail', `Erste;19.6.${NEXT_YEAR};eins@example.org`, `Zweite;20.6.${NEXT_YEAR};zwei@example.org`].join(
      '\r\n',
    );
    await page.locator('input[type=file]').setInputFiles({ name: 'events.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await page.route(
      '**/admin/create_event',
      async (route) => {
        expect((await route.fetch()).status()).toBe(201);
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: '2 Events anlegen' }).click();
    await page.getByText('Keine Verbindung').waitFor();
    await page.getByRole('button', { name: '2 Events anlegen' }).click();
    await page.getByText('2 angelegt').waitFor();
    const lost = 'Der Link der Einladung ging auf dem Weg verloren: Bitte laden Sie beim Event neu ein.';
    const [first, second] = ['Erste', 'Zweite'].map((title) => page.getByRole('listitem').filter({ hasText: title }));
    expect(await first?.innerText()).toContain(lost);
    expect(await second?.innerText()).toContain('/einladung/');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: '1 Einladung speichern' }).click();
    expect((await readFile(await (await saving).path(), 'utf8')).split('\r\n')).toEqual([
      expect.stringMatching(/^Zweite: .*\/einladung\//),
      `Erste: ${lost}`,
    ]);
    await context.close();
  });

  it('has one event, made longer once, where answers were lost and the same was pressed again', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto('/admin?suche=Kirmes');
    const lose = (calls: string) =>
      page.route(
        calls,
        async (route) => {
          expect((await route.fetch()).ok()).toBe(true);
          await route.abort();
        },
        { times: 1 },
      );
    await page.getByRole('button', { name: 'Event erstellen' }).click();
    const form = page.getByRole('dialog', { name: 'Event erstellen' });
    await form.getByLabel('Titel', { exact: true }).fill('Kirmes');
    await form.getByLabel('Startdatum').fill(`${NEXT_YEAR}-06-19`);
    await form.getByLabel('Enddatum').fill(`${NEXT_YEAR}-06-19`);
    const create = form.getByRole('button', { name: 'Event erstellen' });
    await lose('**/admin/create_event');
    await create.click();
    await form.getByText('Keine Verbindung').waitFor();
    await form.getByLabel('Titel', { exact: true }).fill('Kirmes im Zelt');
    await create.click();
    await form.getByText('Das Event wurde schon angelegt').waitFor();
    await form.getByLabel('Titel', { exact: true }).fill('Kirmes');
    await create.click();
    await form.waitFor({ state: 'detached' });
    const made = async () =>
      (await admin.json<{ events: { title: string; end_date: string }[] }>('GET', '/admin/events?search=Kirmes')).events.map(
        ({ title, end_date }) => [title, end_date],
      );
    expect(await made()).toEqual([['Kirmes', `${NEXT_YEAR}-06-19`]]);
    await page.goto('/admin?suche=Kirmes');
    await page.getByLabel('Kirmes auswählen').check();
    await page.getByRole('button', { name: 'Tage verlängern' }).click();
    await lose('**/admin/events/change');
    const extend = page.getByRole('button', { name: 'Verlängern', exact: true });
    await extend.click();
    await page.getByRole('dialog').getByText('Keine Verbindung').waitFor();
    await page.getByRole('dialog').getByText('→').waitFor();
    await extend.click();
    await page.getByText('1 Event um 7 Tage verlängert.').waitFor();
    expect(await made()).toEqual([['Kirmes', `${NEXT_YEAR}-06-26`]]);
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByText('1 Event wieder wie vorher.').waitFor();
    expect(await made()).toEqual([['Kirmes', `${NEXT_YEAR}-06-19`]]);
    await context.close();
  });
});
