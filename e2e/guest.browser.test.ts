import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { formatDay } from '../web/src/lib/format.ts';
import { violationsOf } from './support/accessible.ts';
import { createEvent, dayFromToday, hostOf, LONG_OVER, type Client, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { addShareSheet, refuseShareSheet, sharedBy } from './support/share-sheet.ts';
import { useServer } from './support/use-server.ts';
import { askToDelete, gatesOf, PASSWORD, sendPhotos, smallPhotos } from './support/guests.ts';
import { readyToSend } from './support/queue.ts';
import type { TestServer } from './support/server.ts';

describe("a guest's way", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let open: EventUnderTest;
  let locked: EventUnderTest;

  useServer(async (started) => {
    ({ server, browser } = started);
    ({ admin, open, locked } = await gatesOf(server.url));
  });

  it('leads through the password screen to the event, and never to the login', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${locked.code}`);
    await page.getByRole('heading', { name: 'Passwort erforderlich' }).waitFor();
    await page.getByRole('link', { name: 'Freischalten' }).click();
    await page.waitForURL('**/securejoin**');
    await expect.poll(() => page.getByPlaceholder('8-stelligen Code eingeben').inputValue()).toBe(locked.code);
    await page.getByLabel('Event Passwort').fill('falsch');
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByText('Ungültiger oder abgelaufener Event-Code').waitFor();
    await page.getByLabel('Event Passwort').fill(PASSWORD);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.waitForURL(`**/event/${locked.code}?password=Gr%C3%B6%C3%9Fe%20100%25`);
    await sendPhotos(page, await smallPhotos(2, 500));
    await context.close();
  });

  it('remembers the name, takes tiles out by a click, and asks for the consent first', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${open.code}`);
    expect(await page.getByRole('button', { name: 'Bereit' }).isDisabled()).toBe(true);
    await page.getByLabel('Dein Name').fill('Bärbel');
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(3, 600));
    const button = page.getByRole('button', { name: 'Hochladen (3)' });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.getByText('Noch dieser Haken, dann kann es losgehen.').first().waitFor();
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(x + 20, y + 20);
    expect(await page.getByRole('checkbox').evaluate((box) => box === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'IMG_1.jpg, ausgewählt, entfernen' }).click();
    await page.getByRole('checkbox').check();
    expect(await page.getByRole('button', { name: 'Hochladen (2)' }).isEnabled()).toBe(true);
    await page.reload();
    await expect.poll(() => page.getByLabel('Dein Name').inputValue()).toBe('Bärbel');
    expect(await page.getByRole('checkbox').isChecked()).toBe(true);
    await page.goto(`/event/${locked.code}?password=Gr%C3%B6%C3%9Fe%20100%25`);
    await expect.poll(() => page.getByLabel('Dein Name').inputValue()).toBe('Bärbel');
    expect(await page.getByRole('checkbox').isChecked()).toBe(false);
    await context.close();
  });

  it('goes on by itself when the signal is back, and stores nothing twice', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${open.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(12, 700));
    await page.getByRole('checkbox').check();
    await readyToSend(page, 12);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Hochladen (12)' }).click();
    await page.getByText('Wartet auf Netz – geht von selbst weiter.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    const host = await hostOf(server.url, open);
    expect((await host.json<{ total_photos: number }>('GET', `/api/events/${open.code}/stats`)).total_photos).toBe(12);
    await context.close();
  });

  it('thanks by name, shows the own photos once and again, and deletes one for good', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url);
    await addShareSheet(context);
    await page.goto(`/event/${event.code}?lang=de`);
    await page.getByLabel('Dein Name').fill('Sofia');
    await sendPhotos(page, await smallPhotos(2, 900));
    await page.getByRole('heading', { name: 'Danke, Sofia!' }).waitFor();
    await page.getByText('2 Fotos sind angekommen.').waitFor();
    await page.getByRole('button', { name: 'Weitersagen' }).click();
    expect(await sharedBy(page)).toEqual([{ title: event.title, url: `${server.url}/event/${event.code}` }]);
    // Each photo is shown once, under „Meine Fotos“.
    expect(await page.getByRole('button', { name: /^IMG_/ }).count()).toBe(2);
    await page.reload();
    await askToDelete(page, 'IMG_0.jpg');
    const goOn = Promise.withResolvers<void>();
    await page.route('**/api/photos/*', async (route) => {
      await goOn.promise;
      await route.fallback();
    });
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    // The deletion can no longer be stopped, so no button offers it.
    const dialog = page.getByRole('dialog', { name: 'Foto löschen?' });
    for (const name of ['Behalten', 'Schließen']) expect(await dialog.getByRole('button', { name }).isDisabled()).toBe(true);
    for (let n = 0; n < 3; n++) await page.keyboard.press('Escape');
    await dialog.waitFor();
    goOn.resolve();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor({ state: 'detached' });
    const host = await hostOf(server.url, event);
    expect((await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`)).total_photos).toBe(1);
    await context.close();
  });

  it('shows the address to pass on where the share sheet does not open', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url);
    await refuseShareSheet(context);
    await page.goto(`/event/${event.code}?lang=de`);
    await page.getByLabel('Dein Name').fill('Sofia');
    await sendPhotos(page, await smallPhotos(1, 950));
    await page.getByRole('button', { name: 'Weitersagen' }).click();
    await page.getByText(`${server.url}/event/${event.code}`, { exact: true }).waitFor();
    expect(await page.getByText('Permission denied').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  it('shows when an event opens that is not open yet, and when an event was that is over', async () => {
    const { page, context } = await openPage(browser, server.url);
    const next = await createEvent(admin, { start_date: dayFromToday(10), end_date: dayFromToday(10) });
    await page.goto(`/event/${next.code}`);
    await page.getByRole('heading', { name: 'Noch nicht geöffnet' }).waitFor();
    await page.getByText(`Dieses Event öffnet am ${formatDay(dayFromToday(8))}.`).waitFor();
    const past = await createEvent(admin, LONG_OVER);
    await page.goto(`/event/${past.code}`);
    await page.getByText(`Dieses Event ist vorbei; sein letzter Tag war der ${formatDay(LONG_OVER.end_date)}.`).waitFor();
    await page.getByRole('heading', { name: 'Ungültiger oder abgelaufener Event-Code' }).waitFor();
    await context.close();
  });
});
