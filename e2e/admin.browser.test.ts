import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { logInAsAdmin, statusOfLogin } from './support/login.ts';
import { ADMIN, type TestServer } from './support/server.ts';

describe("an administrator's account", () => {
  let server: TestServer;
  let browser: Browser;
  /** The administrator's current password, which some tests change. */
  let password = ADMIN.password;
  let passwords = 1;
  const another = (): string => `ein-neues-Kennwort-${++passwords}`;

  useServer((started) => ({ server, browser } = started));

  async function login(page: Page): Promise<void> {
    await logInAsAdmin(page, password);
    await page.getByRole('heading', { name: 'Events' }).waitFor();
  }
  async function expectNoViolations(page: Page): Promise<void> {
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  }
  const loginWith = (username: string, tried: string) => statusOfLogin(server.url, username, tried);

  it('is warned, changes its password with errors at their fields, and stays logged in here only', async () => {
    const [before, next] = [password, another()];
    const elsewhere = await adminOf(server.url);
    const event = await createEvent(elsewhere);
    const { page, context, errors } = await openPage(browser, server.url, PHONE);
    await logInAsAdmin(page, password);
    // The event runs today, so a phone is led to today's page.
    await page.waitForURL(/\/admin\/heute$/);
    await page.goto('/admin?suche=');
    await page.getByRole('button', { name: 'Später' }).click();
    await page.getByText('Passwort ändern, https einrichten, Betriebsdaten eintragen').click();
    await page.getByText('Das erste Verwaltungspasswort ist noch in Gebrauch.').waitFor();
    await page.getByText('PUBLIC_URL ist keine https-Adresse.').waitFor();
    await page.getByText('Es sind die Daten des Beispielbetriebs eingetragen.').waitFor();
    await expectNoViolations(page);

    await page.getByRole('link', { name: 'Passwort ändern' }).click();
    const dialog = page.getByRole('main');
    const submit = dialog.getByRole('button', { name: 'Passwort ändern' });
    await submit.click();
    await dialog.getByText('Bitte geben Sie das aktuelle Passwort ein.').waitFor();
    await dialog.getByText('Das neue Passwort braucht mindestens 12 Zeichen.').waitFor();
    await dialog.getByLabel('Aktuelles Passwort').fill('falsch');
    await dialog.getByLabel('Neues Passwort', { exact: true }).fill(next);
    await dialog.getByLabel('Neues Passwort wiederholen').fill('etwas anderes');
    await submit.click();
    await dialog.getByText('Die beiden Passwörter stimmen nicht überein.').waitFor();
    await dialog.getByLabel('Neues Passwort wiederholen').fill(next);
    await submit.click();
    await dialog.getByText('Das aktuelle Passwort stimmt nicht.').waitFor();
    await expectNoViolations(page);
    await dialog.getByLabel('Aktuelles Passwort').fill(before);
    await submit.click();
    await dialog.getByText('Das Passwort ist geändert.').waitFor();
    password = next;
    await page.getByRole('link', { name: 'Liste' }).click();
    await page.getByText(event.title).waitFor();
    await page.getByText('Das erste Verwaltungspasswort').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(event.title).waitFor();
    expect((await elsewhere.request('/admin/events')).status).toBe(401);
    expect([await loginWith(ADMIN.username, before), await loginWith(ADMIN.username, next)]).toEqual([401, 200]);
    // The browser itself logs the refused request (400).
    expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
    await context.close();
  });

  it('adds another one, whose password is shown once, and removes it', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await login(page);
    await page.getByRole('link', { name: 'Zugang', exact: true }).click();
    const dialog = page.getByRole('main');
    const add = dialog.getByRole('button', { name: 'Hinzufügen' });
    await add.click();
    await dialog.getByText('Bitte geben Sie einen Benutzernamen ein.').waitFor();
    await dialog.getByLabel('Weiterer Benutzername').fill('Berta');
    await add.click();
    const given = (await dialog.getByText(/^[A-Z2-9]{5}(-[A-Z2-9]{5}){3}$/).textContent()) ?? '';
    await expectNoViolations(page);
    expect(await loginWith('Berta', given)).toBe(200);
    // Once the password is copied, the page can be left without a question.
    await dialog.getByText(given).selectText();
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByRole('link', { name: 'Liste' }).click();
    await page.getByRole('link', { name: 'Zugang', exact: true }).click();
    await dialog.getByRole('button', { name: 'Berta entfernen' }).waitFor();
    expect(await dialog.getByText(given).count()).toBe(0);
    // Two quick taps do not answer a question that nobody has read.
    let asked = 0;
    await page.route('**/admin/admins/*/factors', (route) => {
      asked += 1;
      return route.fulfill({ status: 204 });
    });
    await page.route('**/admin/admins', async (route) => {
      const response = await route.fetch();
      const { admins } = (await response.json()) as { admins: object[] };
      await route.fulfill({ response, json: { admins: admins.map((one) => ({ ...one, second_factor: true })) } });
    });
    await page.getByRole('link', { name: 'Liste' }).click();
    await page.getByRole('link', { name: 'Zugang', exact: true }).click();
    await dialog.getByRole('button', { name: 'Zweiten Faktor entfernen, von Berta' }).dblclick();
    await dialog.getByRole('button', { name: 'Berta entfernen' }).dblclick();
    expect(asked).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await dialog.getByRole('button', { name: 'Zugang endgültig entfernen' }).click();
    await dialog.getByRole('button', { name: 'Berta entfernen' }).waitFor({ state: 'detached' });
    expect(await loginWith('Berta', given)).toBe(401);
    await context.close();
  });
});
