import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createClient, createEvent, dayFromToday, type Client } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import type { TestServer } from './support/server.ts';
import { useAdmin } from './support/use-server.ts';

interface Listed {
  id: string;
  title: string;
  user_upload_password: string | null;
}

describe('many events and who helps with them', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin((started) => ({ server, browser, admin } = started));

  const listed = async (): Promise<Listed[]> => (await admin.json<{ events: Listed[] }>('GET', '/admin/events')).events;

  async function logIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
    await page.goto('/admin/login');
    await page.getByLabel('Benutzername').fill(username);
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    // If an event runs today, the login leads a phone there.
    await page.waitForURL(/\/admin\/heute$/);
    await page.goto('/admin?suche=');
    await page.getByRole('heading', { name: 'Events' }).waitFor();
  }

  it('an assistant is added on the page, creates and edits events, finds nothing that deletes, and is out once he is removed', async () => {
    const secret = { with_upload_password: true, user_upload_password: 'Rosenblatt' };
    const event = await createEvent(admin, { title: 'Fest im Garten', ...secret });
    const { page: office, context: ofAdmin } = await openPage(browser, server.url, DESKTOP);
    await takeOver(ofAdmin, admin, server.url);
    await office.goto('/admin');
    await office.getByRole('link', { name: 'Zugang', exact: true }).click();
    await office.getByLabel('Weiterer Benutzername').fill('lena');
    await office.getByRole('switch', { name: 'Nur Helfer' }).click();
    await office.getByRole('button', { name: 'Hinzufügen' }).click();
    await office.getByText('Das Passwort wird nur dieses eine Mal angezeigt.').waitFor();
    const password = await office.getByRole('main').getByRole('status').locator('strong').nth(1).innerText();
    await office.getByText('(Helfer)').waitFor();
    expect(await violationsOf(office)).toEqual([]);

    const { page, context } = await openPage(browser, server.url, PHONE);
    await logIn(page, { username: 'lena', password });
    await page.getByText('Fest im Garten').first().click();
    await page.getByRole('button', { name: 'Bearbeiten' }).waitFor();
    for (const name of ['Löschen', 'Einladen', 'Neu einladen', 'Passwort zurücksetzen', 'Zugang erstellen', 'Einstellungen', 'Protokoll'])
      expect([name, await page.getByText(name, { exact: true }).count()]).toEqual([name, 0]);
    expect(await page.getByText('Rosenblatt').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Bearbeiten' }).click();
    await page.getByLabel('Titel', { exact: true }).fill('Fest im Park');
    await page.getByText('Leer lassen: Das bisherige bleibt.').waitFor();
    expect(await page.getByText('Zugang gleich anlegen').count()).toBe(0);
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Fest im Park' }).waitFor();
    expect(await listed()).toMatchObject([{ title: 'Fest im Park', user_upload_password: 'Rosenblatt' }]);

    await page.getByRole('button', { name: 'Event erstellen' }).click();
    await page.getByLabel('Titel', { exact: true }).fill('Sommerfest');
    await page.getByLabel('Startdatum').fill(dayFromToday(1));
    await page.getByLabel('Enddatum').fill(dayFromToday(1));
    await page.getByLabel('E‑Mail').fill('tom@beispiel.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Event erstellen' }).click();
    await page.getByText(/einladung\/[A-Z0-9]{8}#/).waitFor();
    expect(await listed()).toMatchObject([{ title: 'Sommerfest' }, { title: 'Fest im Park' }]);

    // Assistants are refused by the page's address, and by a call that no page offers.
    await page.goto('/admin/protokoll');
    await page.getByText('Das kann nur, wer Feierbild verwaltet.').waitFor();
    const lena = createClient(server.url);
    for (const { name, value } of await context.cookies()) lena.cookies.set(name, value);
    const refused = await lena.request(`/admin/events/${event.id}`, { method: 'DELETE' });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'assistant_forbidden' }]);

    await office.getByRole('button', { name: 'lena entfernen' }).click();
    await office.getByRole('button', { name: 'Zugang endgültig entfernen' }).click();
    await expect.poll(() => office.getByText('(Helfer)').count()).toBe(0);
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Verwaltung' }).waitFor();
    expect(await listed()).toHaveLength(2);
    await context.close();
    await ofAdmin.close();
  });

  it('several are chosen, closed, extended and opened at once; what failed stays chosen and says why', async () => {
    const [one, two, three] = [
      await createEvent(admin, { title: 'Rundtanz Alpha' }),
      await createEvent(admin, { title: 'Rundtanz Beta' }),
      await createEvent(admin, { title: 'Rundtanz Gamma' }),
    ];
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto('/admin?suche=Rundtanz');
    await page.getByLabel('Rundtanz Alpha auswählen').check();
    await page.getByText('1 ausgewählt').waitFor();
    await page.getByLabel('Alle gezeigten auswählen').check();
    for (const { title } of [one, two, three]) expect(await page.getByLabel(`${title} auswählen`).isChecked()).toBe(true);
    await page.getByText('3 ausgewählt').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // Another administrator changes one of them first.
    const today = dayFromToday(0);
    await admin.json('PUT', `/admin/events/${two.id}`, { title: 'Rundtanz Beta', start_date: today, end_date: today });
    await page.getByLabel('Tage', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Tage verlängern' }).click();
    await page.getByRole('dialog', { name: '3 Events um 3 Tage verlängern?' }).getByText('„Rundtanz Alpha“:').waitFor();
    await page.getByRole('button', { name: 'Verlängern', exact: true }).click();
    await page.getByText('2 Events um 3 Tage verlängert.').waitFor();
    await page.getByText('„Rundtanz Beta“: Dieses Event wurde inzwischen geändert. Bitte laden Sie es neu.').waitFor();
    await page.getByText('1 ausgewählt').waitFor();
    expect(await page.getByLabel('Rundtanz Beta auswählen').isChecked()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    const ends = async () => {
      const { events } = await admin.json<{ events: { title: string; end_date: string; with_user_upload: boolean }[] }>(
        'GET',
        `/admin/events?ids=${[one, two, three].map(({ id }) => id).join()}&order=title`,
      );
      return events.map(({ end_date, with_user_upload }) => [end_date, with_user_upload]);
    };
    const later = dayFromToday(3);
    expect(await ends()).toEqual([
      [later, true],
      [today, true],
      [later, true],
    ]);
    // The list has loaded the changed event.
    const extend = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Tage verlängern' }).click();
      await page.getByRole('button', { name: 'Verlängern', exact: true }).click();
      await page.getByText('1 Event um 3 Tage verlängert.').waitFor();
    };
    await extend();
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByText('1 Event wieder wie vorher.').waitFor();
    expect((await ends())[1]).toEqual([today, true]);
    await page.getByLabel('Rundtanz Beta auswählen').check();
    await extend();

    for (const { title } of [one, two, three]) await page.getByLabel(`${title} auswählen`).check();
    await page.getByRole('button', { name: 'Upload schließen' }).click();
    await page.getByText('3 Events geschlossen.').waitFor();
    expect(await ends()).toEqual([one, two, three].map(() => [later, false]));
    await page.getByText('Upload geschlossen').nth(2).waitFor();
    const guest = await createClient(server.url).json<{ with_user_upload: boolean }>('GET', `/event/${one.code}`);
    expect(guest.with_user_upload).toBe(false);
    await context.close();
  });
});
