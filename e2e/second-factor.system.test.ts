import type { Browser, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from '../server/src/features/second-factor/testing/code.ts';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createClient, type Client } from './support/api.ts';
import { launchBrowser } from './support/browser.ts';
import { cli } from './support/cli.ts';
import { logInAsAdmin, sendAdminLogin } from './support/login.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

const STEP = 30_000;

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.dispose();
});

/** Returns the address that passkeys need: they accept localhost as they do https, but no bare IP address. */
const local = (): string => server.url.replace('127.0.0.1', 'localhost');
const codeNow = (secret: string, later = 0): string => codeOf(secret, Date.now() + later);
const look = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.LOOK_AT;
  if (!folder) return;
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
};

/** Gives the page the browser's own simulation of a phone's fingerprint reader. */
async function withAuthenticator(page: Page): Promise<{ session: CDPSession; authenticatorId: string }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return { session, authenticatorId };
}

/** Creates another administrator, for whom a test may change everything. */
async function colleague(admin: Client, username: string): Promise<{ username: string; password: string }> {
  return admin.json('POST', '/admin/admins', { username }, 201);
}

async function logIn(page: Page, { username, password }: { username: string; password: string }, at = ''): Promise<void> {
  await page.goto(`${at}/admin/login`);
  await page.getByLabel('Benutzername').fill(username);
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
}

it('codes of an app are set up by the QR code’s key, asked for at the login, and removed with one of them', async () => {
  const otto = await colleague(await adminOf(server.url), 'otto');
  const page = await browser.newPage({ baseURL: local() });
  await logIn(page, otto);
  await page.getByRole('link', { name: 'Zugang' }).click();
  await page.getByRole('link', { name: 'Zweiter Faktor', exact: true }).click();
  await page.getByRole('heading', { name: 'Codes aus einer App' }).waitFor();
  await look(page, 'factors-none');
  expect(await violationsOf(page)).toEqual([]);
  const codes = page.getByRole('region', { name: 'Codes aus einer App' });
  await codes.getByLabel('Ihr Passwort').fill('falsch');
  await codes.getByRole('button', { name: 'Codes einrichten' }).click();
  await codes.getByText('Das Passwort stimmt nicht.').waitFor();
  await codes.getByLabel('Ihr Passwort').fill(otto.password);
  await codes.getByRole('button', { name: 'Codes einrichten' }).click();
  const secret = (await codes.getByLabel('Schlüssel').innerText()).replaceAll(' ', '');
  await look(page, 'factors-totp');
  expect(await violationsOf(page)).toEqual([]);
  await codes.getByLabel('Code, den die App zeigt').fill('12345');
  await codes.getByRole('button', { name: 'Bestätigen' }).click();
  await codes.getByText('Der Code hat sechs Ziffern.').waitFor();
  // The previous half minute's code is accepted until this half minute ends.
  await expect.poll(() => STEP - (Date.now() % STEP)).toBeGreaterThan(10_000);
  await codes.getByLabel('Code, den die App zeigt').fill(codeNow(secret, -STEP));
  await codes.getByRole('button', { name: 'Bestätigen' }).click();
  await codes.getByText('Noch nicht benutzt.').waitFor();
  await page.context().clearCookies();

  await logIn(page, otto);
  await page.getByRole('heading', { name: 'Zweiter Faktor' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await look(page, 'login-totp');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Code aus der App').fill('000000');
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByText('Das hat nicht gestimmt.').waitFor();
  await page.getByLabel('Code aus der App').fill(codeNow(secret));
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();

  await page.goto('/admin/zweiter-faktor');
  await page.getByRole('button', { name: '„Codes aus der App“ entfernen' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Ihr Passwort').fill(otto.password);
  await dialog.getByRole('button', { name: 'Weiter' }).click();
  await dialog.getByLabel('Code aus der App').fill(codeNow(secret, STEP));
  await look(page, 'factors-remove');
  await dialog.getByRole('button', { name: 'Entfernen' }).click();
  await codes.getByRole('button', { name: 'Codes einrichten' }).waitFor();
  await page.close();
});

it('codes that come after the password was changed elsewhere are told in German that it is wrong', async () => {
  const uwe = await colleague(await adminOf(server.url), 'uwe');
  const client = createClient(server.url);
  await client.json('POST', '/auth/admin/login', uwe, 200);
  const { secret } = await client.json<{ secret: string }>('POST', '/admin/factors/totp', { password: uwe.password });
  // The previous half minute's code is accepted until this half minute ends.
  await expect.poll(() => STEP - (Date.now() % STEP)).toBeGreaterThan(10_000);
  await client.json('PUT', '/admin/factors/totp', { code: codeNow(secret, -STEP) }, 200);
  const page = await browser.newPage({ baseURL: local() });
  await logIn(page, uwe);
  await page.getByLabel('Code aus der App').fill(codeNow(secret));
  await client.json('PUT', '/admin/password', { current_password: uwe.password, new_password: 'ein anderes langes Passwort' }, 204);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByText('Ungültige Benutzerdaten oder Passwort').waitFor();
  await page.close();
});

it('passkeys are set up, used, tried again after a cancelled one, and removed; where the address has none, the page says so', async () => {
  const pia = await colleague(await adminOf(server.url), 'pia');
  const page = await browser.newPage({ baseURL: local() });
  const { session, authenticatorId } = await withAuthenticator(page);
  await logIn(page, pia);
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.goto('/admin/zweiter-faktor');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  for (const name of ['Laptop', 'Laptop noch einmal']) {
    await passkeys.getByLabel('Name des Passkeys').fill(name);
    await passkeys.getByLabel('Ihr Passwort').fill(pia.password);
    await passkeys.getByRole('button', { name: 'Passkey einrichten' }).click();
    if (name === 'Laptop') await passkeys.getByText('Noch nicht benutzt.').waitFor();
  }
  await passkeys.getByText('Dieser Passkey ist hier schon eingerichtet.').waitFor();
  await look(page, 'factors-passkey');
  expect(await violationsOf(page)).toEqual([]);
  await page.context().clearCookies();

  await logIn(page, pia);
  await page.getByRole('button', { name: 'Mit Passkey bestätigen' }).waitFor();
  await look(page, 'login-passkey');
  // The browser refuses, as for an unknown finger.
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Mit Passkey bestätigen' }).click();
  await page.getByText('Das wurde abgebrochen oder hat zu lange gedauert.').waitFor();
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Mit Passkey bestätigen' }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();

  await page.goto('/admin/zweiter-faktor');
  await passkeys.getByText('Zuletzt benutzt').waitFor();
  await page.getByRole('button', { name: '„Laptop“ entfernen' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Ihr Passwort').fill(pia.password);
  await dialog.getByRole('button', { name: 'Weiter' }).click();
  await dialog.getByRole('button', { name: 'Mit Passkey bestätigen' }).click();
  await passkeys.getByText('Zuletzt benutzt').waitFor({ state: 'detached' });
  // An address of numbers allows no passkeys.
  await logIn(page, pia, server.url);
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.goto(`${server.url}/admin/zweiter-faktor`);
  await passkeys.getByText('Hier kann dieser Browser keine Passkeys einrichten').waitFor();
  expect(await passkeys.getByRole('button').count()).toBe(0);
  await page.close();
});

it('required of all, nothing goes but to set one up, and what is lost the command on the server takes away', async () => {
  const admin = await adminOf(server.url);
  const rita = await colleague(admin, 'rita');
  const page = await browser.newPage({ baseURL: local() });
  await withAuthenticator(page);
  await logInAsAdmin(page);
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.goto('/admin/zugang');
  await page.getByRole('switch', { name: /Zweiten Faktor von allen verlangen/ }).click();
  await look(page, 'settings-access');
  expect(await violationsOf(page)).toEqual([]);
  // An administrator without a second factor has to set one up first.
  await page.getByRole('button', { name: 'Speichern' }).click();
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByLabel('Name des Passkeys').fill('Büro');
  await passkeys.getByLabel('Ihr Passwort').fill(ADMIN.password);
  await passkeys.getByRole('button', { name: 'Passkey einrichten' }).click();
  await passkeys.getByText('Noch nicht benutzt.').waitFor();
  await page.goto('/admin/zugang');
  await page.getByRole('switch', { name: /Zweiten Faktor von allen verlangen/ }).click();
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gespeichert.').waitFor();

  const other = await browser.newPage({ baseURL: local() });
  await logIn(other, rita);
  await other.getByText('In dieser Verwaltung braucht jeder Zugang einen zweiten Faktor.').waitFor();
  await look(other, 'factors-required');
  expect(await violationsOf(other)).toEqual([]);
  await other.goto('/admin/protokoll');
  await other.getByText('In dieser Verwaltung braucht jeder Zugang einen zweiten Faktor.').waitFor();
  await other.getByRole('button', { name: 'Abmelden' }).click();
  await other.getByRole('heading', { name: 'Verwaltung' }).waitFor();
  await other.close();

  // With the passkey lost, the password alone does nothing until the command on the server.
  await page.context().clearCookies();
  await createClient(server.url).json('POST', '/auth/admin/login', ADMIN, 401);
  const off = await cli(server, ['admin', 'second-factor-off', ADMIN.username], [ADMIN.username, ADMIN.password]);
  expect(off.stdout).toContain('hat keinen zweiten Faktor mehr');
  await page.goto('/admin/login');
  await sendAdminLogin(page);
  await page.getByText('In dieser Verwaltung braucht jeder Zugang einen zweiten Faktor.').waitFor();
  await page.close();
});
