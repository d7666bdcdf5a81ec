import type { BrowserContext, Page } from 'playwright';
import type { Client } from './api.ts';
import { ADMIN } from './server.ts';

/** Logs in the administrator by the page; the caller waits for the result. */
export async function logInAsAdmin(page: Page, password = ADMIN.password): Promise<void> {
  await page.goto('/admin/login');
  await sendAdminLogin(page, password);
}

/** The same, if the login page is already open. */
export async function sendAdminLogin(page: Page, password = ADMIN.password): Promise<void> {
  await page.getByLabel('Benutzername').fill(ADMIN.username);
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
}

/** Makes the browser the one that a client is. */
export async function takeOver(context: BrowserContext, { cookies }: Pick<Client, 'cookies'>, url: string): Promise<void> {
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
}
