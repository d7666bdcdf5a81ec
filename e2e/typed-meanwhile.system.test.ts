import type { Browser, BrowserContext, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { createClient, createEvent, hostOf, type Client } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import type { TestServer } from './support/server.ts';
import { useAdmin } from './support/use-server.ts';

/** Each save takes a while, as on a slow line, and people type on. */
describe('what is typed while a save is under way', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin(
    async (started) => {
      ({ server, browser, admin } = started);
      const identity = { brand: 'Zelte Süd', owner: 'Sabine Süd', street: 'Gasse 1', zip: '88131', city: 'Bregenz' };
      const value = { identity, contact: { email: 'hallo@zelt.example' } };
      await admin.json('PUT', '/admin/settings/business', { version: 0, value }, 200);
    },
    { WEBHOOK_PRIVATE: 'on' },
  );

  async function open(path: string, who = admin): Promise<{ page: Page; context: BrowserContext; questions: string[] }> {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, who, server.url);
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(path);
    return { page, context, questions };
  }
  /** Holds calls of this method until `let` is called. */
  async function hold(page: Page, method: string, path: string): Promise<{ held: Promise<void>; let(): void }> {
    const [held, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(path, async (route) => {
      if (route.request().method() !== method) return route.continue();
      held.resolve();
      await go.promise;
      await route.continue();
    });
    return { held: held.promise, let: go.resolve };
  }
  const leave = (page: Page): Promise<void> =>
    page.getByRole('navigation', { name: 'Einstellungen' }).getByRole('link', { name: 'Preise' }).click();

  it('stays in a section of the settings, is unsaved, and is saved by the next press', async () => {
    const { page, context, questions } = await open('/admin/einstellungen');
    const brand = page.getByLabel('Name des Betriebs');
    const save = page.getByRole('button', { name: 'Speichern' });
    const line = await hold(page, 'PUT', '**/admin/settings/business');
    await page.getByLabel('Telefon').fill('089 12 34 56');
    await save.click();
    await line.held;
    await page.getByLabel('Ort', { exact: true }).fill('Lindau');
    line.let();
    await page.getByText('Gespeichert.').waitFor();
    expect(await page.getByLabel('Ort', { exact: true }).inputValue()).toBe('Lindau');
    expect(await page.getByText('Jemand anders hat').count()).toBe(0);
    await leave(page);
    expect(questions).toEqual(['Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?']);
    await save.click();
    await expect
      .poll(() => admin.json('GET', '/admin/settings/business'))
      .toMatchObject({ version: 3, value: { identity: { city: 'Lindau' }, contact: { phone: { shown: '089 12 34 56' } } } });
    await page.getByText('Gespeichert.').waitFor();
    await leave(page);
    await page.waitForURL('**/preise');
    expect([questions.length, await brand.count()]).toEqual([1, 0]);
    await context.close();
  });

  it('counts as unsaved also where it is again what stood there before', async () => {
    const { page, context, questions } = await open('/admin/einstellungen');
    const hours = page.getByLabel('Erreichbar');
    const before = await hours.inputValue();
    const line = await hold(page, 'PUT', '**/admin/settings/business');
    await hours.fill('täglich');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await line.held;
    await hours.fill(before);
    line.let();
    await page.getByText('Gespeichert.').waitFor();
    await leave(page);
    expect(questions).toHaveLength(1);
    await context.close();
  });

  it('is not thrown away by the step back without a question', async () => {
    const { page, context, questions } = await open('/admin/einstellungen');
    await page.getByText('Zuletzt geändert am').click();
    await page.getByLabel('Erreichbar').fill('nie');
    await page.getByRole('button', { name: 'Einen Schritt zurück' }).click();
    await expect.poll(() => questions).toEqual(['Die Eingaben sind noch nicht gespeichert. Trotzdem zurückgehen?']);
    expect(await page.getByLabel('Erreichbar').inputValue()).toBe('nie');
    await context.close();
  });

  it('stays in the form of the mail server, whose next save overwrites nobody', async () => {
    const { page, context } = await open('/admin/einstellungen/mail');
    const line = await hold(page, 'PUT', '**/admin/mail/server');
    const save = page.getByRole('button', { name: 'Mailserver speichern' });
    await page.getByLabel('Mailserver (SMTP)').fill('mail.alt.example');
    await page.getByLabel('Adresse des Absenders').fill('feier@zelt.example');
    await save.click();
    await line.held;
    await page.getByLabel('Mailserver (SMTP)').fill('mail.neu.example');
    line.let();
    await page.getByText('Gespeichert.').waitFor();
    expect(await page.getByLabel('Mailserver (SMTP)').inputValue()).toBe('mail.neu.example');
    await save.click();
    await expect.poll(() => admin.json('GET', '/admin/mail')).toMatchObject({ server: { host: 'mail.neu.example' } });
    expect(await page.getByText('Jemand anders hat').count()).toBe(0);
    await context.close();
  });

  it('stays in a form that begins anew after each', async () => {
    const { page, context, questions } = await open('/admin/verbindungen');
    const form = page.getByRole('region', { name: 'Webhooks' }).locator('form').last();
    const line = await hold(page, 'POST', '**/admin/webhooks');
    await form.getByLabel('Name').fill('Buchung');
    await form.getByLabel('Adresse').fill('http://127.0.0.1:9/a');
    await form.getByRole('button', { name: 'Webhook anlegen' }).click();
    await line.held;
    await form.getByLabel('Name').fill('Kasse');
    line.let();
    await page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem').filter({ hasText: 'Buchung' }).waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('Kasse');
    await page.getByRole('link', { name: 'Protokoll' }).click();
    expect(questions.length).toBeGreaterThan(0);
    await context.close();
  });

  it('is not taken by a dialog that closes with the answer', async () => {
    const event = await createEvent(admin, { title: 'Lena & Jonas' });
    const { page, context, questions } = await open(`/manage/${event.code}`, await hostOf(server.url, event));
    await page.getByRole('button', { name: 'Aussehen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Aussehen' });
    const welcome = dialog.getByLabel('Ein Satz für Ihre Gäste');
    const line = await hold(page, 'PUT', '**/look');
    await welcome.fill('Schön');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await line.held;
    await welcome.pressSequentially(', dass ihr da seid');
    expect(await welcome.inputValue()).toBe('Schön');
    line.let();
    await dialog.waitFor({ state: 'detached' });
    expect(questions).toEqual([]);
    await context.close();
  });

  it('stays in the name of the next token', async () => {
    const { page, context } = await open('/admin/verbindungen');
    const form = page.getByRole('region', { name: 'Programme' }).locator('form');
    const line = await hold(page, 'POST', '**/admin/tokens');
    await form.getByLabel('Name des Programms').fill('Buchung');
    await form.getByRole('button', { name: 'Token anlegen' }).click();
    await line.held;
    await form.getByLabel('Name des Programms').fill('Kasse');
    line.let();
    await page.getByRole('region', { name: 'Programme' }).getByRole('listitem').filter({ hasText: 'Buchung' }).waitFor();
    expect(await form.getByLabel('Name des Programms').inputValue()).toBe('Kasse');
    await context.close();
  });

  it('makes nobody an administrator who was to be a helper', async () => {
    const { page, context } = await open('/admin/zugang');
    const section = page.getByRole('region', { name: 'Wer verwaltet' });
    const name = section.getByLabel('Weiterer Benutzername');
    const helper = section.getByRole('switch', { name: 'Nur Helfer' });
    const line = await hold(page, 'POST', '**/admin/admins');
    await name.fill('frieda');
    await section.getByRole('button', { name: 'Hinzufügen' }).click();
    await line.held;
    await name.fill('hannes');
    await helper.click();
    line.let();
    await section.getByText('Das Passwort wird nur dieses eine Mal angezeigt.').waitFor();
    expect([await name.inputValue(), await helper.isChecked()]).toEqual(['hannes', true]);
    // The next access's password comes beside the one that nobody has copied yet, and goes with its own access alone.
    await section.getByRole('button', { name: 'Hinzufügen' }).click();
    const passwords = section.getByText('Das Passwort wird nur dieses eine Mal angezeigt.');
    await expect.poll(() => passwords.count()).toBe(2);
    await section.getByRole('button', { name: 'hannes entfernen' }).click();
    await section.getByRole('button', { name: 'Zugang endgültig entfernen' }).click();
    await section.getByText('Benutzername hannes, Passwort').waitFor({ state: 'detached' });
    await section.getByText('Benutzername frieda, Passwort').waitFor();
    await context.close();
  });

  it('is not taken for a password that is set already', async () => {
    const event = await createEvent(admin, { title: 'Mia & Paul' });
    const { link } = await admin.json<{ link: string }>('POST', `/admin/events/${event.id}/invitation`, {}, 201);
    const { page, context } = await open(link);
    const password = page.getByLabel('Passwort', { exact: true });
    const line = await hold(page, 'POST', '**/auth/invitation/accept');
    await password.fill('Apfel Birne Nuss');
    await page.getByLabel('Passwort wiederholen').fill('Apfel Birne Nuss');
    await page.getByRole('button', { name: 'Passwort festlegen' }).click();
    await line.held;
    await password.pressSequentially(' Kirsche');
    expect(await password.inputValue()).toBe('Apfel Birne Nuss');
    line.let();
    await page.waitForURL('**/manage/**');
    await context.close();
  });

  it('is not taken for the own new password, which is said to be changed', async () => {
    const other = await admin.json<{ username: string; password: string }>(
      'POST',
      '/admin/admins',
      { username: 'ida', role: 'admin' },
      201,
    );
    const ida = createClient(server.url);
    await ida.json('POST', '/auth/admin/login', { username: other.username, password: other.password }, 200);
    const { page, context } = await open('/admin/zugang', ida);
    const line = await hold(page, 'PUT', '**/admin/password');
    await page.getByLabel('Aktuelles Passwort').fill(other.password);
    await page.getByLabel('Neues Passwort', { exact: true }).fill('ein-neues-Kennwort-2');
    await page.getByLabel('Neues Passwort wiederholen').fill('ein-neues-Kennwort-2');
    await page.getByRole('button', { name: 'Passwort ändern' }).click();
    await line.held;
    await page.getByLabel('Neues Passwort', { exact: true }).pressSequentially('3');
    line.let();
    await page.getByText('Das Passwort ist geändert.').waitFor();
    expect(await page.getByLabel('Neues Passwort', { exact: true }).inputValue()).toBe('');
    await context.close();
  });

  it('stays where the earlier code or password is refused', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await page.goto('/admin/login');
    const line = await hold(page, 'POST', '**/auth/admin/login');
    const password = page.getByLabel('Passwort', { exact: true });
    await page.getByLabel('Benutzername').fill('admin');
    await password.fill('vertippt');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await line.held;
    await password.fill('ein-langes-Kennwort-1');
    line.let();
    await page.getByText('Ungültige Benutzerdaten oder Passwort').waitFor();
    expect(await password.inputValue()).toBe('ein-langes-Kennwort-1');
    await context.close();
  });
});
