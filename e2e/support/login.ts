import type { Browser, BrowserContext, Page } from 'playwright';
import { createClient, hostOf, type Client, type EventUnderTest } from './api.ts';
import { DESKTOP, openPage } from './browser.ts';
import { ADMIN } from './server.ts';

/** Logs in the administrator by the page; the caller waits for the result. */
export async function logInAsAdmin(page: Page, password = ADMIN.password): Promise<void> {
  await page.goto('/admin/login');
  await sendAdminLogin(page, password);
}

/** Sends the administrator's login on the open login page. */
export async function sendAdminLogin(page: Page, password = ADMIN.password): Promise<void> {
  await page.getByLabel('Benutzername').fill(ADMIN.username);
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
}

/** Returns the status of an administrator's login. */
export async function statusOfLogin(url: string, username: string, password: string): Promise<number> {
  const body = JSON.stringify({ username, password });
  const headers = { 'content-type': 'application/json' };
  return (await createClient(url).request('/auth/admin/login', { method: 'POST', body, headers })).status;
}

/** Gives the browser a client's cookies. */
export async function takeOver(context: BrowserContext, { cookies }: Pick<Client, 'cookies'>, url: string): Promise<void> {
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
}

/** Opens a page of a new browser in which the event's host is logged in. */
export async function openAsHost(browser: Browser, url: string, event: EventUnderTest, viewport = DESKTOP): ReturnType<typeof openPage> {
  const opened = await openPage(browser, url, viewport);
  await takeOver(opened.context, await hostOf(url, event), url);
  return opened;
}
