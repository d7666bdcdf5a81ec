import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMailbox, type Mailbox } from '../server/src/features/mail/testing/mailbox.ts';
import { violationsOf } from './support/accessible.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { logInAsAdmin } from './support/login.ts';
import { startServer, type TestServer } from './support/server.ts';

const expectNoViolations = async (page: Page): Promise<void> => expect(await violationsOf(page)).toEqual([]);
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
    const { subject, text = '' } = mailbox.arrived[1] as (typeof mailbox.arrived)[number];
    expect(subject).toBe('Willkommen zu Lenas Fest');
    expect(text).toContain('Hallo Lena und Tom!');
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
