import type { BrowserContext, Page } from 'playwright';
import type { Client } from './api.ts';
import { ADMIN } from './server.ts';

/** Logs the administrator in by the page; what it waits for is the caller's. */
export async function logInAsAdmin(page: Page, password = ADMIN.password): Promise<void> {
  await page.goto('/admin/login');
  await sendAdminLogin(page, password);
}

/** The same where the login page is open already. */
export async function sendAdminLogin(page: Page, password = ADMIN.password): Promise<void> {
  await page.getByLabel('Benutzername').fill(ADMIN.username);
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
}

/** Makes the browser the one that a client is. */
export async function takeOver(context: BrowserContext, { cookies }: Pick<Client, 'cookies'>, url: string): Promise<void> {
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
}
