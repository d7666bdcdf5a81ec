import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMailbox, type Mailbox } from '../server/src/features/mail/testing/mailbox.ts';
import { violationsOf } from './support/accessible.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { logInAsAdmin } from './support/login.ts';
import { startServer, type TestServer } from './support/server.ts';

const expectNoViolations = async (page: Page): Promise<void> => expect(await violationsOf(page)).toEqual([]);
const COLOUR = '#24437e';
/** Each of these pages has the operator's logo, and colour. */
async function expectFace(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('img', { name: 'Zeltverleih Süd' }).first().waitFor();
    const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
    expect([path, accent]).toEqual([path, COLOUR]);
  }
}
const PASSWORD = 'vier bunte Lampions im Garten';

describe('from an empty folder to a host with a password', () => {
  let browser: Browser;
  let mailbox: Mailbox;
  let server: TestServer;
  beforeAll(async () => {
    [browser, mailbox] = await Promise.all([launchBrowser(), openMailbox()]);
    server = await startServer((url) => ({
      PUBLIC_URL: url,
      SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
      MAIL_FROM: 'Zeltverleih Süd <feier@zelt.example>',
    }));
  });
  afterAll(async () => {
    await server.dispose();
    await mailbox.close();
    await browser.close();
  });

  it('the operator gives the pages a logo, a name and a colour, in any order', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await logInAsAdmin(page);
    await page.getByRole('heading', { name: 'Willkommen! Vier Fragen' }).waitFor();
    await page.getByRole('link', { name: 'Einstellungen' }).click();
    await page.getByRole('link', { name: 'Logo und Farbe' }).click();
    const logo = sharp({ create: { width: 900, height: 200, channels: 4, background: COLOUR } });
    await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await logo.png().toBuffer() });
    await page.getByRole('complementary', { name: 'Vorschau' }).locator('img').waitFor();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Gespeichert.').waitFor();
    await page.goto('/admin');
    await page.getByLabel('Wie heißt Ihr Betrieb?').fill('Zeltverleih Süd');
    await page.getByLabel('Wo? Straße und Hausnummer').fill('Gasse 1');
    await page.getByLabel('Postleitzahl').fill('80331');
    await page.getByLabel('Ort', { exact: true }).fill('München');
    await page.getByLabel('Unter welcher E\u2011Mail erreicht man Sie?').fill('hallo@zelt.example');
    await page.getByLabel('Welche Farbe hat Ihr Betrieb?', { exact: true }).fill(COLOUR);
    await page.getByRole('button', { name: 'Fertig' }).click();
    await page.getByRole('heading', { name: 'Willkommen! Vier Fragen' }).waitFor({ state: 'detached' });
    await expectFace(page, ['/', '/impressum', '/kontakt', '/login', '/join', '/admin/einstellungen']);
    await context.close();
  });

  it('the operator writes the mail’s text and tries the server, invites, and the host sets the password by the mail, once', async () => {
    const office = await openPage(browser, server.url, DESKTOP);
    await logInAsAdmin(office.page);
    await office.page.getByRole('link', { name: 'Einstellungen' }).click();
    await office.page.getByRole('link', { name: 'Mail', exact: true }).click();
    await office.page.getByLabel('Testmail an').fill('chefin@zelt.example');
    await office.page.getByRole('button', { name: 'Testmail senden' }).click();
    await office.page.getByText('250 OK: angenommen').waitFor();
    await office.page.getByLabel('Betreff').fill('Willkommen zu {titel}');
    await office.page.getByLabel('Text', { exact: true }).fill('{anrede}, {gast}!\n\n[Los geht es]({link})');
    const preview = office.page.getByRole('complementary', { name: 'Vorschau' });
    await preview.getByText('Los geht es').waitFor();
    await office.page.getByRole('button', { name: 'Speichern' }).click();
    await office.page.getByText('{gast} gibt es in dieser Mail nicht.').waitFor();
    await expectNoViolations(office.page);
    await office.page.getByLabel('Text', { exact: true }).fill('{anrede}!\n\n[Los geht es]({link})');
    await office.page.getByRole('button', { name: 'Speichern' }).click();
    await office.page.getByText('Gespeichert.').waitFor();

    await office.page.goto('/admin');
    await office.page.getByRole('button', { name: 'Event erstellen' }).first().click();
    const form = office.page.getByRole('dialog', { name: 'Event erstellen' });
    const today = berlinDay(Date.now());
    await form.getByLabel('Titel', { exact: true }).fill('Lenas Fest');
    await form.getByLabel('Startdatum').fill(today);
    await form.getByLabel('Enddatum').fill(today);
    await form.getByLabel('E\u2011Mail').fill('keine');
    await form.getByLabel('Name', { exact: true }).fill('Lena und Tom');
    await form.getByRole('button', { name: 'Event erstellen' }).click();
    await form.getByText('Bitte geben Sie eine gültige E-Mail-Adresse an.').waitFor();
    await form.getByLabel('E\u2011Mail').fill('lena@example.org');
    await form.getByRole('button', { name: 'Event erstellen' }).click();
    const dialog = office.page.getByRole('dialog', { name: 'Einladung für den Gastgeber' });
    await dialog.getByText('Die Einladung geht jetzt an lena@example.org.').waitFor();
    await expectNoViolations(office.page);
    await dialog.getByRole('button', { name: 'Fertig' }).click();

    await expect.poll(() => mailbox.arrived.length).toBe(2);
    const { subject, text = '', html = '', attachments } = mailbox.arrived[1] as (typeof mailbox.arrived)[number];
    expect(subject).toBe('Willkommen zu Lenas Fest');
    expect(text).toContain('Hallo Lena und Tom!');
    expect(html).toContain(`background:${COLOUR}`);
    expect([html.includes('src="cid:logo@feierbild"'), attachments.map(({ contentId }) => contentId)]).toEqual([
      true,
      ['<logo@feierbild>'],
    ]);
    expect(html).toContain('Zeltverleih Süd<br>Gasse 1, 80331 München');
    const link = /\S+\/einladung\/\S+/.exec(text)?.[0] ?? '';

    const phone = await openPage(browser, server.url, PHONE);
    await phone.page.goto(link);
    await phone.page.getByRole('heading', { name: 'Lenas Fest' }).waitFor();
    const submit = phone.page.getByRole('button', { name: 'Passwort festlegen' });
    await phone.page.getByLabel('Passwort', { exact: true }).fill('kurz');
    await phone.page.getByLabel('Passwort wiederholen').fill('kurz');
    await submit.click();
    await phone.page.getByText('Das Passwort braucht mindestens 12 Zeichen').waitFor();
    await phone.page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await submit.click();
    await phone.page.getByText('Die beiden Passwörter stimmen nicht überein.').waitFor();
    await expectNoViolations(phone.page);
    await phone.page.getByLabel('Passwort wiederholen').fill(PASSWORD);
    await submit.click();
    await phone.page.waitForURL(/\/manage\/[A-Z2-9]{8}$/);
    await phone.page.getByText('Lenas Fest').first().waitFor();
    const dashboard = new URL(phone.page.url()).pathname;
    await expectFace(phone.page, [dashboard, dashboard.replace('manage', 'event')]);
    await expectFace(phone.page, [`${dashboard}/karten`]);
    expect(await phone.page.locator('[data-card] img').first().getAttribute('alt')).toBe('Zeltverleih Süd');

    const other = await openPage(browser, server.url, PHONE);
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'Diese Einladung gilt nicht mehr' }).waitFor();
    await expectNoViolations(other.page);
    await other.page.getByRole('link', { name: 'Zur Anmeldung' }).click();
    await other.page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await other.page.getByRole('button', { name: 'Anmelden' }).click();
    await other.page.waitForURL(/\/manage\//);

    await office.page.goto('/admin/einstellungen/mail');
    await office.page.getByText('zugestellt').first().waitFor();
    await Promise.all([office.context.close(), phone.context.close(), other.context.close()]);
  });

  it('a page for unsubscribing ends nothing by being opened', async () => {
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.goto('/abmelden/nichts.begins.falsch');
    await page.getByRole('button', { name: 'Mails dieser Art abbestellen' }).click();
    await page.getByRole('heading', { name: 'Nichts mehr abzubestellen' }).waitFor();
    await expectNoViolations(page);
    await context.close();
  });
});
