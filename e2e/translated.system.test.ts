import type { Browser, BrowserContext, Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { texts as arabic } from '../web/src/languages/ar/texts.ts';
import { texts as english } from '../web/src/languages/en/texts.ts';
import { texts as polish } from '../web/src/languages/pl/texts.ts';
import { texts as russian } from '../web/src/languages/ru/texts.ts';
import { texts as turkish } from '../web/src/languages/tr/texts.ts';
import { texts as ukrainian } from '../web/src/languages/uk/texts.ts';
import { speak } from '../web/src/texts/speech.ts';
import { createEvent, hostOf, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, expectLogged, openPage } from './support/browser.ts';
import { logInAsAdmin, takeOver } from './support/login.ts';
import { DONE, photos, stored } from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { managePasswords, translatePages } from './support/translator.ts';
import { useAdmin } from './support/use-server.ts';

const FOREIGN = { ar: arabic, en: english, pl: polish, ru: russian, tr: turkish, uk: ukrainian };

/** The browser translates each drawing of a page: the server's, before the page's code is there, and that of the code. */
describe('a page that the browser translates, beside a password manager', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let event: EventUnderTest;
  let page: Page;
  let context: BrowserContext;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    event = await createEvent(admin);
  });
  beforeEach(async () => {
    ({ page, context } = await openPage(browser, server.url));
    await translatePages(context);
    await managePasswords(context);
    // The code cannot take over a page that was translated before it came, so it draws the page anew.
    expectLogged(context, /Minified React error #(418|423|425)/);
  });
  afterEach(() => context.close());

  it('tells of a wrong code while one is typed, and leads to the event', async () => {
    await page.goto('/join');
    const field = page.getByRole('textbox', { name: 'Event-Code' });
    await field.pressSequentially('ABCDEFGH', { delay: 5 });
    await page.getByText('8/8').waitFor();
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByText('Ungültiger oder abgelaufener Event-Code').waitFor();
    await field.fill('ABC');
    await page.getByText('3/8').waitFor();
    expect(await page.getByText('8/8').count()).toBe(0);
    await field.fill(event.code);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByRole('heading', { name: event.title }).waitFor();
  });

  it('asks for the password of a protected event', async () => {
    const locked = await createEvent(admin, { with_upload_password: true, user_upload_password: 'sommer27' });
    await page.goto(`/securejoin?code=${locked.code}`);
    const field = page.getByLabel('Event Passwort');
    await field.fill('falsch');
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByText('Das Event-Passwort stimmt nicht.').waitFor();
    await page.getByRole('button', { name: 'Passwort zeigen' }).click();
    await field.fill('sommer27');
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByRole('heading', { name: locked.title }).waitFor();
  });

  it('takes six photos, and counts them right', async () => {
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await photos(7));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (7)' }).waitFor();
    await page
      .getByRole('button', { name: /entfernen/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Hochladen (6)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    await page.getByText('6 Fotos sind angekommen.').waitFor();
    expect(await stored(server, event)).toBe(6);
  });

  it.each(Object.entries(FOREIGN))('takes photos on a page in its own language: %s', async (language, { guest }) => {
    speak(FOREIGN[language as keyof typeof FOREIGN]);
    const [choice, press, thanks] = [guest.bar.send(3), guest.bar.send(2), guest.thanks.title('Ayşe')];
    speak({});
    const before = await stored(server, event);
    await page.goto(`/event/${event.code}?lang=${language}`);
    await page.getByLabel(guest.form.name).fill('Ayşe');
    await page.locator('input[type=file]').setInputFiles(await photos(3));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: choice, exact: true }).waitFor();
    await page.getByRole('button', { name: guest.tile.remove }).first().click();
    await page.getByRole('button', { name: press, exact: true }).click();
    await page.getByRole('button', { name: guest.bar.done, exact: true }).waitFor();
    await page.getByRole('heading', { name: thanks, exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await stored(server, event)).toBe(before + 2);
  });

  it('tells of a wrong password, and lets the host in', async () => {
    await page.goto('/login');
    await page.getByLabel('Benutzername').fill(event.code);
    await page.getByLabel('Passwort', { exact: true }).fill('falsch');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Passwort', { exact: true }).fill(event.host.password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('heading', { name: event.title }).waitFor();
  });

  it('has a dashboard with dialogs', async () => {
    await takeOver(context, await hostOf(server.url, event), server.url);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('heading', { name: event.title }).waitFor();
    await page.getByText('Für Programme').click();
    await page.getByRole('button', { name: 'Zugang anlegen' }).click();
    await page.getByText('Noch nicht benutzt.').waitFor();
    await page.getByRole('button', { name: 'Beenden' }).click();
    await page.getByRole('button', { name: 'Zugang anlegen' }).waitFor();
    await page.getByRole('button', { name: 'Teilen' }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.waitForURL('**/login**');
  });

  it('has an administration', async () => {
    await page.setViewportSize(DESKTOP);
    await logInAsAdmin(page, 'ein-falsches-Kennwort');
    await page.getByRole('alert').waitFor();
    await logInAsAdmin(page);
    await page.getByText(event.code).first().waitFor();
    await page.getByText(event.code).first().click();
    await page.getByRole('link', { name: 'Heute' }).click();
    await page.waitForURL('**/admin/heute');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await page.getByText(event.code).first().waitFor();
  });
});
