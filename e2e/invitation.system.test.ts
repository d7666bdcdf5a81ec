import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMailbox, type Arrived, type Mailbox } from '../server/src/features/mail/testing/mailbox.ts';
import { violationsOf } from './support/accessible.ts';
import { adminOf } from './support/api.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { logInAsAdmin } from './support/login.ts';
import { startServer, type TestServer } from './support/server.ts';

const expectNoViolations = async (page: Page): Promise<void> => expect(await violationsOf(page)).toEqual([]);
const COLOUR = '#24437e';
/** Expects the operator's logo and colour on each of these pages. */
async function expectFace(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('img', { name: 'Zeltverleih Süd' }).first().waitFor();
    const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
    expect([path, accent]).toEqual([path, COLOUR]);
  }
}
const PASSWORD = 'vier bunte Lampions im Garten';
/** Filters by recipient, because the operator gets another mail on Mondays. */
const lettersTo = (address: string, { arrived }: Mailbox): Arrived[] => arrived.filter(({ envelope }) => envelope.includes(address));

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
    await page.getByRole('link', { name: 'Einstellungen', exact: true }).click();
    await page.getByRole('link', { name: 'Logo und Farbe' }).click();
    const logo = sharp({ create: { width: 900, height: 200, channels: 4, background: COLOUR } });
    await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await logo.png().toBuffer() });
    await page.getByRole('complementary', { name: 'Vorschau' }).locator('img').waitFor();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Gespeichert.').waitFor();
    await page.goto('/admin');
    await page.getByLabel('Wie heißt Ihr Betrieb?').fill('Zeltverleih Süd');
    await page.getByLabel('Wem gehört er?').fill('Sabine Süd');
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
    await office.page.getByRole('link', { name: 'Einstellungen', exact: true }).click();
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

    await expect.poll(() => lettersTo('lena@example.org', mailbox).length).toBe(1);
    const { subject, text = '', html = '', attachments } = lettersTo('lena@example.org', mailbox)[0] as Arrived;
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

    await office.page.goto('/admin');
    await office.page.getByRole('button', { name: 'Lenas Fest', exact: true }).click();
    mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
    await office.page.getByRole('button', { name: 'Neu einladen', exact: true }).click();
    await office.page.getByRole('button', { name: 'Fertig' }).click();
    await office.page.getByText('Einladung nicht zugestellt: 550 5.1.1 unbekannt').waitFor();
    await office.page.goto('/admin');
    await office.page.getByText('Eine Einladung wurde nicht zugestellt.').waitFor();
    mailbox.answer = null;
    await office.page.getByRole('button', { name: 'Neu einladen: Lenas Fest' }).click();
    await office.page.getByRole('button', { name: 'Fertig' }).click();
    await office.page.getByText('Einladung verschickt; sie gilt bis').waitFor();
    await office.page.goto('/admin/einstellungen/mail');
    await office.page
      .getByText(/^verschickt, /)
      .first()
      .waitFor();
    await Promise.all([office.context.close(), phone.context.close(), other.context.close()]);
  });

  it('an operator sets the mail server in the browser, tries it, and invites, without a file or a restart', async () => {
    const login = { user: 'feier@zelt.example', pass: 'ein ganz geheimes Wort' };
    const [provider, empty] = await Promise.all([openMailbox({ login }), startServer()]);
    const { page, context } = await openPage(browser, empty.url, DESKTOP);
    await logInAsAdmin(page);
    await page.getByText('Was ohne einen Mailserver nicht geht').waitFor();
    await page.goto('/admin/einstellungen/mail');
    await page.getByLabel('Mailserver (SMTP)').fill('127.0.0.1');
    await page.getByLabel('Port').fill(String(provider.port));
    await page.getByLabel('Benutzername').fill(login.user);
    await page.getByLabel('Adresse des Absenders').fill('feier@zelt.example');
    await page.getByRole('button', { name: 'Mailserver speichern' }).click();
    await page.getByText('Bitte geben Sie das Passwort für diesen Mailserver ein.').waitFor();
    await page.getByLabel('Passwort des Postfachs').fill(login.pass);
    await page.getByRole('button', { name: 'Mailserver speichern' }).click();
    await page.getByText('Gespeichert. Senden Sie sich jetzt eine Testmail.').waitFor();
    expect(await page.getByLabel('Passwort des Postfachs').inputValue()).toBe('');
    await page.getByLabel('Testmail an').fill('chefin@zelt.example');
    await page.getByRole('button', { name: 'Testmail senden' }).click();
    await page.getByText('250 OK: angenommen').waitFor();
    await expectNoViolations(page);
    const operator = await adminOf(empty.url);
    const today = berlinDay(Date.now());
    const host = { email: 'lena@example.org', name: 'Lena' };
    await operator.json('POST', '/admin/create_event', { title: 'Lenas Fest', start_date: today, end_date: today, host });
    await expect.poll(() => lettersTo(host.email, provider)[0]?.text ?? '').toContain(`${empty.url}/einladung/`);
    await context.close();
    await empty.dispose();
    await provider.close();
  });

  it('an invitation opens as Safe Links rewrite it, after a reload, and by the part that a gateway has cut off', async () => {
    const admin = await adminOf(server.url);
    const today = berlinDay(Date.now());
    const event = { title: 'Hinter Safe Links', start_date: today, end_date: today };
    const { id } = await admin.json<{ id: string }>('POST', '/admin/create_event', event, 201);
    const { link } = await admin.json<{ link: string }>('POST', `/admin/events/${id}/invitation`);
    const [bare = '', token = ''] = link.split('#');
    const { page, context } = await openPage(browser, server.url, PHONE);
    const title = page.getByRole('heading', { name: event.title });
    await page.goto(`${bare}%23${token}`);
    await title.waitFor();
    await expect.poll(() => page.url()).toBe(bare);
    await page.reload();
    await title.waitFor();
    await page.goto('about:blank');
    await page.goto(bare);
    await page.getByRole('heading', { name: 'Im Link fehlt ein Teil' }).waitFor();
    await page.getByLabel('Link oder Code').fill(bare);
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByText('Darin ist weder der ganze Link noch sein Code.').waitFor();
    await expectNoViolations(page);
    await page.getByLabel('Link oder Code').fill(` \u200b${token}\n`);
    await page.getByRole('button', { name: 'Weiter' }).click();
    await title.waitFor();
    await context.close();
  });

  it('a page for unsubscribing ends nothing by being opened', async () => {
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.goto('/abmelden/nichts.begins');
    await page.getByRole('heading', { name: 'Im Link fehlt ein Teil' }).waitFor();
    const token = `0199c0de-1234-7abc-8def-0123456789ab.begins.${'x'.repeat(22)}`;
    await page.getByLabel('Link oder Code').fill(`${server.url}/abmelden/${token}.`);
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByRole('button', { name: 'Mails dieser Art abbestellen' }).click();
    await page.getByRole('heading', { name: 'Nichts mehr abzubestellen' }).waitFor();
    await expectNoViolations(page);
    await context.close();
  });
});
