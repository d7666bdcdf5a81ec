import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, dayFromToday, deviceOf, LONG_OVER, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { useAdmin } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

interface AdminEvent {
  id: string;
  title: string;
  version: number;
  storage_limit: number | string;
  start_date: string;
  end_date: string;
  storage: { photos: { count: number } };
}

describe('editing an event', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin((started) => ({ server, browser, admin } = started));

  const stored = async ({ id }: EventUnderTest): Promise<AdminEvent> => {
    const { events } = await admin.json<{ events: AdminEvent[] }>('GET', '/admin/events');
    return events.find((event) => event.id === id) as AdminEvent;
  };

  async function openDetails({ title }: { title: string }): Promise<{ page: Page; close(): Promise<void> }> {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto('/admin');
    await page.getByText(title).first().click();
    return { page, close: () => context.close() };
  }

  async function openForm(event: EventUnderTest): Promise<{ page: Page; close(): Promise<void> }> {
    const { page, close } = await openDetails(event);
    await page.getByRole('button', { name: 'Bearbeiten' }).first().click();
    await page.getByLabel('Titel', { exact: true }).waitFor();
    return { page, close };
  }

  it('takes dates typed digit by digit', async () => {
    const event = await createEvent(admin, { title: 'Getippt', start_date: '2030-06-01', end_date: '2030-06-02' });
    const { page, close } = await openForm(event);
    await page.getByLabel('Titel', { exact: true }).fill('Von Hand');
    // Day and month are equal, because their order depends on the browser.
    for (const label of ['Startdatum', 'Enddatum']) {
      await page.getByLabel(label).focus();
      await page.keyboard.type('05052031');
      expect(await page.getByLabel(label).inputValue()).toBe('2031-05-05');
    }
    await page.getByText('sonst automatisch von 3. Mai 2031 bis 4. Juni 2031').waitFor();
    for (const day of ['0202-05-17', '20266-05-17']) {
      await page.getByLabel('Enddatum').evaluate((input: HTMLInputElement, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, day);
      await page.getByText('sonst automatisch von 2 Tagen vor bis 30 Tage nach dem Event').waitFor();
    }
    expect(await page.getByLabel('Titel', { exact: true }).inputValue()).toBe('Von Hand');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Bitte geben Sie ein gültiges Datum ein.').waitFor();
    await page.getByLabel('Enddatum').fill('2031-05-05');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(async () => (await stored(event)).end_date).toBe('2031-05-05');
    await close();
  });

  it('by two at once overwrites nothing: the second sees what the first did, and then decides', async () => {
    const event = await createEvent(admin, { title: 'Zu zweit bearbeitet' });
    const { page, close } = await openForm(event);
    const { start_date, end_date, version } = await stored(event);
    await admin.json('PUT', `/admin/events/${event.id}`, { title: 'Von der Kollegin', start_date, end_date, version });

    await page.getByLabel('Titel', { exact: true }).fill('Von mir');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Jemand anders hat dieses Event inzwischen geändert.').waitFor();
    expect(await page.getByLabel('Titel', { exact: true }).inputValue()).toBe('Von mir');
    expect((await stored(event)).title).toBe('Von der Kollegin');
    await page.getByRole('button', { name: 'Neuen Stand laden' }).click();
    await expect.poll(() => page.getByLabel('Titel', { exact: true }).inputValue()).toBe('Von der Kollegin');
    await page.getByLabel('Titel', { exact: true }).fill('Von uns beiden');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(async () => (await stored(event)).title).toBe('Von uns beiden');
    await close();
  });

  it('with an end long past deletes photos only after a question that names them', async () => {
    const event = await createEvent(admin, { title: 'Vertippt' });
    await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1) });
    const { page, close } = await openForm(event);
    await page.getByLabel('Startdatum').fill(LONG_OVER.end_date);
    await page.getByLabel('Enddatum').fill(LONG_OVER.end_date);
    await page.getByRole('button', { name: 'Speichern' }).dblclick();
    await page.getByText('Ein Foto von „Vertippt“: Beim Speichern gelöscht und für den Gastgeber verloren.').waitFor();
    const remove = page.getByRole('button', { name: 'Fotos sofort löschen und speichern' });
    expect(await remove.isDisabled()).toBe(true);
    expect((await stored(event)).storage.photos.count).toBe(1);
    await page.getByRole('switch', { name: 'Ja, die Fotos sofort löschen' }).click();
    await remove.click();
    await expect.poll(async () => (await stored(event)).end_date).toBe(LONG_OVER.end_date);
    await close();
  });

  it('sets a limit below what is used only after a question that says how much that is', async () => {
    const event = await createEvent(admin, { title: 'Halbe statt fünf', storage_limit: 5 });
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 10_000 });
    db.prepare('update events set used_bytes = 3200000000, zip_downloaded_at = ? where id = ?').run(Date.now(), event.id);
    db.close();
    const { page, close } = await openForm(event);
    await page.getByText('Belegt sind 3,2 GB.').waitFor();
    await page.getByLabel('Speicherplatz in GB').fill('0,5');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Belegt sind schon 3,2 GB, mehr als diese Grenze.').waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/limit.png` });
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Speichern' }).isDisabled()).toBe(true);
    await page.getByRole('switch', { name: 'Ja, keine Fotos mehr annehmen' }).click();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(async () => (await stored(event)).storage_limit).toBe(0.5);
    await page.getByText(/^am \d+\. \S+ \d{4}, \d\d:\d\d/).waitFor();
    await close();
  });

  it('shows what has to be changed and its actions in a small window', async () => {
    const event = await createEvent(admin, { title: 'Kleines Fenster' });
    const { page, close } = await openForm(event);
    await page.setViewportSize({ width: 1280, height: 600 });
    const inSight = (part: Locator) =>
      part.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const at = document.elementFromPoint(element.getBoundingClientRect().left + 20, (top + bottom) / 2);
        return top >= 0 && bottom <= window.innerHeight && element.contains(at);
      });
    const save = page.getByRole('button', { name: 'Speichern' });
    expect(await inSight(save)).toBe(true);
    await page.getByLabel('Titel', { exact: true }).fill('');
    await page.getByRole('switch', { name: 'Fotobox' }).scrollIntoViewIfNeeded();
    await save.click();
    const title = page.getByLabel('Titel', { exact: true });
    await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await inSight(title)).toBe(true);
    await title.fill('Kleines Fenster');
    await page.getByLabel('Startdatum').fill(dayFromToday(-3));
    await page.getByLabel('Enddatum').fill(dayFromToday(-2));
    await save.click();
    const question = page.getByText('Mit diesem Enddatum ist das Event schon vorbei.');
    await question.waitFor();
    expect(await inSight(question)).toBe(true);
    expect([await inSight(page.getByRole('switch', { name: 'Ja, das Datum stimmt' })), await inSight(save)]).toEqual([true, true]);
    expect(await save.isDisabled()).toBe(true);
    expect((await stored(event)).end_date).toBe(dayFromToday(0));
    await page.getByRole('switch', { name: 'Ja, das Datum stimmt' }).click();
    await save.click();
    await expect.poll(async () => (await stored(event)).end_date).toBe(dayFromToday(-2));
    await close();
  });

  it('asks before what was typed is thrown away, however often Escape is pressed, and gives the focus back', async () => {
    const event = await createEvent(admin, { title: 'Nicht verlieren' });
    const { page, close } = await openForm(event);
    const questions: string[] = [];
    let answer = false;
    page.on('dialog', (question) => {
      questions.push(question.message());
      void (answer ? question.accept() : question.dismiss());
    });
    const dialog = page.getByRole('dialog', { name: 'Event bearbeiten' });
    await page.getByLabel('Untertitel').fill('Mit Tombola');
    for (let n = 0; n < 3; n++) await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Abbrechen' }).click();
    expect(questions).toEqual(Array(4).fill('Die Eingaben sind noch nicht gespeichert. Trotzdem schließen?'));
    expect(await page.getByLabel('Untertitel').inputValue()).toBe('Mit Tombola');
    answer = true;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Bearbeiten' }).first().click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(questions).toHaveLength(5);
    for (const name of ['Löschen', 'Passwort zurücksetzen']) {
      const opener = page.getByRole('button', { name }).first();
      await opener.click();
      await page.getByRole('dialog').getByText(event.title).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
    }
    await close();
  });

  it("shows guests' address, QR code and password in the expanded row, and the Fotobox's address, to copy", async () => {
    const event = await createEvent(admin, {
      title: 'Zugang der Gäste',
      with_upload_password: true,
      user_upload_password: 'Konfetti 100%',
      with_fotobox: true,
      fotobox_upload_password: 'Knipsekasten',
    });
    const { page, close } = await openDetails(event);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    expect((await page.getByText('Belegt').locator('xpath=following-sibling::*[1]').innerText()).replace(/\s/g, ' ')).toBe(
      '0 MB, unbegrenzt',
    );
    const access = page.getByRole('region', { name: 'Zugang der Gäste' });
    await access.getByRole('img', { name: `QR-Code zum Event ${event.title}` }).waitFor();
    for (const [button, copied] of [
      ['Link kopieren', `${server.url}/event/${event.code}`],
      ['Passwort kopieren', 'Konfetti 100%'],
      ['Fotobox-Adresse kopieren', `${server.url}/dav/${event.code}/`],
    ] as const) {
      await access.getByText(copied, { exact: true }).waitFor();
      await access.getByRole('button', { name: button }).click();
      await access.getByText(button.replace('kopieren', 'kopiert'), { exact: true }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
    }
    expect(await violationsOf(page)).toEqual([]);
    await close();
  });

  it('gives an access once, however often it is clicked, and asks before its password is gone', async () => {
    const day = '2030-06-01';
    const event = await admin.json<{ title: string }>('POST', '/admin/create_event', { title: 'Doppelt', start_date: day, end_date: day });
    const { page, close } = await openDetails(event);
    let created = 0;
    await page.route(/\/admin\/events\/[^/]+\/user$/, (route) => {
      created += 1;
      return route.continue();
    });
    await page.getByRole('button', { name: 'Zugang erstellen' }).dblclick();
    const dialog = page.getByRole('dialog', { name: 'Zugang für den Gastgeber' });
    await dialog.waitFor();
    expect([created, await page.getByRole('alert').count()]).toEqual([1, 0]);
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    await page.keyboard.press('Escape');
    await expect.poll(() => questions).toEqual(['Das Passwort wird nur jetzt angezeigt. Trotzdem schließen?']);
    expect(await dialog.isVisible()).toBe(true);
    // Before a reload, the browser asks in its own words.
    await page.evaluate(() => window.location.reload());
    await expect.poll(() => questions.length).toBe(2);
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByText(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/).selectText();
    await page.keyboard.press('ControlOrMeta+c');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect([questions.length, await page.locator('[aria-busy=true]').count()]).toEqual([2, 0]);
    await close();
  });

  it('that somebody else has deleted meanwhile says that none is chosen', async () => {
    const event = await createEvent(admin, { title: 'Schon weg' });
    const { page, close } = await openDetails(event);
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByLabel(`Event-Code ${event.code} eingeben`).fill(event.code);
    await admin.json('DELETE', `/admin/events/${event.id}`);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.getByLabel('Event-Code eingeben').waitFor();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByText('Kein Event ausgewählt').waitFor();
    await close();
  });
});
